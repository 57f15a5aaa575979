// Where files come from.
#pragma once

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "store/read/reader.h"

namespace stele::server {

// A moment of the log to read from: Store::GetReader.
using ReaderSource = std::function<absl::StatusOr<std::shared_ptr<const store::Reader>>()>;

}  // namespace stele::server
