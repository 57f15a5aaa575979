#include "client/fetcher.h"
#include "client/stubs.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"

namespace stele::client {
namespace {

// Two requests are on their way at any time: small enough to fit the initial flow-control window,
// so that writing one never waits for answers that nobody reads.
constexpr size_t kRequestDigests = 256;
// A stream may take the connection's timeout once for each so many.
constexpr size_t kDigestsPerTimeout = 1024;

using Stream = grpc::ClientReaderWriter<v1::FetchContentRequest, v1::FetchContentResponse>;

absl::Status CheckBytes(const Digest& digest, std::string_view bytes) {
  if (Sha256(bytes) == digest) return absl::OkStatus();
  return Untrusted(
      Concat("the content of ", digest.ToText(), " hashes to ", Sha256(bytes).ToText()));
}

// One answer of the stream, verified. The inner status is NOT_FOUND and the like; the outer one
// ends the stream.
absl::StatusOr<absl::StatusOr<std::string>> TakeAnswer(const Digest& asked,
                                                       v1::FetchContentResponse& response) {
  if (response.digest() != asked.bytes()) {
    return Untrusted(Concat("asked for ", asked.ToText(), ", another digest was answered"));
  }
  if (!response.has_content()) {
    absl::Status error = FromRpc(response.error());
    if (error.ok()) return Untrusted("an answer with neither content nor error");
    if (error.code() == absl::StatusCode::kDataLoss) return error;
    return absl::StatusOr<std::string>(error);
  }
  STELE_RETURN_IF_ERROR(CheckBytes(asked, response.content()));
  return absl::StatusOr<std::string>(std::move(*response.mutable_content()));
}

bool WriteRequest(Stream& stream, absl::Span<const Digest> digests) {
  v1::FetchContentRequest request;
  for (const Digest& digest : digests) request.add_digests(std::string(digest.bytes()));
  return stream.Write(request);
}

// Sends requests two ahead and hands every answer on; false in `complete` if the stream broke.
absl::Status Exchange(Stream& stream, absl::Span<const Digest> digests,
                      const Fetcher::VisitContent& visit, bool& complete) {
  size_t sent = 0;
  for (size_t answered = 0; answered < digests.size(); ++answered) {
    while (sent < digests.size() && sent - answered <= kRequestDigests) {
      const absl::Span<const Digest> next = digests.subspan(sent, kRequestDigests);
      if (!WriteRequest(stream, next)) return absl::OkStatus();
      sent += next.size();
    }
    v1::FetchContentResponse response;
    if (!stream.Read(&response)) return absl::OkStatus();
    STELE_ASSIGN_OR_RETURN(absl::StatusOr<std::string> content,
                           TakeAnswer(digests[answered], response));
    STELE_RETURN_IF_ERROR(visit(digests[answered], std::move(content)));
  }
  complete = true;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> Fetcher::GetContent(const Digest& digest) const {
  v1::GetContentRequest request;
  request.set_digest(std::string(digest.bytes()));
  v1::GetContentResponse response;
  STELE_RETURN_IF_ERROR(Call(connection_, *connection_.stubs().records,
                             &v1::RecordService::Stub::GetContent, request, response));
  STELE_RETURN_IF_ERROR(CheckBytes(digest, response.content()));
  return std::move(*response.mutable_content());
}

absl::Status Fetcher::FetchContent(absl::Span<const Digest> digests,
                                   const VisitContent& visit) const {
  if (digests.empty()) return absl::OkStatus();
  grpc::ClientContext context;
  const auto share = static_cast<int64_t>(digests.size() / kDigestsPerTimeout + 1);
  context.set_deadline(std::chrono::system_clock::now() + connection_.timeout() * share);
  std::unique_ptr<Stream> stream = connection_.stubs().records->FetchContent(&context);
  bool complete = false;
  const absl::Status stopped = Exchange(*stream, digests, visit, complete);
  if (!stopped.ok()) {
    context.TryCancel();
    stream->Finish().ok();
    return stopped;
  }
  stream->WritesDone();
  if (!complete) {
    const absl::Status lost = FromGrpc(stream->Finish(), connection_.address());
    return lost.ok() ? absl::UnavailableError("the server ended the stream early") : lost;
  }
  v1::FetchContentResponse extra;
  const bool more = stream->Read(&extra);
  if (more) context.TryCancel();
  stream->Finish().ok();
  return more ? Untrusted("more contents are answered than were asked for") : absl::OkStatus();
}

absl::StatusOr<PrefixMatches> Fetcher::ResolvePrefix(std::string_view hex) const {
  v1::ResolvePrefixRequest request;
  request.set_hex_prefix(std::string(hex));
  v1::ResolvePrefixResponse response;
  STELE_RETURN_IF_ERROR(Call(connection_, *connection_.stubs().records,
                             &v1::RecordService::Stub::ResolvePrefix, request, response));
  PrefixMatches matches;
  matches.truncated = response.truncated();
  for (const std::string& bytes : response.digests()) {
    std::optional<Digest> digest = Digest::FromBytes(bytes);
    if (!digest || !digest->ToHex().starts_with(hex)) {
      return Untrusted(Concat("a digest that does not begin with ", hex, " was answered"));
    }
    matches.digests.push_back(*digest);
  }
  return matches;
}

}  // namespace stele::client
