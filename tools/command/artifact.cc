// stele artifact: bytes of any kind and size, by digest.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "client/artifacts.h"
#include "core/base/artifact_limits.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/statement/statement.h"
#include "tools/command/common.h"
#include "tools/command/digest_argument.h"
#include "tools/command/exit_code.h"
#include "tools/command/fetch_content.h"
#include "tools/command/key_file.h"
#include "tools/command/output.h"
#include "tools/command/progress.h"
#include "tools/command/publish_one.h"
#include "tools/command/session.h"
#include "tools/io/random_file.h"
#include "tools/push/batch.h"

namespace stele::tools {
namespace {

struct PutFlags {
  std::string file, signer;
  std::string media_type = "application/octet-stream";
};
struct GetFlags {
  std::string digest, out;
};

Statement PublicationOf(const Digest& digest, uint64_t size, const std::string& media_type,
                        const std::string& origin) {
  return {.type = StatementType::kPublication,
          .predicate_type = std::string(PredicateTypeOf(StatementType::kPublication)),
          .log = origin,
          .subjects = {{.kind = Subject::Kind::kArtifact,
                        .digest = digest,
                        .media_type = media_type,
                        .manifest = {},
                        .size = size}},
          .predicate = stele::Publication{}};
}

class Put {
 public:
  Put(const PutFlags& put, const CommonFlags& flags)
      : put_(put), flags_(flags), progress_(flags.quiet) {}

  absl::Status Run() {
    STELE_ASSIGN_OR_RETURN(const PrivateKey signer, ReadPrivateKey(put_.signer));
    absl::StatusOr<std::unique_ptr<RandomFile>> file = RandomFile::Open(put_.file);
    if (!file.ok()) return UsageError(std::string(file.status().message()));
    file_ = *std::move(file);
    STELE_ASSIGN_OR_RETURN(const Digest digest, Hash());
    STELE_ASSIGN_OR_RETURN(const Session session, OpenSession(flags_, true));
    const Statement statement =
        PublicationOf(digest, file_->size(), put_.media_type, session.verifier->origin());
    STELE_RETURN_IF_ERROR(Upload(session, digest, statement, signer));
    STELE_ASSIGN_OR_RETURN(const client::Published published,
                           PublishOne(session, statement, signer));
    return Say(digest, published);
  }

 private:
  absl::StatusOr<Digest> Hash() {
    Sha256Stream hash;
    for (uint64_t at = 0; at < file_->size();) {
      const size_t bytes = std::min<uint64_t>(limits::kArtifactChunkBytes, file_->size() - at);
      STELE_ASSIGN_OR_RETURN(const std::string piece, file_->Read(at, bytes));
      hash.Update(piece);
      at += bytes;
      if (progress_.due()) progress_.Draw(Concat("reading ", AmountText(at, file_->size())));
    }
    progress_.Clear();
    return hash.Finish();
  }

  // With the statement that is published afterwards: that is what allows it.
  absl::Status Upload(const Session& session, const Digest& digest, const Statement& statement,
                      const PrivateKey& signer) {
    STELE_ASSIGN_OR_RETURN(
        client::OutgoingStatement outgoing,
        SignPayload(FormatStatement(statement), session.verifier->origin(), signer));
    const client::OutgoingArtifact artifact{digest, file_->size(), outgoing.key,
                                            std::move(outgoing.envelope)};
    const client::ReadPiece read = [this](uint64_t offset, size_t bytes) {
      return file_->Read(offset, bytes);
    };
    const client::TransferHooks hooks{
        .progress =
            [this](uint64_t done, uint64_t size) {
              if (progress_.due()) progress_.Draw(Concat("uploading ", AmountText(done, size)));
            },
        .on_trouble =
            [this](const absl::Status& status) {
              progress_.Clear();
              if (!flags_.quiet) {
                Complain(Concat(std::string(status.message()), "; trying again"));
              }
            }};
    const absl::Status uploaded =
        client::UploadArtifact(*session.connection, artifact, read, hooks).status();
    progress_.Clear();
    return uploaded;
  }

  absl::Status Say(const Digest& digest, const client::Published& published) const {
    const bool before = published.replayed && !published.resent;
    if (flags_.json) {
      return WriteJson(JsonObject({{"digest", JsonText(digest.ToText())},
                                   {"size", JsonNumber(file_->size())},
                                   {"index", JsonNumber(published.index.value())},
                                   {"alreadyThere", json::Value(before)}}));
    }
    if (before && !flags_.quiet) {
      Complain(Concat("nothing new: entry ", published.index.value(), " says so already"));
    }
    return WriteLine(digest.ToText());
  }

  const PutFlags& put_;
  const CommonFlags& flags_;
  Progress progress_;
  std::unique_ptr<RandomFile> file_;
};

absl::Status Get(const GetFlags& get, const CommonFlags& flags) {
  STELE_RETURN_IF_ERROR(HexOfDigestArgument(get.digest).status());
  STELE_ASSIGN_OR_RETURN(const Session session, OpenSession(flags, true));
  STELE_ASSIGN_OR_RETURN(const Digest digest, ResolveContent(session.fetcher(), get.digest));
  STELE_ASSIGN_OR_RETURN(const uint64_t size, FetchToFile(session, digest, get.out, flags));
  if (!flags.json) return WriteLine(digest.ToText());
  return WriteJson(JsonObject({{"digest", JsonText(digest.ToText())},
                               {"size", JsonNumber(size)},
                               {"file", JsonText(get.out)}}));
}

void AddPut(CLI::App& artifact, const CommonFlags& flags, int& exit_code) {
  auto put = std::make_shared<PutFlags>();
  CLI::App* command = artifact.add_subcommand(
      "put",
      "Upload a file and publish it: prints its digest. What breaks off goes on where it was\n"
      "when the command is run again; what is there already is not sent.");
  command->add_option("FILE", put->file, "The file; it is read twice")->required();
  command->add_option("--signer", put->signer, "Private key of the publisher")->required();
  command->add_option("--media-type", put->media_type, "What its bytes are")->capture_default_str();
  command->footer(
      "Example:\n"
      "  stele artifact put samples.bin --signer alice.pem --media-type application/x-samples");
  command->callback([put, &flags, &exit_code] { exit_code = Fail(Put(*put, flags).Run()); });
}

void AddGet(CLI::App& artifact, const CommonFlags& flags, int& exit_code) {
  auto get = std::make_shared<GetFlags>();
  CLI::App* command = artifact.add_subcommand(
      "get",
      "Write content of any size to a new file, verified: until then it is called FILE.part,\n"
      "and a later run goes on with that.");
  command->add_option("DIGEST", get->digest, "sha256:…, or 8 or more hex digits if unique")
      ->required();
  command->add_option("-o,--out", get->out, "The file; never overwritten")->required();
  command->footer(
      "Example:\n"
      "  stele artifact get 1f2e3d4c -o samples.bin");
  command->callback([get, &flags, &exit_code] { exit_code = Fail(Get(*get, flags)); });
}

}  // namespace

void AddArtifactCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  CLI::App* artifact =
      app.add_subcommand("artifact", "Bytes of any kind and size, by digest: raw samples, logs.");
  artifact->require_subcommand(1);
  AddPut(*artifact, flags, exit_code);
  AddGet(*artifact, flags, exit_code);
}

}  // namespace stele::tools
