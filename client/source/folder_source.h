// A log in a folder of static files.
#pragma once

#include <filesystem>
#include <string>

#include "client/source/static_source.h"

namespace stele::client {

class FolderSource final : public StaticSource {
 public:
  explicit FolderSource(const std::filesystem::path& folder);
  const std::string& name() const override { return name_; }

 protected:
  absl::StatusOr<std::string> File(const std::string& path, size_t max_bytes) override;
  absl::Status Stream(const std::string& path, uint64_t max_bytes, ByteSink& sink) override;

 private:
  const std::string name_;
};

// The whole file. NOT_FOUND; RESOURCE_EXHAUSTED if it has more than `max_bytes`; else UNKNOWN.
// Names the path.
absl::StatusOr<std::string> ReadFileAtMost(const std::string& path, size_t max_bytes);

}  // namespace stele::client
