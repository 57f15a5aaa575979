// Random histories of a few keys against rule 20 written down naively: sets of entries, grown until
// nothing is added, computed anew at every position.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "core/base/refusal.h"
#include "core/statement/key_ring.h"

namespace stele {
namespace {

struct Entry {
  uint64_t index;
  KeyId signer;
  EventIndex authority;
  std::optional<KeyEvent> event;  // of grants and revocations
};

// Disputed entry → the revocation, seen from above the whole history.
std::map<uint64_t, uint64_t> NaiveDisputes(const std::vector<Entry>& history) {
  std::map<uint64_t, uint64_t> disputed;
  for (auto r = history.rbegin(); r != history.rend(); ++r) {
    if (!r->event || !r->event->compromised_since || disputed.contains(r->index)) continue;
    std::set<uint64_t> taken;
    for (const Entry& e : history) {
      if (e.signer == r->event->subject && e.index >= r->event->compromised_since->value() &&
          e.index < r->index && e.index != 0) {
        taken.insert(e.index);
      }
    }
    for (bool grown = true; grown;) {
      grown = false;
      for (const Entry& e : history) {
        if (e.index == 0 || e.index >= r->index || e.authority < EventIndex(1)) continue;
        const auto authority = static_cast<uint64_t>(e.authority.value());
        if (taken.contains(authority)) grown |= taken.insert(e.index).second;
      }
    }
    for (uint64_t index : taken) disputed.try_emplace(index, r->index);
  }
  return disputed;
}

struct Naive {
  std::map<KeyId, EventIndex> latest;
  std::map<KeyId, std::optional<Role>> roles;
};

Naive NaiveRing(const std::vector<Entry>& history, const std::map<uint64_t, uint64_t>& disputed) {
  Naive ring;
  for (const Entry& e : history) {
    if (!e.event || disputed.contains(e.index)) continue;
    ring.latest[e.event->subject] = EventIndex(static_cast<int64_t>(e.index));
    ring.roles[e.event->subject] = e.event->role;
  }
  return ring;
}

class History {
 public:
  explicit History(uint32_t seed) : random_(seed) {
    for (size_t i = 0; i < keys_.size(); ++i) {
      std::string raw(32, static_cast<char>(i + 1));
      keys_[i] = PrivateKey::FromEd25519Seed(raw)->public_key();
    }
    KeyEvent genesis;
    genesis.kind = KeyEvent::Kind::kGenesisOperator;
    genesis.subject = genesis.signer = keys_[0]->id();
    genesis.authority = EventIndex(0);
    genesis.role = Role::kOperator;
    Append(genesis.signer, genesis.authority, genesis);
  }

  // One random act; what the ring refuses is left out. Then everything is compared.
  void Step() {
    const KeyId signer = Random()->id();
    const EventIndex authority = ring_.Latest(signer);
    if (ring_.FindKey(signer) == nullptr) return;
    switch (random_() % 4) {
      case 0:
      case 1:
        return Grant(signer, authority);
      case 2:
        return Revoke(signer, authority);
      default:
        return Append(signer, authority, std::nullopt);
    }
  }

  void Compare() const {
    const auto disputed = NaiveDisputes(history_);
    for (const Entry& e : history_) {
      const auto by = ring_.DisputedBy(EntryIndex(e.index), e.signer, e.authority);
      const auto expected = disputed.find(e.index);
      ASSERT_EQ(by.has_value(), expected != disputed.end()) << e.index;
      if (by) ASSERT_EQ(by->value(), expected->second) << e.index;
    }
    const Naive naive = NaiveRing(history_, disputed);
    for (const auto& key : keys_) {
      const auto latest = naive.latest.find(key->id());
      ASSERT_EQ(ring_.Latest(key->id()), latest == naive.latest.end() ? kNoEvent : latest->second);
      const auto role = naive.roles.find(key->id());
      ASSERT_EQ(ring_.RoleOf(key->id()), role == naive.roles.end() ? std::nullopt : role->second);
    }
    ASSERT_TRUE(HasOperator(naive));
  }
  size_t disputed() const { return NaiveDisputes(history_).size(); }
  bool was_last_operator() const { return was_last_operator_; }

 private:
  static bool HasOperator(const Naive& naive) {
    for (const auto& [key, role] : naive.roles) {
      if (role == Role::kOperator) return true;
    }
    return false;
  }

  const std::optional<PublicKey>& Random() { return keys_[random_() % keys_.size()]; }

  void Grant(const KeyId& signer, EventIndex authority) {
    const PublicKey& key = *Random();
    const Role role = random_() % 3 == 0 ? Role::kPublisher : Role::kOperator;
    const KeyGrant grant{ring_.Latest(key.id()), key, "name", role};
    KeyEvent event;
    event.kind = KeyEvent::Kind::kGrant;
    event.subject = key.id();
    event.role = role;
    event.spki = key.spki();
    Try(ring_.CheckGrant(EntryIndex(history_.size()), signer, grant), signer, authority, event);
  }

  void Revoke(const KeyId& signer, EventIndex authority) {
    KeyEvent event;
    event.kind = KeyEvent::Kind::kRevoke;
    event.subject = Random()->id();
    if (random_() % 4 != 0) {
      event.compromised_since = EntryIndex(random_() % (history_.size() + 1));
    }
    const KeyRevoke revoke{ring_.Latest(event.subject), "r", event.compromised_since};
    Try(ring_.CheckRevoke(EntryIndex(history_.size()), signer, event.subject, revoke), signer,
        authority, event);
  }

  // LAST_OPERATOR exactly if the naive ring would have no operator after the event.
  void Try(const absl::Status& verdict, const KeyId& signer, EventIndex authority, KeyEvent event) {
    const std::string reason = ReasonOf(verdict);
    if (!verdict.ok() && reason != reason::kLastOperator) return;
    std::vector<Entry> after = history_;
    event.index = EntryIndex(history_.size());
    event.signer = signer;
    event.authority = authority;
    after.push_back({history_.size(), signer, authority, event});
    ASSERT_EQ(verdict.ok(), HasOperator(NaiveRing(after, NaiveDisputes(after))));
    was_last_operator_ |= !verdict.ok();
    if (verdict.ok()) Append(signer, authority, event);
  }

  void Append(const KeyId& signer, EventIndex authority, std::optional<KeyEvent> event) {
    if (event) {
      event->index = EntryIndex(history_.size());
      if (event->kind == KeyEvent::Kind::kGenesisOperator) event->spki = keys_[0]->spki();
      ring_.Add(*event);
    }
    history_.push_back({history_.size(), signer, authority, event});
  }

  std::mt19937 random_;
  std::array<std::optional<PublicKey>, 6> keys_;
  std::vector<Entry> history_;
  KeyRing ring_;
  bool was_last_operator_ = false;
};

TEST(KeyRingModel, RandomHistories) {
  size_t disputed = 0, last_operator = 0;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    History history(seed);
    for (int step = 0; step < 60; ++step) {
      history.Step();
      ASSERT_NO_FATAL_FAILURE(history.Compare());
    }
    disputed += history.disputed();
    last_operator += history.was_last_operator();
  }
  // The histories are worth something only if such things happen in them.
  EXPECT_GT(disputed, 500u);
  EXPECT_GT(last_operator, 10u);
}

// A recovery key is outside the order of roles.
TEST(KeyRing, CheckRole) {
  const PublicKey op = PrivateKey::FromEd25519Seed(std::string(32, 'o'))->public_key();
  const PublicKey recovery = PrivateKey::FromEd25519Seed(std::string(32, 'r'))->public_key();
  KeyRing ring;
  KeyEvent event;
  event.kind = KeyEvent::Kind::kGenesisOperator;
  event.subject = op.id();
  event.spki = op.spki();
  ring.Add(event);
  event.kind = KeyEvent::Kind::kGenesisRecovery;
  event.subject = recovery.id();
  event.spki = recovery.spki();
  ring.Add(event);
  for (Role least : {Role::kOperator, Role::kRunner, Role::kPublisher, Role::kAttester}) {
    EXPECT_TRUE(ring.CheckRole(op.id(), least).ok());
    EXPECT_EQ(ReasonOf(ring.CheckRole(recovery.id(), least)), reason::kRole);
    EXPECT_EQ(ReasonOf(ring.CheckRole(KeyId(), least)), reason::kRole);
  }
  EXPECT_EQ(ring.CheckRole(KeyId(), Role::kGuest).code(), absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE(ring.IsRecoveryKey(recovery.id()));
  EXPECT_FALSE(ring.IsRecoveryKey(op.id()));
  // With recovery keys the last operator may go.
  const KeyRevoke revoke{EventIndex(0), "lost", std::nullopt};
  EXPECT_TRUE(ring.CheckRevoke(EntryIndex(1), recovery.id(), op.id(), revoke).ok());
}

}  // namespace
}  // namespace stele
