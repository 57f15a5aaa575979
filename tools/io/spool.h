// Bytes that are not to be shown before all of them are there: they wait in a nameless file in
// $TMPDIR, or /tmp. One thread at a time; errors as in tools/io/file.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace stele::tools {

class Spool {
 public:
  static absl::StatusOr<std::unique_ptr<Spool>> Open();
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  absl::Status Append(std::string_view bytes);
  // Hears all of them, piece by piece; its error ends it.
  absl::Status Read(const std::function<absl::Status(std::string_view piece)>& take) const;

 private:
  explicit Spool(int fd) : fd_(fd) {}

  const int fd_;
};

}  // namespace stele::tools
