#include <optional>

#include "core/base/concat.h"
#include "disk/v1/frames.capnp.h"
#include "store/codec/message.h"
#include "store/codec/rows.h"

namespace stele::store {
namespace {

using Disk = disk::v1::KeyEvent;

Disk::Kind ToDisk(KeyEvent::Kind kind) {
  switch (kind) {
    case KeyEvent::Kind::kGenesisOperator:
      return Disk::Kind::GENESIS_OPERATOR;
    case KeyEvent::Kind::kGenesisRecovery:
      return Disk::Kind::GENESIS_RECOVERY;
    case KeyEvent::Kind::kGrant:
      return Disk::Kind::GRANT;
    case KeyEvent::Kind::kRevoke:
      return Disk::Kind::REVOKE;
    case KeyEvent::Kind::kIntroduction:
      return Disk::Kind::INTRODUCTION;
  }
  return Disk::Kind::GRANT;
}

// False if a newer writer's value stands there.
bool FromDisk(Disk::Kind in, KeyEvent::Kind& out) {
  switch (in) {
    case Disk::Kind::GENESIS_OPERATOR:
      out = KeyEvent::Kind::kGenesisOperator;
      return true;
    case Disk::Kind::GENESIS_RECOVERY:
      out = KeyEvent::Kind::kGenesisRecovery;
      return true;
    case Disk::Kind::GRANT:
      out = KeyEvent::Kind::kGrant;
      return true;
    case Disk::Kind::REVOKE:
      out = KeyEvent::Kind::kRevoke;
      return true;
    case Disk::Kind::INTRODUCTION:
      out = KeyEvent::Kind::kIntroduction;
      return true;
  }
  return false;
}

Disk::Role ToDisk(const std::optional<Role>& role) {
  if (!role) return Disk::Role::NONE;
  switch (*role) {
    case Role::kOperator:
      return Disk::Role::OPERATOR;
    case Role::kRunner:
      return Disk::Role::RUNNER;
    case Role::kPublisher:
      return Disk::Role::PUBLISHER;
    case Role::kAttester:
      return Disk::Role::ATTESTER;
    case Role::kGuest:
      return Disk::Role::GUEST;
    case Role::kRecovery:
      return Disk::Role::RECOVERY;
  }
  return Disk::Role::NONE;
}

bool FromDisk(Disk::Role in, std::optional<Role>& out) {
  switch (in) {
    case Disk::Role::NONE:
      out = std::nullopt;
      return true;
    case Disk::Role::OPERATOR:
      out = Role::kOperator;
      return true;
    case Disk::Role::RUNNER:
      out = Role::kRunner;
      return true;
    case Disk::Role::PUBLISHER:
      out = Role::kPublisher;
      return true;
    case Disk::Role::ATTESTER:
      out = Role::kAttester;
      return true;
    case Disk::Role::GUEST:
      out = Role::kGuest;
      return true;
    case Disk::Role::RECOVERY:
      out = Role::kRecovery;
      return true;
  }
  return false;
}

std::optional<KeyEvent> FromMessage(Disk::Reader in) {
  KeyEvent event;
  if (!FromDisk(in.getKind(), event.kind) || !FromDisk(in.getRole(), event.role) ||
      !ReadDigest(in.getSubject(), event.subject) || !ReadDigest(in.getSigner(), event.signer) ||
      in.getCompromisedSince() < -1) {
    return std::nullopt;
  }
  event.index = EntryIndex(in.getIndex());
  event.authority = EventIndex(in.getAuthority());
  event.spki = View(in.getSpki());
  event.name = ToString(in.getName());
  event.reason = ToString(in.getReason());
  if (in.getCompromisedSince() >= 0) {
    event.compromised_since = EntryIndex(static_cast<uint64_t>(in.getCompromisedSince()));
  }
  return event;
}

}  // namespace

std::string EncodeKeyEvent(const KeyEvent& event, uint32_t ordinal) {
  const size_t bytes =
      event.spki.size() + event.name.size() + event.reason.size() + 2 * Digest::kBytes;
  return WriteFrame<Disk>(RowType::kKeyEvent, bytes, [&](Disk::Builder out) {
    out.setIndex(event.index.value());
    out.setOrdinal(ordinal);
    out.setKind(ToDisk(event.kind));
    out.setSubject(ToData(event.subject));
    out.setSigner(ToData(event.signer));
    out.setAuthority(event.authority.value());
    out.setRole(ToDisk(event.role));
    out.setSpki(ToData(event.spki));
    out.setName(ToText(event.name));
    out.setReason(ToText(event.reason));
    out.setCompromisedSince(
        event.compromised_since ? static_cast<int64_t>(event.compromised_since->value()) : -1);
  });
}

absl::StatusOr<KeyEvent> DecodeKeyEvent(std::string_view frame, EntryIndex index,
                                        uint32_t ordinal) {
  auto row = [&] { return Concat("key event ", ordinal, " of index ", index.value()); };
  return ReadFrame<Disk, KeyEvent>(RowType::kKeyEvent, frame, row, [&](Disk::Reader in) {
    std::optional<KeyEvent> event;
    if (in.getIndex() == index.value() && in.getOrdinal() == ordinal) event = FromMessage(in);
    return event;
  });
}

}  // namespace stele::store
