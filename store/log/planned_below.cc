#include "store/log/planned_below.h"

#include <algorithm>

namespace stele::store {

void PlannedBelow::Add(const EventPlace& place, const Statement& statement,
                       const std::vector<KeyEvent>& key_events) {
  if (!key_events.empty()) {
    auto grown = std::make_shared<KeyRing>(*ring_);
    for (const KeyEvent& event : key_events) grown->Add(event);
    ring_ = std::move(grown);
  }
  if (LogEvents::Takes(statement.type)) {
    auto grown = std::make_shared<LogEvents>(*events_);
    grown->Add(place, statement);
    events_ = std::move(grown);
  }
}

const SubjectFacts* PlannedBelow::Facts(const Digest& digest) const {
  const auto found = facts_->subjects.find(digest);
  return found == facts_->subjects.end() ? nullptr : &found->second;
}

void PlannedBelow::CatchUp() const {
  for (; publications_ < plan_.publications.size(); ++publications_) {
    const PublicationRow& row = plan_.publications[publications_];
    published_[row.record].push_back({row.index, row.signer, row.authority});
    stored_.insert(row.manifest);
  }
  for (; subjects_ < plan_.subjects.size(); ++subjects_) {
    const SubjectRow& row = plan_.subjects[subjects_];
    if (row.type == StatementType::kPublication) stored_.insert(row.subject);
  }
}

bool PlannedBelow::IsPublished(const Digest& record) const {
  const SubjectFacts* facts = Facts(record);
  if (facts != nullptr && facts->published) return true;
  CatchUp();
  return published_.contains(record);
}

bool PlannedBelow::IsPublishedBy(const Digest& record, const KeyId& signer) const {
  const auto counts = [&](const EventPlace& place) {
    return place.signer == signer && !ring_->DisputedBy(place.index, place.signer, place.authority);
  };
  const SubjectFacts* facts = Facts(record);
  if (facts != nullptr && std::any_of(facts->by_signer.begin(), facts->by_signer.end(), counts)) {
    return true;
  }
  CatchUp();
  const auto found = published_.find(record);
  return found != published_.end() &&
         std::any_of(found->second.begin(), found->second.end(), counts);
}

bool PlannedBelow::IsStored(const Digest& digest) const {
  const SubjectFacts* facts = Facts(digest);
  if (facts != nullptr && facts->stored) return true;
  return IsPublished(digest) || stored_.contains(digest);
}

}  // namespace stele::store
