#include "store/fsck/finding.h"

#include "core/base/concat.h"

namespace stele::store {

std::string Finding::Text() const {
  return Concat(kind, name.empty() ? "" : " ", name, ": ", problem, "; ", remedy);
}

void Findings::Add(std::string_view kind, std::string_view name, std::string problem,
                   std::string_view remedy) {
  if (!said_.emplace(kind, name).second) return;
  if (!sink_) return;
  sink_({std::string(kind), std::string(name), std::move(problem), std::string(remedy)});
}

void Findings::AddRow(std::string_view kind, const absl::Status& damage, std::string_view remedy) {
  constexpr std::string_view kIs = " is damaged: ";
  const std::string message(damage.message());
  const size_t at = message.find(kIs);
  if (at == std::string::npos) return Add(kind, message, message, remedy);
  Add(kind, message.substr(0, at), message.substr(at + kIs.size()), remedy);
}

}  // namespace stele::store
