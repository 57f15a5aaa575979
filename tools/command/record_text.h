// What is known about records, as lines for people and as JSON. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/queries.h"
#include "core/json/value.h"
#include "core/query/answers.h"

namespace stele::tools {

// What a reader who cites the record must know, a sentence each: retracted and by whom, superseded
// by what, disputed, withheld. Empty if there is nothing. The digest is not named.
std::vector<std::string> WarningsOf(const Standing& standing);

// "sha256:…  KIND  NAME: TITLE  [RETRACTED]"
std::string RecordText(const RecordRow& row);
json::Value RecordJson(const RecordRow& row);
json::Value ReferenceJson(const ReferenceRow& row);
json::Value StandingJson(const Standing& standing);
json::Value EvidenceJson(const client::EvidenceAnswer& evidence);

// "INDEX  LOGGED  TYPE  SIGNER: what it says"
std::string HistoryText(const HistoryRow& row);
json::Value HistoryJson(const HistoryRow& row);

// A number as RFC 8785 writes it.
std::string NumberText(double number);
json::Value OptionalText(const std::optional<Digest>& digest);  // null if there is none

// "the server's index is 12 entries behind its log of 34 (rebuilding)"; empty if it is not.
std::string LagText(const IndexMoment& moment);

}  // namespace stele::tools
