// What ranking and evidence ask about a record, beside what its bytes say.
#pragma once

#include <optional>

#include "core/kernelindex/profile.h"

namespace stele::kernelindex {

// As of one moment of the log; by valid entries.
struct RecordFacts {
  bool published = false;   // by any publication, disputed or not
  bool counts = false;      // by a publication that counts; without one the record is DISPUTED
  bool retracted = false;   // by its owner or an operator
  bool superseded = false;  // by a retraction that retracts it and names a successor
  bool withheld = false;
  // What its identity body says. Nothing if the bytes are withheld, are not there, or are no record
  // of the profile.
  std::optional<Profile> profile;

  // The record is stored and can be read: what else counts as missing.
  bool readable() const { return published && !withheld && profile.has_value(); }
};

}  // namespace stele::kernelindex
