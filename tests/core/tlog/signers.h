// Logs and witnesses with keys that follow from a sentence.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/crypto/sha256.h"
#include "core/tlog/checkpoint.h"
#include "core/tlog/cosignature.h"
#include "core/tlog/vkey.h"

namespace stele::testing {

struct LogSigner {
  explicit LogSigner(const std::string& name)
      : key(*PrivateKey::FromEd25519Seed(Sha256("log " + name).bytes())),
        verifier(*NoteVerifier::Make(name, key.public_key())) {}
  Note Sign(uint64_t size, const Hash& root) const {
    const std::string text = FormatCheckpoint({verifier.name, TreeSize(size), root, {}});
    return {text, {*SignNote(text, verifier, key)}};
  }
  PrivateKey key;
  NoteVerifier verifier;
};

struct WitnessSigner {
  explicit WitnessSigner(const std::string& name)
      : key(*PrivateKey::FromEd25519Seed(Sha256("witness " + name).bytes())),
        verifier(*CosignerVerifier::Make(name, key.public_key())) {}
  void Cosign(Note& note, uint64_t time) const {
    note.signatures.push_back(*stele::Cosign(note.text, CosignatureTime(time), verifier, key));
  }
  PrivateKey key;
  CosignerVerifier verifier;
};

// A vkey of an ML-DSA-44 cosigner; its key is none, which nobody here can tell.
inline std::string MlDsaVkey(const std::string& name) {
  return FormatVkey({name, kCosignatureMlDsa44, std::string(1312, name.back())});
}

}  // namespace stele::testing
