// A note that is read is written back as the same bytes; a vkey that is read too.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/tlog/note.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto note = stele::ParseNote(input); note.ok()) {
    if (stele::FormatNote(*note) != input || note->signatures.empty()) std::abort();
  }
  if (const auto verifier = stele::NoteVerifier::FromVkey(input); verifier.ok()) {
    if (verifier->ToVkey() != input) std::abort();
  }
  return 0;
}
