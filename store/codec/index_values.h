// Values of the index's rows ↔ checksummed frames (frame.h) of Cap'n Proto messages
// (proto/disk/v1/index.capnp). Which rows there are, and under which keys:
// store/index/index_keys.h.
//
// Each Encode gives one frame. Each Decode takes a frame and the key that it was read under; it
// answers DATA_LOSS naming the row if anything is amiss. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/crypto/digest.h"
#include "core/merkle/hash.h"

namespace stele::store {

// Of what the rows are and what they say. A database of another format is thrown away.
inline constexpr uint32_t kIndexFormat = 1;

// How far an index has come: it holds what follows from the first `applied` entries of this log,
// whose tree has this root.
struct IndexPosition {
  std::string origin;
  TreeSize applied;
  Hash root;
  bool parts = false;  // and some of the rows of entries after them
  friend bool operator==(const IndexPosition&, const IndexPosition&) = default;
};

// A record's first publication.
struct FirstValue {
  TimeMs logged;
};

// What a record's identity body says, of every kind.
struct BodyValue {
  std::string kind;
};

// Of one manifest.
struct TitleValue {
  std::string name, title;
};

struct ReferenceValue {
  std::string pointer;  // empty if it is too long
  bool artifact = false;
};

// What ranking and lists need of a run.
struct RunValue {
  std::string status;
  std::string metric, unit;
  std::optional<double> value;
  std::optional<std::pair<double, double>> interval;
  bool source_native = false;
  std::optional<Digest> workload, protocol, environment, implementation;
};

// "index row K 0c42…": its table and the rest of its key in hex.
std::string NameOfIndexRow(std::string_view key);

std::string EncodeIndexPosition(const IndexPosition& position, uint32_t format = kIndexFormat);
// FAILED_PRECONDITION if the index is of another format.
absl::StatusOr<IndexPosition> DecodeIndexPosition(std::string_view frame);

std::string EncodeFirst(const FirstValue& value, std::string_view key);
absl::StatusOr<FirstValue> DecodeFirst(std::string_view frame, std::string_view key);

std::string EncodeBody(const BodyValue& value, std::string_view key);
absl::StatusOr<BodyValue> DecodeBody(std::string_view frame, std::string_view key);

std::string EncodeTitle(const TitleValue& value, std::string_view key);
absl::StatusOr<TitleValue> DecodeTitle(std::string_view frame, std::string_view key);

std::string EncodeReference(const ReferenceValue& value, std::string_view key);
absl::StatusOr<ReferenceValue> DecodeReference(std::string_view frame, std::string_view key);

std::string EncodeRun(const RunValue& value, std::string_view key);
absl::StatusOr<RunValue> DecodeRun(std::string_view frame, std::string_view key);

}  // namespace stele::store
