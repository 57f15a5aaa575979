// A checkpoint text that is read is written back as the same bytes, and a whole note never opens
// with more than the known key signed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/tlog/checkpoint.h"

namespace {

// The log key of the golden vectors, so that the corpus opens.
const std::vector<stele::NoteVerifier>& Verifiers() {
  static const std::vector<stele::NoteVerifier> verifiers = {*stele::NoteVerifier::FromVkey(
      "log.example/vectors+8a0bde2f+AUkBRa8qGQg1VtOnQhD+7HwqPFrRSG7FzECIYywG+SX8")};
  return verifiers;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto checkpoint = stele::ParseCheckpointText(input); checkpoint.ok()) {
    if (stele::FormatCheckpoint(*checkpoint) != input) std::abort();
  }
  if (const auto opened = stele::OpenCheckpoint(input, Verifiers()); opened.ok()) {
    if (opened->checkpoint.origin != Verifiers()[0].name || opened->signers.size() != 1) {
      std::abort();
    }
    const auto note = stele::ParseNote(input);
    if (!note.ok() || note->text != stele::FormatCheckpoint(opened->checkpoint)) std::abort();
  }
  return 0;
}
