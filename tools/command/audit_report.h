// What an audit came to, for people and for programs.
#pragma once

#include <string>

#include "client/audit/auditor.h"
#include "core/json/value.h"

namespace stele::tools {

// `seconds`: what it took.
std::string ReportText(const client::AuditReport& report, double seconds);
json::Value ReportJson(const client::AuditReport& report, double seconds);

}  // namespace stele::tools
