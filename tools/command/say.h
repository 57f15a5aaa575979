// The commands that say one thing: a statement, signed, published, and one line about it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/publisher.h"
#include "core/crypto/key.h"
#include "core/statement/statement.h"
#include "tools/command/session.h"

namespace stele::tools {

Statement MakeStatement(StatementType type, const std::string& origin,
                        std::vector<Subject> subjects, Predicate predicate);

// A record as it stands in every statement but a publication; content of any kind (withholding).
Subject SubjectOf(const Digest& record);
Subject AnySubject(const Digest& digest);

// Makes and publishes a statement that names the latest event of its family, and once more if the
// log has moved on in between. `latest` asks the server for that event.
absl::StatusOr<client::Published> PublishAfter(
    const Session& session, const PrivateKey& signer,
    const std::function<absl::StatusOr<EventIndex>()>& latest,
    const std::function<Statement(EventIndex after)>& make);

// "<did> <subject> at entry N" ("…: said before, at entry N" for a replay), or
// {"type","subject","index","replayed"}.
absl::Status ReportSaid(std::string_view did, StatementType type, const Digest& subject,
                        const client::Published& published, bool as_json);

}  // namespace stele::tools
