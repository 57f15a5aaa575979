// The source that a command line names.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "client/source/source.h"
#include "tools/command/session.h"

namespace stele::tools {

struct OpenedSource {
  std::unique_ptr<Session> session;  // of a server; the source uses it
  std::unique_ptr<client::Source> source;
};

// A folder of static files, an http(s):// prefix, or a server's host:port; empty: --server. Usage
// errors, and those of OpenSession.
absl::StatusOr<OpenedSource> OpenSource(const std::string& text, const CommonFlags& flags);

}  // namespace stele::tools
