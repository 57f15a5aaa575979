#include "tools/command/audit_report.h"

#include <algorithm>
#include <utility>

#include "core/base/concat.h"
#include "tools/command/output.h"

namespace stele::tools {
namespace {

using client::AuditFault;
using client::AuditReport;

std::string EarlierText(const AuditReport& report) {
  if (!report.earlier) return "";
  const uint64_t size = report.earlier->size.value();
  if (size <= report.checkpoint.size.value()) {
    return Concat("earlier     extends the log of size ", size, " that was audited before\n");
  }
  return Concat("earlier     the source shows an old head: size ", size, " was audited before",
                report.earlier_compared ? "; the two agree\n" : " and could not be compared\n");
}

// By this run, not by those before.
uint64_t EntriesRead(const AuditReport& report) {
  return report.checkpoint.size.value() - std::min(report.resumed, report.checkpoint.size).value();
}

std::string RateText(const AuditReport& report, double seconds) {
  const uint64_t entries = EntriesRead(report);
  if (entries == 0 || seconds <= 0) return "";
  const auto rate = [&](uint64_t count) {
    return static_cast<uint64_t>(static_cast<double>(count) / seconds);
  };
  return Concat("rate        ", rate(entries), " entries and ", rate(report.content_bytes),
                " bytes of content a second\n");
}

json::Value Texts(const std::vector<std::string>& texts) {
  json::Array array;
  for (const std::string& text : texts) array.push_back(JsonText(text));
  return json::Value(std::move(array));
}

json::Value FaultJson(const AuditFault& fault) {
  std::vector<json::Member> members = {{"index", JsonNumber(fault.index.value())},
                                       {"reason", JsonText(fault.reason)}};
  if (fault.content) members.emplace_back("content", JsonText(fault.content->ToText()));
  return JsonObject(std::move(members));
}

}  // namespace

std::string ReportText(const AuditReport& report, double seconds) {
  std::string text = Concat("log         ", report.checkpoint.origin, "\nsize        ",
                            report.checkpoint.size.value(), "\nroot        ",
                            report.checkpoint.root.ToText(), "\n");
  for (const std::string& vkey : report.signers) text += Concat("signed by   ", vkey, "\n");
  for (const std::string& vkey : report.unsigned_by) text += Concat("not signed  ", vkey, "\n");
  if (report.resumed.value() > 0) {
    text += Concat("resumed     entries below ", report.resumed.value(), " were read before\n");
  }
  text += EarlierText(report);
  text +=
      Concat("entries     valid ", report.valid, " (disputed ", report.disputed, "), void ",
             report.void_entries, ", withheld ", report.withheld, ", malformed ", report.malformed,
             "\nrecords     ", report.records, "\ncontent     ", report.contents, " read, ",
             report.content_bytes, " bytes; withheld ", report.withheld_digests, "\n",
             RateText(report, seconds), "faults      ", report.faults.size(), "\n");
  for (const AuditFault& fault : report.faults) {
    text += Concat("  entry ", fault.index.value(), "  ", fault.reason,
                   fault.content ? Concat("  ", fault.content->ToText()) : std::string(), "\n");
  }
  return text;
}

json::Value ReportJson(const AuditReport& report, double seconds) {
  json::Array faults;
  for (const AuditFault& fault : report.faults) faults.push_back(FaultJson(fault));
  std::vector<json::Member> members = {{"origin", JsonText(report.checkpoint.origin)},
                                       {"size", JsonNumber(report.checkpoint.size.value())},
                                       {"root", JsonText(report.checkpoint.root.ToText())},
                                       {"checkpoint", JsonText(report.note)},
                                       {"signedBy", Texts(report.signers)},
                                       {"notSignedBy", Texts(report.unsigned_by)},
                                       {"resumed", JsonNumber(report.resumed.value())},
                                       {"valid", JsonNumber(report.valid)},
                                       {"disputed", JsonNumber(report.disputed)},
                                       {"void", JsonNumber(report.void_entries)},
                                       {"withheld", JsonNumber(report.withheld)},
                                       {"malformed", JsonNumber(report.malformed)},
                                       {"records", JsonNumber(report.records)},
                                       {"contents", JsonNumber(report.contents)},
                                       {"contentBytes", JsonNumber(report.content_bytes)},
                                       {"withheldDigests", JsonNumber(report.withheld_digests)},
                                       {"seconds", json::Value(seconds)},
                                       {"entriesRead", JsonNumber(EntriesRead(report))},
                                       {"faults", json::Value(std::move(faults))}};
  if (report.earlier) {
    members.emplace_back("earlierSize", JsonNumber(report.earlier->size.value()));
    members.emplace_back("earlierCompared", json::Value(report.earlier_compared));
  }
  return JsonObject(std::move(members));
}

}  // namespace stele::tools
