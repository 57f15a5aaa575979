#include "tools/input/yaml_documents.h"

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <sstream>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "tools/input/yaml_to_json.h"

namespace stele::tools {
namespace {

absl::Status SyntaxRefusal(size_t line, std::string_view message) {
  return RefuseInput(reason::kSyntax, "", Concat("line ", line, ": ", message));
}

}  // namespace

struct YamlDocuments::Parser {
  explicit Parser(const std::string& text) : stream(text), parser(stream) {}
  std::istringstream stream;
  YAML::Parser parser;
};

YamlDocuments::YamlDocuments(std::string file, InputStream stream)
    : file_(std::move(file)), stream_(std::move(stream)) {}

YamlDocuments::~YamlDocuments() = default;

absl::Status YamlDocuments::Start() {
  started_ = true;
  STELE_ASSIGN_OR_RETURN(text_, stream_.ReadRest(limits::kManifestFileBytes));
  if (absl::Status status = CheckYamlBytes(text_); !status.ok()) {
    pending_ = Pending{0, 1, status};
    return absl::OkStatus();
  }
  parser_ = std::make_unique<Parser>(text_);
  pending_ = ReadAhead();
  if (pending_) pending_->begin = 0;  // comments before the first document belong to it
  return absl::OkStatus();
}

std::optional<YamlDocuments::Pending> YamlDocuments::ReadAhead() {
  if (parser_ == nullptr) return std::nullopt;
  YamlToJson events(text_);
  absl::Status broken;
  size_t broken_at = 0;
  try {
    const bool more = parser_->parser.HandleNextDocument(events);
    if (!more || !events.begun()) parser_.reset();
    if (!events.begun()) return std::nullopt;
  } catch (const YAML::Exception& e) {
    broken = SyntaxRefusal(static_cast<size_t>(e.mark.line) + 1, e.msg);
    broken_at = std::min(static_cast<size_t>(e.mark.pos), text_.size());
  } catch (const std::exception& e) {
    broken = SyntaxRefusal(events.line(), e.what());
  }
  Pending pending{events.begun() ? events.begin() : broken_at, events.line(), events.Take()};
  if (!broken.ok()) pending.json = broken;
  const bool marked = std::string_view(text_).substr(pending.begin).starts_with("---");
  if (broken.ok() && !first_ && !marked) {
    broken = SyntaxRefusal(pending.line,
                           "text after the end of the document; a further document "
                           "begins with ---");
    pending.json = broken;
  }
  if (!broken.ok()) parser_.reset();
  first_ = false;
  return pending;
}

Document YamlDocuments::Finish(Pending pending, size_t end) const {
  std::string raw = text_.substr(pending.begin, end - pending.begin);
  absl::StatusOr<std::vector<NamedManifest>> manifests =
      pending.json.ok() ? ParseJsonDocument(*pending.json) : pending.json.status();
  const bool single = manifests.ok() && manifests->size() == 1 && (*manifests)[0].member.empty();
  if (single && raw.size() > limits::kManifestBytes) {
    manifests = RefuseInput(reason::kTooLarge, "",
                            Concat("the text of the manifest has ", raw.size(),
                                   " bytes, the limit is ", limits::kManifestBytes));
  }
  return Document{file_, pending.line, std::move(raw), std::move(manifests)};
}

absl::StatusOr<std::optional<Document>> YamlDocuments::Next() {
  if (!started_) STELE_RETURN_IF_ERROR(Start());
  if (!pending_) return std::nullopt;
  Pending current = *std::move(pending_);
  pending_ = ReadAhead();
  const size_t end = pending_ ? pending_->begin : text_.size();
  return Finish(std::move(current), end);
}

}  // namespace stele::tools
