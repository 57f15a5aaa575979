#include "tools/command/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "core/base/concat.h"
#include "core/json/canonical.h"
#include "tools/command/exit_code.h"
#include "tools/io/file.h"

namespace stele::tools {

absl::Status WriteOut(std::string_view bytes) {
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
  if (written && std::fflush(stdout) == 0) return absl::OkStatus();
  return ErrnoStatus(errno, "cannot write to", "standard output");
}

absl::Status WriteLine(std::string_view line) { return WriteOut(Concat(line, "\n")); }

void Complain(std::string_view message) {
  const std::string line = Concat("stele: ", message, "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int Fail(const absl::Status& status) {
  if (!status.ok()) Complain(Describe(status));
  return ExitCodeOf(status);
}

json::Value JsonObject(std::vector<json::Member> members) {
  std::sort(members.begin(), members.end(), [](const json::Member& a, const json::Member& b) {
    return json::CanonicalLess(a.first, b.first);
  });
  json::Object object;
  object.members = std::move(members);
  return json::Value(std::move(object));
}

json::Value JsonNumber(uint64_t number) { return json::Value(static_cast<double>(number)); }

json::Value JsonText(std::string_view text) { return json::Value(std::string(text)); }

absl::Status WriteJson(const json::Value& value) { return WriteLine(json::Canonical(value)); }

}  // namespace stele::tools
