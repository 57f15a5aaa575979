#include "tools/hammer/load.h"

#include <algorithm>
#include <random>
#include <thread>

#include "absl/strings/str_cat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/statement/dsse.h"
#include "core/statement/statement.h"

namespace stele::tools {
namespace {

// A manifest in canonical form, `bytes` long; the noise does not compress below half.
std::string MakeManifest(size_t bytes, std::mt19937_64& random) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = R"({"apiVersion":"hammer.stele/v1","kind":"HammerRecord","spec":{"noise":")";
  constexpr std::string_view kEnd = R"("}})";
  while (text.size() + kEnd.size() < bytes) text += kDigits[random() & 15];
  text += kEnd;
  return text;
}

absl::StatusOr<client::OutgoingStatement> MakeStatement(const LoadOptions& options,
                                                        const PrivateKey& key,
                                                        std::mt19937_64& random, Digest* records) {
  client::OutgoingStatement made;
  Statement statement;
  statement.type = StatementType::kPublication;
  statement.predicate_type = PredicateTypeOf(statement.type);
  statement.log = options.origin;
  statement.predicate = Publication{};
  for (size_t s = 0; s < options.subjects; ++s) {
    made.manifests.push_back(MakeManifest(options.bytes, random));
    records[s] = Sha256(made.manifests.back());
    statement.subjects.push_back(RecordSubject(records[s], records[s]));
  }
  const std::string payload = FormatStatement(statement);
  STELE_ASSIGN_OR_RETURN(const std::string signature, key.Sign(Pae(payload)));
  made.key = key.public_key().id();
  made.public_key = key.public_key();
  made.envelope = FormatEnvelope(payload, made.key, signature);
  return made;
}

absl::Status CheckOptions(const LoadOptions& options) {
  if (options.subjects < 1 || options.subjects > limits::kSubjects) {
    return absl::InvalidArgumentError(absl::StrCat("--subjects is 1 to ", limits::kSubjects));
  }
  if (options.bytes < kLeastManifestBytes || options.bytes > limits::kManifestBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("--bytes is ", kLeastManifestBytes, " to ", limits::kManifestBytes));
  }
  if (options.bytes * options.subjects > limits::kStatementContentBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("--bytes times --subjects is at most ", limits::kStatementContentBytes));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Load> MakeLoad(const LoadOptions& options, const PrivateKey& key) {
  STELE_RETURN_IF_ERROR(CheckOptions(options));
  Load load;
  load.statements.resize(options.statements);
  load.records.resize(options.statements * options.subjects);
  const size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<absl::Status> failed(workers);
  std::vector<std::thread> threads;
  for (size_t w = 0; w < workers; ++w) {
    threads.emplace_back([&, w] {
      std::random_device device;
      std::mt19937_64 random((uint64_t{device()} << 32) ^ device());
      for (size_t i = w; i < options.statements && failed[w].ok(); i += workers) {
        auto made = MakeStatement(options, key, random, &load.records[i * options.subjects]);
        if (made.ok()) load.statements[i] = *std::move(made);
        failed[w] = made.status();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& status : failed) STELE_RETURN_IF_ERROR(status);
  return load;
}

}  // namespace stele::tools
