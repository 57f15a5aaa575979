#include "tools/command/fetch_content.h"

#include <string>
#include <utility>

#include "client/artifacts.h"
#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "tools/command/output.h"
#include "tools/command/progress.h"
#include "tools/io/part_file.h"
#include "tools/io/spool.h"

namespace stele::tools {
namespace {

absl::Status OtherBytes(const Digest& digest, const Digest& is) {
  return client::Untrusted(
      Concat("the bytes that were sent as ", digest.ToText(), " hash to ", is.ToText()));
}

// A progress line, and a word about trouble.
class Show {
 public:
  explicit Show(const CommonFlags& flags) : quiet_(flags.quiet), progress_(flags.quiet) {}

  client::TransferHooks hooks() {
    return {.progress =
                [this](uint64_t done, uint64_t size) {
                  if (progress_.due()) progress_.Draw(AmountText(done, size));
                },
            .on_trouble =
                [this](const absl::Status& status) {
                  progress_.Clear();
                  if (!quiet_) Complain(Concat(std::string(status.message()), "; trying again"));
                }};
  }
  void Clear() { progress_.Clear(); }

 private:
  const bool quiet_;
  Progress progress_;
};

absl::StatusOr<uint64_t> SizeOfSame(const Digest& digest, const std::filesystem::path& path) {
  STELE_ASSIGN_OR_RETURN(const Digest is, DigestOfFile(path));
  if (is == digest) return std::filesystem::file_size(path);
  return absl::AlreadyExistsError(
      Concat(path.string(), " is there already, with other bytes; remove it, or choose another"));
}

absl::StatusOr<uint64_t> Download(const Session& session, const Digest& digest, PartFile& file,
                                  Show& show) {
  const auto take = [&](std::string_view piece) { return file.Append(piece); };
  absl::StatusOr<uint64_t> size =
      client::DownloadContent(*session.connection, digest, file.size(), take, show.hooks());
  show.Clear();
  return size;
}

}  // namespace

std::string AmountText(uint64_t done, uint64_t size) {
  const auto mebibytes = [](uint64_t bytes) {
    const uint64_t tenths = bytes * 10 >> 20;
    return Concat(tenths / 10, ".", tenths % 10, " MiB");
  };
  return Concat(mebibytes(done), " of ", mebibytes(size));
}

absl::StatusOr<uint64_t> FetchToFile(const Session& session, const Digest& digest,
                                     const std::filesystem::path& path, const CommonFlags& flags) {
  absl::StatusOr<std::unique_ptr<PartFile>> opened = PartFile::Open(path);
  if (absl::IsAlreadyExists(opened.status())) return SizeOfSame(digest, path);
  STELE_RETURN_IF_ERROR(opened.status());
  PartFile& file = **opened;
  Show show(flags);
  for (;;) {
    const bool resumed = file.size() > 0;
    const absl::StatusOr<uint64_t> size = Download(session, digest, file, show);
    const bool beyond = absl::IsOutOfRange(size.status());
    if (!size.ok() && !(beyond && resumed)) return size.status();
    const Digest is = size.ok() ? file.Finish() : Digest();
    if (size.ok() && is == digest) {
      STELE_RETURN_IF_ERROR(file.Commit());
      return *size;
    }
    // What an earlier run left may have been of something else.
    STELE_RETURN_IF_ERROR(file.Restart());
    if (!resumed) return OtherBytes(digest, is);
  }
}

absl::Status FetchToOutput(const Session& session, const Digest& digest, const CommonFlags& flags) {
  const absl::StatusOr<std::string> bytes = session.fetcher().GetContent(digest);
  if (bytes.ok()) return WriteOut(*bytes);
  if (ReasonOf(bytes.status()) != reason::kTooLarge) return bytes.status();
  STELE_ASSIGN_OR_RETURN(const auto spool, Spool::Open());
  Sha256Stream hash;
  Show show(flags);
  const auto take = [&](std::string_view piece) {
    hash.Update(piece);
    return spool->Append(piece);
  };
  const auto size = client::DownloadContent(*session.connection, digest, 0, take, show.hooks());
  show.Clear();
  STELE_RETURN_IF_ERROR(size.status());
  if (const Digest is = hash.Finish(); is != digest) return OtherBytes(digest, is);
  return spool->Read([](std::string_view piece) { return WriteOut(piece); });
}

}  // namespace stele::tools
