#include "client/audit/state.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/json/canonical.h"
#include "core/json/parse.h"
#include "core/statement/json_reader.h"
#include "core/tlog/note.h"

namespace stele::client {
namespace {

constexpr std::string_view kVersion = "audit-state/v1";

}  // namespace

std::string FormatAuditState(const AuditState& state) {
  std::string note;
  json::AppendCanonicalString(state.note, note);
  return Concat(R"({"checkpoint":)", note, R"(,"genesis":")", state.genesis.ToText(),
                R"(","journal":)", state.journal_bytes, R"(,"stele":")", kVersion, "\"}\n");
}

absl::StatusOr<AuditState> ParseAuditState(std::string_view text) {
  STELE_ASSIGN_OR_RETURN(const json::Value value,
                         json::Parse(text, {.max_bytes = limits::kAuditStateBytes}));
  absl::Status fault;
  const JsonReader root(value, fault);
  root.Members({"checkpoint", "genesis", "journal", "stele"});
  AuditState state;
  state.note = root.At("checkpoint").String();
  state.genesis = root.At("genesis").DigestText();
  state.journal_bytes = static_cast<uint64_t>(root.At("journal").Integer(0));
  if (root.At("stele").String() != kVersion) {
    root.At("stele").Fail(reason::kWrongValue, "must be audit-state/v1");
  }
  if (!fault.ok()) return fault;
  STELE_ASSIGN_OR_RETURN(const Note note, ParseNote(state.note));
  STELE_ASSIGN_OR_RETURN(state.checkpoint, ParseCheckpointText(note.text));
  if (FormatAuditState(state) != text) {
    return RefuseInput(reason::kNotCanonical, "", "not as an audit writes it");
  }
  return state;
}

}  // namespace stele::client
