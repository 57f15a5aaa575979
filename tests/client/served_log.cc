#include "tests/client/served_log.h"

#include <utility>

#include "core/base/concat.h"
#include "core/record/manifest.h"
#include "tests/support/shared.h"

namespace stele::client {
namespace {

constexpr int kRecords = 12;  // in the log from the start, four to a statement

ConnectOptions To(const std::string& address, std::chrono::milliseconds timeout) {
  ConnectOptions options;
  options.address = address;
  options.timeout = timeout;
  return options;
}

}  // namespace

ServedLogTest::World* ServedLogTest::world_ = nullptr;

tools::PublicationPtr TestPublication(int n) {
  const Manifest manifest = *ParseManifest(Concat(
      R"({"apiVersion":"v1","kind":"K","metadata":{"name":"n"},"spec":{"number":)", n, "}}"));
  auto publication = std::make_shared<tools::Publication>();
  publication->record = manifest.record;
  publication->manifest = manifest.manifest;
  publication->canonical = manifest.canonical;
  return publication;
}

void ServedLogTest::SetUpTestSuite() {
  world_ = new World;
  world_->steled = std::make_unique<testing::Steled>(world_->folder.path());
  world_->steled->Start();
  const std::string key = world_->steled->NewKey("publisher", "publisher");
  world_->publisher = *PrivateKey::FromPem(testing::ReadFile(key));
  world_->log_key = *PrivateKey::FromPem(testing::ReadFile(world_->steled->data() / "log.key"));
  world_->liar = std::make_unique<LyingServer>(world_->steled->address());
}

void ServedLogTest::TearDownTestSuite() {
  world_->liar.reset();
  EXPECT_EQ(world_->steled->Stop(), 0);
  delete std::exchange(world_, nullptr);
}

void ServedLogTest::SetUp() {
  lies().Clear();
  connection_ =
      std::make_unique<Connection>(To(world_->liar->address(), std::chrono::milliseconds(20000)));
  absl::StatusOr<Contact> contact = Reach(*connection_);
  ASSERT_TRUE(contact.ok()) << contact.status();
  verifier_ = contact->verifier;
  fetcher_ = std::make_unique<Fetcher>(*connection_, *verifier_);
  std::vector<OutgoingStatement> statements;
  for (int n = 0; n < kRecords; n += 4) statements.push_back(StatementOf(n, n + 4));
  const Answers answers = Publish(statements);
  ASSERT_TRUE(answers.flushed.ok()) << answers.flushed;
}

absl::StatusOr<Contact> ServedLogTest::Reach(const Connection& connection) const {
  TrustOptions trust;
  trust.state_dir = state_.path();
  trust.policy = *ParseTrustPolicy(testing::ReadFile(world_->steled->data() / "policy"));
  return MakeContact(connection, trust);
}

OutgoingStatement ServedLogTest::StatementOf(int from, int to) const {
  std::vector<tools::PublicationPtr> publications;
  for (int n = from; n < to; ++n) publications.push_back(TestPublication(n));
  return *tools::SignPublication(publications, "test.example/log", *world_->publisher);
}

ServedLogTest::Answers ServedLogTest::Publish(
    const std::vector<OutgoingStatement>& statements) const {
  Answers answers;
  answers.by_tag.resize(statements.size());
  {
    Publisher publisher(*connection_, *verifier_, {},
                        [&](uint64_t tag, absl::StatusOr<Published> result) {
                          EXPECT_FALSE(answers.by_tag[tag].has_value()) << "decided twice: " << tag;
                          answers.by_tag[tag] = std::move(result);
                        });
    for (size_t i = 0; i < statements.size(); ++i) {
      if (absl::Status sent = publisher.Send(i, statements[i]); !sent.ok()) answers.flushed = sent;
    }
    if (answers.flushed.ok()) answers.flushed = publisher.Flush();
  }
  return answers;
}

int ServedLogTest::Fresh(int count) const {
  const int first = world_->next_record;
  world_->next_record += count;
  return first;
}

}  // namespace stele::client
