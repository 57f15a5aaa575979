// A record as something to cite: what its manifest's metadata says about title and authors, where
// it is, and when it was published and looked at. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/crypto/digest.h"

namespace stele {

struct Author {
  std::string literal;        // the whole name; empty if the two below are there
  std::string family, given;  // where the metadata tells them apart
  friend bool operator==(const Author&, const Author&) = default;
};

// Texts are one line each: runs of white space and control characters are one space.
struct CitedWork {
  std::string title;  // metadata's title, else its name, else kind and digest
  std::vector<Author> authors;
  std::string kind;
  std::string origin;  // of the log
  std::string permalink;
  Digest record;
  TimeMs published;  // `logged` of the publication: the operator's word
  TimeMs accessed;
  bool retracted = false;
  std::optional<Digest> superseded_by;
};

// From a manifest's bytes. `authors` in metadata is a list of names, or of objects with `name`, or
// with `family` and `given`; what is none of these is passed over. INVALID_ARGUMENT if the bytes
// are no manifest.
absl::StatusOr<CitedWork> DescribeWork(std::string_view manifest, std::string_view origin,
                                       TimeMs published, TimeMs accessed);

// One line: runs of white space and of control characters (C0, DEL, C1, and the line and paragraph
// separators) become one space, none at the ends. `utf8` is valid.
std::string OneLine(std::string_view utf8);

// "2026-03-01", in UTC.
std::string DateText(TimeMs time);

}  // namespace stele
