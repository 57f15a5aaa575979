// The books of one run of `stele push`: which rows came in, which publications they ask for, what
// became of each. Pure bookkeeping, no I/O. One thread at a time.
//
// A publication is a record with a manifest; however often it comes in, it is published once. A row
// is refused when it cannot be read or when anything in it is refused; it is handed out then, with
// its bytes as they came. Rows and manifests are kept in memory only until they are decided, of
// decided publications only the two digests.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/crypto/digest.h"
#include "tools/input/document.h"
#include "tools/push/tally.h"

namespace stele::tools {

struct Row {
  Document document;
  size_t undecided = 0;  // publications of it
  bool refused = false;
};

struct Publication {
  Digest record;
  Digest manifest;
  std::string canonical;  // the manifest's RFC 8785 bytes
  std::string title;      // "kind name", for messages
  std::vector<std::shared_ptr<Row>> rows;
};
using PublicationPtr = std::shared_ptr<Publication>;

enum class Outcome { kPushed, kAlreadyThere, kRefused };

class Ledger {
 public:
  using Rejected = std::function<void(const Document&)>;
  // `rejected` gets each refused row once.
  explicit Ledger(Rejected rejected) : rejected_(std::move(rejected)) {}

  // Enters a row; gives the publications that did not come in before. If the document is refused,
  // so is the row.
  std::vector<PublicationPtr> Enter(Document document);
  // Once for every publication that Enter gave.
  void Decide(const PublicationPtr& publication, Outcome outcome);

  const Tally& tally() const { return tally_; }
  // Every record that came in.
  const absl::flat_hash_set<Digest>& records() const { return records_; }

 private:
  struct Standing {
    PublicationPtr open;  // null once it is decided
    bool refused = false;
  };
  PublicationPtr EnterManifest(NamedManifest named, const std::shared_ptr<Row>& row);
  void Close(Row& row);

  const Rejected rejected_;
  Tally tally_;
  absl::flat_hash_map<std::pair<Digest, Digest>, Standing> standings_;
  absl::flat_hash_set<Digest> records_;
};

}  // namespace stele::tools
