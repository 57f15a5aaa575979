// The numbers of one run of `stele push`.
#pragma once

#include <cstdint>
#include <string>

namespace stele::tools {

struct Tally {
  uint64_t rows = 0;           // items of input with a manifest: files, lines, documents
  uint64_t records = 0;        // distinct records in them
  uint64_t pushed = 0;         // publications (record and manifest) that this run put into the log
  uint64_t already_there = 0;  // publications that were in the log before
  uint64_t refused = 0;        // rows of which something was refused, here or by the server
  friend bool operator==(const Tally&, const Tally&) = default;
};

// "rows R, records N, pushed P, already there A, refused F"
std::string TallyText(const Tally& tally);
// One JSON object with the same names.
std::string TallyJson(const Tally& tally);

}  // namespace stele::tools
