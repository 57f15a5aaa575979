// Signed statements and manifests to publish, by public test keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/crypto/key.h"
#include "core/statement/statement.h"
#include "store/log/publish.h"

namespace stele::testing {

inline constexpr char kOrigin[] = "test.example/log";

// The Ed25519 key whose seed is the SHA-256 of "stele public test key: <name>".
PrivateKey TestKey(std::string_view name);

// A manifest of its own record for every `n`, with metadata if `title` is not empty.
std::string TestManifest(int n, std::string_view title = {}, size_t padding = 0);

// A publication of the records of these manifests.
Statement Publication(const std::vector<std::string>& manifests);
Statement Grant(const PublicKey& key, Role role, EventIndex after);
Statement Revoke(const KeyId& key, EventIndex after, std::optional<EntryIndex> since = {});
Statement Introduce(const PublicKey& key);
Statement OpenPolicy(EventIndex after, bool open = true);
Statement Withhold(const Digest& digest, EventIndex after, bool withheld = true);
// The log key of this test key.
Statement AddLogKey(std::string_view name, TreeSize from,
                    std::vector<LogKeyRetirement> retires = {});

// What may be said about records.
Statement Note(const Digest& record, std::string_view body = "a note");
Statement Reproduce(const Digest& record);
Statement Verify(const Digest& record, const Digest& rerun);
Statement Retract(const std::vector<Digest>& records, std::optional<Digest> superseded_by = {});
// The payload of a foreign statement about these digests.
std::string ForeignPayload(const std::vector<Digest>& subjects, std::string_view said = "so");
// The digest of what TestManifest gives.
Digest TestRecord(int n);

// The vkey of a log key of test logs.
std::string TestVkey(std::string_view name);

// Signed, as it comes in from a caller.
store::PublishItem Sign(const Statement& statement, const PrivateKey& signer, uint64_t tag = 0,
                        std::vector<std::string> manifests = {});
store::PublishItem SignPayload(const std::string& payload, const PrivateKey& signer,
                               uint64_t tag = 0, std::vector<std::string> manifests = {});
// A publication of one manifest.
store::PublishItem SignPublication(const std::string& manifest, const PrivateKey& signer,
                                   uint64_t tag = 0);

}  // namespace stele::testing
