// Every lie in every call: which pairs there are is the table below, and each of them is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>

#include "client/proofs.h"
#include "core/base/concat.h"
#include "core/crypto/sha256.h"
#include "tests/client/lies.h"
#include "tests/client/served_log.h"

namespace stele::client {
namespace {

using google::protobuf::Message;

constexpr char kOrigin[] = "test.example/log";

// `x`: the call can meet the lie, and refuses it. `-`: nothing in its answers can tell that lie.
constexpr const char* kCalls[] = {"contact",  "head",      "entry",       "entries", "publications",
                                  "manifest", "inclusion", "consistency", "proven",  "citation",
                                  "watch",    "publish",   "keys",        "content", "contents",
                                  "prefix",   "tiles"};
struct Row {
  const char* lie;
  const char* calls;  // one letter for each
};
// clang-format off
constexpr Row kTable[] = {
    //                              contact
    //                              | head
    //                              | | entry
    //                              | | | entries
    //                              | | | | publications
    //                              | | | | | manifest
    //                              | | | | | | inclusion
    //                              | | | | | | | consistency
    //                              | | | | | | | | proven
    //                              | | | | | | | | | citation
    //                              | | | | | | | | | | watch
    //                              | | | | | | | | | | | publish
    //                              | | | | | | | | | | | | keys
    //                              | | | | | | | | | | | | | content
    //                              | | | | | | | | | | | | | | contents
    //                              | | | | | | | | | | | | | | | prefix
    //                              | | | | | | | | | | | | | | | | tiles
    {"a fork of the same size",    "x x x x x x x x x x x x - - - - x"},
    {"a fork that is larger",      "x x x x x x x x x x x x - - - - x"},
    {"a fork that is smaller",     "x x x x x x x x x x x x - - - - x"},
    {"a rollback",                 "x x x x x x x x x x x x - - - - x"},
    {"another origin",             "x x x x x x x x x x x x - - - - x"},
    {"another key",                "x x x x x x x x x x x x - - - - x"},
    {"a bogus signature",          "x x x x x x x x x x x x - - - - x"},
    {"a second, bogus signature",  "x x x x x x x x x x x x - - - - x"},
    {"no checkpoint",              "x x x x x x x x x x x x - - - - x"},
    {"a truncated proof",          "x - x x x x x x x x - x - - - - -"},
    {"a proof of another size",    "x - x x x x x x x x - x - - - - -"},
    {"another entry",              "x - x x x x x - x x - x - - - - -"},
    {"content of another record",  "- - - - - - - - - x - - - x x x -"},
    {"metadata of another record", "- - - - x x - - - x - - - - - - -"},
    {"an endless stream",          "- - - x - - - - x x x - - - x - -"},
};
// clang-format on

// The note with another text, signed by `key`, which is called `name`.
std::string SignedBy(const PrivateKey& key, const std::string& name, const Checkpoint& checkpoint) {
  const NoteVerifier verifier = *NoteVerifier::Make(name, key.public_key());
  const std::string text = FormatCheckpoint(checkpoint);
  return FormatNote({text, {*SignNote(text, verifier, key)}});
}

Checkpoint CheckpointOf(const std::string& note) {
  return *ParseCheckpointText(ParseNote(note)->text);
}

class LieTable : public ServedLogTest {
 protected:
  void SetUp() override {
    ServedLogTest::SetUp();
    earlier_ = fetcher_->GetHead()->note;
    for (const char* call : kCalls) {
      lies().any = [&, call](Message& answer) { Record(earlier_answers_[call], answer); };
      ASSERT_TRUE(Run(call, 0).ok()) << call << ": " << Run(call, 0);
    }
    lies().any = nullptr;
    const int n = Fresh();
    ASSERT_TRUE(Publish({StatementOf(n, n + 1)}).flushed.ok());
  }

  using Answers = std::vector<std::unique_ptr<Message>>;
  static void Record(Answers& answers, const Message& answer) {
    answers.emplace_back(answer.New())->CopyFrom(answer);
  }

  // One call, about the entry or record number `n` where it is about one.
  absl::Status Run(const std::string& call, int n) {
    const Proofs proofs(*connection_, *verifier_);
    const tools::PublicationPtr record = TestPublication(4 * n);
    const tools::PublicationPtr second = TestPublication(4 * n + 1);
    const PublicKey& signer = world_->publisher->public_key();
    const EntryIndex index(1 + static_cast<uint64_t>(n));
    const auto entry = [](EntryIndex, std::string_view) { return absl::OkStatus(); };
    if (call == "contact") return FirstContact();
    if (call == "head") return fetcher_->GetHead().status();
    if (call == "entry") return fetcher_->GetEntry(index).status();
    if (call == "entries") return fetcher_->ListEntries(index, 3, entry);
    if (call == "publications") {
      return fetcher_->CheckPublications(signer, {{record->record, record->manifest, signer.id()}})
          .status();
    }
    if (call == "manifest") {
      const auto publications = fetcher_->GetRecord(record->record);
      if (!publications.ok()) return publications.status();
      return fetcher_->ProvePublication(record->record, publications->rows.at(0));
    }
    if (call == "inclusion") return proofs.GetInclusion(index, TreeSize(4)).status();
    if (call == "consistency") return proofs.GetConsistency(TreeSize(3), TreeSize(4)).status();
    if (call == "proven") {
      return proofs
          .GetEntries({index, EntryIndex(3)}, TreeSize(4),
                      [](EntryWithProof) { return absl::OkStatus(); })
          .status();
    }
    if (call == "citation") return proofs.GetCitation(record->record).status();
    if (call == "watch") return Watch(proofs);
    if (call == "publish") return Publish({StatementOf(4 * n, 4 * n + 4)}).flushed;
    if (call == "keys") return fetcher_->ListKeys().status();
    if (call == "content") return fetcher_->GetContent(record->record).status();
    if (call == "contents") {
      return fetcher_->FetchContent(
          {record->record, second->record},
          [](const Digest&, const absl::StatusOr<std::string>& got) { return got.status(); });
    }
    if (call == "prefix") {
      return fetcher_->ResolvePrefix(record->record.ToHex().substr(0, 10)).status();
    }
    if (call == "tiles") return proofs.GetTiles({{0, 0, 4}, {0, 0, 3}}).status();
    return absl::UnimplementedError(call);
  }

  // A stranger: pins, and nothing kept.
  absl::Status FirstContact() const {
    const testing::TempDir state;
    TrustOptions trust;
    trust.state_dir = state.path();
    const absl::Status status = MakeContact(*connection_, trust).status();
    EXPECT_EQ(std::filesystem::exists(state.path() / "pins"), status.ok());
    return status;
  }

  absl::Status Watch(const Proofs& proofs) const {
    int heads = 0;
    const absl::Status ended = proofs.Watch(std::nullopt, [&](const WatchedHead&) {
      const bool enough = ++heads == (endless_ ? 100 : 1);
      return enough ? absl::CancelledError("enough") : absl::OkStatus();
    });
    return absl::IsCancelled(ended) ? absl::OkStatus() : ended;
  }

  // Tells the lie in the answers to come; `told` counts how often there was an occasion.
  void Tell(const std::string& lie, const std::string& call, int& told);
  // What a lie does to an answer; false if it cannot be told in it.
  using Edit = std::function<bool(Message& answer)>;
  Edit EditOf(const std::string& lie, const std::string& call);
  std::map<std::string, EditNote> NoteEdits() const;
  // Something of each answer in place of what comes, the first of its kind for the first.
  using Exchange = std::function<bool(Message& answer, const Message& other)>;
  static Edit FromAnswers(const Answers& others, Exchange exchange);
  // From the answers of the same call about another entry and record.
  Edit FromAnother(const std::string& call, Exchange exchange);

  std::string earlier_;  // the head before the last publication
  std::map<std::string, Answers> earlier_answers_;
  Answers others_;
  bool endless_ = false;
};

std::map<std::string, EditNote> LieTable::NoteEdits() const {
  const PrivateKey& key = *world_->log_key;
  const auto fork = [&key](int64_t more) -> EditNote {
    return [&key, more](const std::string& note) {
      Checkpoint checkpoint = CheckpointOf(note);
      checkpoint.size = TreeSize(checkpoint.size.value() + static_cast<uint64_t>(more));
      checkpoint.root = Sha256("another history");
      return SignedBy(key, kOrigin, checkpoint);
    };
  };
  const auto bogus = [](bool second) -> EditNote {
    return [second](const std::string& text) {
      Note note = *ParseNote(text);
      if (second) note.signatures.push_back(note.signatures.front());
      char& last = note.signatures.back().signature.back();
      last = static_cast<char>(last ^ 1);
      return FormatNote(note);
    };
  };
  const auto other_origin = [&key](const std::string& note) {
    Checkpoint checkpoint = CheckpointOf(note);
    checkpoint.origin = "test.example/other";
    return SignedBy(key, checkpoint.origin, checkpoint);
  };
  const auto other_key = [](const std::string& note) {
    return SignedBy(*PrivateKey::FromEd25519Seed(std::string(32, 'k')), kOrigin,
                    CheckpointOf(note));
  };
  return {{"a fork of the same size", fork(0)},
          {"a fork that is larger", fork(3)},
          {"a fork that is smaller", fork(-1)},
          {"a rollback", [this](const std::string&) { return earlier_; }},
          {"another origin", other_origin},
          {"another key", other_key},
          {"a bogus signature", bogus(false)},
          {"a second, bogus signature", bogus(true)},
          {"no checkpoint", [](const std::string&) { return std::string(); }}};
}

LieTable::Edit LieTable::FromAnswers(const Answers& others, Exchange exchange) {
  return [&others, exchange = std::move(exchange),
          seen = std::map<const void*, int>()](Message& answer) mutable {
    int skip = seen[answer.GetDescriptor()]++;
    for (const std::unique_ptr<Message>& other : others) {
      if (other->GetDescriptor() != answer.GetDescriptor() || skip-- > 0) continue;
      return exchange(answer, *other);
    }
    return false;
  };
}

LieTable::Edit LieTable::FromAnother(const std::string& call, Exchange exchange) {
  others_.clear();
  lies().any = [this](Message& answer) { Record(others_, answer); };
  // The first contact is about entry 0, whatever the number.
  EXPECT_TRUE(Run(call == "contact" ? "entry" : call, 1).ok());
  return FromAnswers(others_, std::move(exchange));
}

template <class Type>
Type* As(Message& answer) {
  return google::protobuf::DynamicCastToGenerated<Type>(&answer);
}

template <class Type>
const Type& Of(const Message& answer) {
  return *google::protobuf::DynamicCastToGenerated<Type>(&answer);
}

// Everything about entries, their true proofs included.
bool ExchangeEntries(Message& answer, const Message& other) {
  if (As<v1::GetEntryResponse>(answer) == nullptr &&
      As<v1::ListEntriesResponse>(answer) == nullptr &&
      As<v1::GetInclusionProofResponse>(answer) == nullptr &&
      As<v1::GetProvenEntriesResponse>(answer) == nullptr &&
      As<v1::PublishResponse>(answer) == nullptr) {
    return false;
  }
  answer.CopyFrom(other);
  return true;
}

bool ExchangeContent(Message& answer, const Message& other) {
  if (auto* content = As<v1::GetContentResponse>(answer)) {
    content->set_content(Of<v1::GetContentResponse>(other).content());
    return true;
  }
  if (auto* fetched = As<v1::FetchContentResponse>(answer)) {
    fetched->set_content(Of<v1::FetchContentResponse>(other).content());
    return true;
  }
  if (auto* resolved = As<v1::ResolvePrefixResponse>(answer)) {
    resolved->set_digests(0, Of<v1::ResolvePrefixResponse>(other).digests(0));
    return true;
  }
  if (auto* citation = As<v1::GetCitationResponse>(answer)) {
    citation->set_identity(Of<v1::GetCitationResponse>(other).identity());
    return true;
  }
  return false;
}

bool ExchangeMetadata(Message& answer, const Message& other) {
  if (auto* record = As<v1::GetRecordResponse>(answer)) {
    record->mutable_publications(0)->set_manifest(
        Of<v1::GetRecordResponse>(other).publications(0).manifest());
    return true;
  }
  if (auto* citation = As<v1::GetCitationResponse>(answer)) {
    citation->set_manifest(Of<v1::GetCitationResponse>(other).manifest());
    return true;
  }
  if (auto* status = As<v1::CheckPublicationsResponse>(answer)) {
    status->mutable_items(0)->set_index(1);  // an entry of another kind
    return true;
  }
  return false;
}

LieTable::Edit LieTable::EditOf(const std::string& lie, const std::string& call) {
  const std::map<std::string, EditNote> note_edits = NoteEdits();
  if (const auto found = note_edits.find(lie); found != note_edits.end()) {
    return [edit = found->second](Message& answer) { return EditCheckpoints(answer, edit); };
  }
  if (lie == "a truncated proof") return CutProofs;
  if (lie == "a proof of another size") {
    return FromAnswers(earlier_answers_.at(call), ExchangeProofs);
  }
  if (lie == "another entry") return FromAnother(call, ExchangeEntries);
  if (lie == "content of another record") return FromAnother(call, ExchangeContent);
  if (lie == "metadata of another record") return FromAnother(call, ExchangeMetadata);
  EXPECT_EQ(lie, "an endless stream");
  return [](Message&) { return false; };
}

void LieTable::Tell(const std::string& lie, const std::string& call, int& told) {
  lies().any = [edit = EditOf(lie, call), &told](Message& answer) { told += edit(answer) ? 1 : 0; };
  endless_ = lie == "an endless stream";
  if (endless_) lies().endless = [&told] { return ++told < 100; };
}

TEST_F(LieTable, EveryLieIsRefusedByEveryCallThatCanMeetIt) {
  for (const Row& row : kTable) {
    for (size_t i = 0; i < std::size(kCalls); ++i) {
      SCOPED_TRACE(Concat(row.lie, " in ", kCalls[i]));
      ASSERT_TRUE(fetcher_->GetHead().ok());
      int told = 0;
      Tell(row.lie, kCalls[i], told);
      const absl::Status status = Run(kCalls[i], 0);
      lies().Clear();
      endless_ = false;
      const bool meets = row.calls[2 * i] == 'x';
      EXPECT_EQ(told > 0, meets) << "the table says otherwise";
      EXPECT_EQ(status.code(), meets ? absl::StatusCode::kDataLoss : absl::StatusCode::kOk)
          << status;
    }
  }
}

}  // namespace
}  // namespace stele::client
