// What an entry says, read once: the form that the replay takes (formats §4, §5, rule 22).
//
// Reading and checking signatures are the expensive parts and need no state but keys; a caller with
// many entries does them on its own threads and hands the results to Replay in order:
//
//   ReadEntry read = ReadLeaf(index, leaf, origin);
//   if (read.detached) ReadEnvelope(content, origin, read);   // what is kept under its digest
//   CheckSignature(key, read);                                // of read.said.signer, if any is
//   known replay.Add(read.said);
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strong_int.h"
#include "core/crypto/key.h"
#include "core/statement/entry.h"
#include "core/statement/statement.h"

namespace stele {

struct Said {
  // How far reading came, in the order of rule 22: what stands there first is what `reason` says.
  enum class Reading : uint8_t {
    kMalformed,      // the leaf is not of its shape: nothing below is known (rule 30)
    kNoEnvelope,     // detached, and its bytes are not there: MISSING_CONTENT, or withheld
    kOtherEnvelope,  // detached, and the bytes are no envelope, or not as the leaf says
    kBadPayload,     // the payload has not the form of a statement of this log
    kWrongForm,      // inline where the type is detached, or the reverse; `statement` is read
    kOtherType,      // the leaf names another predicate type than the payload; `statement` is read
    kWhole,
  };
  enum class Signature : uint8_t { kNoKey, kGood, kBad };

  EntryIndex index;
  TimeMs logged;
  EventIndex authority;
  KeyId signer;
  std::optional<Digest> envelope;  // of a detached entry: the digest of its envelope
  Reading reading = Reading::kMalformed;
  std::string reason;  // the reason word; empty if kWhole
  Signature signature = Signature::kNoKey;
  // The statement itself brings its signer's key: an introduction, or a genesis at index 0.
  bool own_key = false;
  Digest payload;  // SHA-256 of the payload
  Statement statement;

  bool HasStatement() const { return reading >= Reading::kWrongForm; }
};

struct ReadEntry {
  Said said;
  std::optional<DetachedEnvelope> detached;
  std::string payload;
  std::string signature;
  std::optional<PublicKey> own_key;
};

// The strict check of a leaf and, of an inline one, of all that it holds.
ReadEntry ReadLeaf(EntryIndex index, std::string_view leaf, std::string_view origin);

// The envelope of a detached entry; `content` is what is kept under its digest, nothing if there is
// none. Bytes with another digest count as missing.
void ReadEnvelope(const std::optional<std::string>& content, std::string_view origin,
                  ReadEntry& read);

// Verifies with the signer's key: `known`, that of the key id if any entry brought it, or the
// statement's own. kNoKey if there is neither. Whether the key was known at that position is for
// the replay.
void CheckSignature(const PublicKey* known, ReadEntry& read);

// The key of `signer` out of a payload that brings it: an introduction, or a genesis at index 0.
// The payload's form may be wrong elsewhere: a key that a statement brings is known before its form
// is looked at.
std::optional<PublicKey> OwnKeyOf(std::string_view payload, const KeyId& signer, EntryIndex index);

// The keys that a statement brings if it is valid: those to look for signers among.
std::vector<PublicKey> KeysBroughtBy(const Statement& statement);

}  // namespace stele
