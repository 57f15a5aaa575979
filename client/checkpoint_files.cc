#include "client/checkpoint_files.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "client/files.h"
#include "core/base/client_limits.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"

namespace stele::client {
namespace {

constexpr size_t kAsideDigits = 16;

// The size that a file name says; nothing for any other name.
std::optional<TreeSize> SizeOf(const std::string& name) {
  uint64_t size = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), size);
  if (error != std::errc() || std::to_string(size) != name) return std::nullopt;
  return TreeSize(size);
}

// Of the files in the folder, ascending; none if there is no such folder.
absl::StatusOr<std::vector<TreeSize>> SizesIn(const std::filesystem::path& folder) {
  std::vector<TreeSize> sizes;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::optional<TreeSize> size = SizeOf(at->path().filename().string());
    if (size) sizes.push_back(*size);
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return absl::UnknownError(Concat("cannot list ", folder.string(), ": ", error.message()));
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace

CheckpointFiles::CheckpointFiles(const std::filesystem::path& state_dir, std::string_view origin)
    : state_dir_(state_dir), folder_(state_dir / "checkpoints" / Sha256(origin).ToHex()) {}

std::filesystem::path CheckpointFiles::PathOf(TreeSize size) const {
  return folder_ / std::to_string(size.value());
}

absl::StatusOr<std::vector<KeptCheckpoint>> CheckpointFiles::Load() const {
  STELE_ASSIGN_OR_RETURN(const std::vector<TreeSize> sizes, SizesIn(folder_));
  std::vector<KeptCheckpoint> kept;
  for (const TreeSize size : sizes) {
    STELE_ASSIGN_OR_RETURN(std::optional<std::string> note,
                           ReadIfThere(PathOf(size), limits::kKeptCheckpointBytes));
    // Another process may have removed the smallest ones since they were listed.
    if (note) kept.push_back({size, *std::move(note)});
  }
  return kept;
}

absl::StatusOr<std::optional<KeptCheckpoint>> CheckpointFiles::Keep(
    const KeptCheckpoint& checkpoint, TreeSize known) const {
  STELE_RETURN_IF_ERROR(MakePrivateFolder(folder_));
  const FileLock lock(folder_ / "lock");
  STELE_RETURN_IF_ERROR(lock.status());
  STELE_ASSIGN_OR_RETURN(const std::vector<TreeSize> sizes, SizesIn(folder_));
  if (!sizes.empty() && sizes.back() > known) {
    STELE_ASSIGN_OR_RETURN(std::optional<std::string> note,
                           ReadIfThere(PathOf(sizes.back()), limits::kKeptCheckpointBytes));
    if (note) return std::optional(KeptCheckpoint{sizes.back(), *std::move(note)});
  }
  STELE_RETURN_IF_ERROR(ReplaceFile(PathOf(checkpoint.size), checkpoint.note));
  std::error_code ignored;
  for (size_t i = 0; i + limits::kKeptCheckpoints <= sizes.size(); ++i) {
    std::filesystem::remove(PathOf(sizes[i]), ignored);
  }
  return std::optional<KeptCheckpoint>();
}

absl::StatusOr<std::filesystem::path> CheckpointFiles::KeepAside(std::string_view text) const {
  const std::filesystem::path folder = state_dir_ / "contradictions";
  STELE_RETURN_IF_ERROR(MakePrivateFolder(folder));
  const FileLock lock(folder / "lock");
  STELE_RETURN_IF_ERROR(lock.status());
  const std::filesystem::path path =
      folder / Concat(Sha256(text).ToHex().substr(0, kAsideDigits), ".txt");
  STELE_RETURN_IF_ERROR(ReplaceFile(path, text));
  return path;
}

}  // namespace stele::client
