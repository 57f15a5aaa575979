#include "tools/command/audit_source.h"

#include <filesystem>
#include <utility>

#include "client/source/folder_source.h"
#include "client/source/http_source.h"
#include "client/source/server_source.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/command/exit_code.h"

namespace stele::tools {
namespace {

bool LooksLikePath(const std::string& text) {
  return text.find('/') != std::string::npos || text.find(':') == std::string::npos;
}

}  // namespace

absl::StatusOr<OpenedSource> OpenSource(const std::string& text, const CommonFlags& flags) {
  OpenedSource opened;
  std::error_code error;
  if (std::filesystem::is_directory(text, error)) {
    opened.source = std::make_unique<client::FolderSource>(text);
    return opened;
  }
  if (text.starts_with("http://") || text.starts_with("https://")) {
    STELE_ASSIGN_OR_RETURN(client::ConnectOptions connect, ConnectOptionsOf(flags));
    client::HttpOptions http{std::move(connect.ca), std::move(connect.cert),
                             std::move(connect.cert_key), connect.timeout};
    opened.source = std::make_unique<client::HttpSource>(text, std::move(http));
    return opened;
  }
  if (!text.empty() && LooksLikePath(text)) {
    return UsageError(Concat(text,
                             ": there is no such folder; a source is a folder, an http(s):// ",
                             "prefix or a server's host:port"));
  }
  CommonFlags server = flags;
  if (!text.empty()) server.server = text;
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(server));
  opened.session = std::make_unique<Session>(std::move(session));
  opened.source = std::make_unique<client::ServerSource>(*opened.session->connection,
                                                         *opened.session->verifier);
  return opened;
}

}  // namespace stele::tools
