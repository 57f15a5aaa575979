#include "tools/push/pusher.h"

#include "client/backoff.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "tools/push/refusal_kind.h"

namespace stele::tools {
namespace {

client::PublisherOptions WithNotice(const PushOptions& options) {
  client::PublisherOptions publisher;
  publisher.on_trouble = [notice = options.on_notice](const absl::Status& status,
                                                      size_t unanswered) {
    if (!notice) return;
    notice(Concat("connection lost with ", unanswered,
                  " statements unanswered, trying again: ", std::string(status.message())));
  };
  publisher.keep_receipts = static_cast<bool>(options.on_published);
  return publisher;
}

}  // namespace

Pusher::Pusher(const client::Connection& connection, client::CheckpointVerifier& verifier,
               const PrivateKey& signer, Ledger& ledger, const PushOptions& options)
    : connection_(connection),
      verifier_(verifier),
      fetcher_(connection, verifier),
      signer_(signer),
      ledger_(ledger),
      options_(options),
      batch_(options.batch),
      publisher_(connection, verifier, WithNotice(options),
                 [this](uint64_t tag, absl::StatusOr<client::Published> result) {
                   MutexLock lock(mutex_);
                   answers_.push_back({tag, std::move(result)});
                 }) {}

absl::Status Pusher::Take(Document document) {
  if (!document.manifests.ok() && options_.on_refused) {
    const absl::Status& why = document.manifests.status();
    options_.on_refused(Concat(document.place(), ": ", std::string(why.message()), " [",
                               ReasonOf(why), " at \"", PointerOf(why), "\"]"));
  }
  for (PublicationPtr& publication : ledger_.Enter(std::move(document))) {
    look_ahead_bytes_ += publication->canonical.size();
    look_ahead_.push_back(std::move(publication));
  }
  if (options_.on_progress) options_.on_progress();
  if (look_ahead_.size() < kLookAhead && look_ahead_bytes_ < kLookAheadBytes) {
    return absl::OkStatus();
  }
  return SendLookAhead();
}

// Leaves out what is in the log already; the rest gathers into statements.
absl::Status Pusher::SendLookAhead() {
  std::vector<client::PublicationKey> keys;
  for (const PublicationPtr& publication : look_ahead_) {
    keys.push_back({publication->record, publication->manifest, signer_.public_key().id()});
  }
  std::vector<std::optional<EntryIndex>> there;
  const auto check = [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(there, fetcher_.CheckPublications(signer_.public_key(), keys));
    return absl::OkStatus();
  };
  const auto notify = [&](const absl::Status& status) {
    if (options_.on_notice)
      options_.on_notice(Concat(std::string(status.message()), "; trying again"));
  };
  STELE_RETURN_IF_ERROR(client::RetryWhileUnavailable(connection_.timeout(), check, notify));
  std::vector<PublicationPtr> publications = std::exchange(look_ahead_, {});
  look_ahead_bytes_ = 0;
  for (size_t i = 0; i < publications.size(); ++i) {
    if (there[i]) {
      ledger_.Decide(publications[i], Outcome::kAlreadyThere);
      continue;
    }
    STELE_RETURN_IF_ERROR(Gather(std::move(publications[i])));
  }
  return TakeAnswers();
}

// Statements are decided in any order, but the last manifest of a record in the input shall be its
// latest in the log: it waits until what came before it is decided.
absl::Status Pusher::Gather(PublicationPtr publication) {
  if (!batch_.Fits(*publication)) STELE_RETURN_IF_ERROR(SendBatch());
  while (records_in_flight_.contains(publication->record)) {
    STELE_RETURN_IF_ERROR(WaitForAnswers());
  }
  batch_.Add(std::move(publication));
  return absl::OkStatus();
}

absl::Status Pusher::WaitForAnswers() {
  const absl::Status flushed = publisher_.Flush();
  STELE_RETURN_IF_ERROR(TakeAnswers());
  return flushed;
}

absl::Status Pusher::SendBatch() {
  STELE_RETURN_IF_ERROR(Send(batch_.Take()));
  return TakeAnswers();
}

absl::Status Pusher::Send(std::vector<PublicationPtr> publications) {
  if (publications.empty()) return absl::OkStatus();
  STELE_ASSIGN_OR_RETURN(client::OutgoingStatement statement,
                         SignPublication(publications, verifier_.origin(), signer_));
  for (const PublicationPtr& publication : publications) {
    records_in_flight_.insert(publication->record);
  }
  const uint64_t tag = next_tag_++;
  in_flight_[tag] = std::move(publications);
  return publisher_.Send(tag, std::move(statement));
}

absl::Status Pusher::Resend() {
  for (std::vector<PublicationPtr>& publications : std::exchange(resend_, {})) {
    STELE_RETURN_IF_ERROR(Send(std::move(publications)));
  }
  return absl::OkStatus();
}

absl::Status Pusher::TakeAnswers() {
  std::vector<Answer> answers;
  {
    MutexLock lock(mutex_);
    answers.swap(answers_);
  }
  absl::Status first;
  for (Answer& answer : answers) {
    const absl::Status status = TakeAnswer(std::move(answer));
    if (first.ok()) first = status;
  }
  if (!answers.empty() && options_.on_progress) options_.on_progress();
  return first.ok() ? Resend() : first;
}

absl::Status Pusher::TakeAnswer(Answer answer) {
  const auto found = in_flight_.find(answer.tag);
  std::vector<PublicationPtr> publications = std::move(found->second);
  in_flight_.erase(found);
  for (const PublicationPtr& publication : publications) {
    records_in_flight_.erase(publication->record);
  }
  if (!answer.result.ok()) return TakeRefusal(std::move(publications), answer.result.status());
  if (options_.on_published) options_.on_published(*answer.result);
  const bool ours = !answer.result->replayed || answer.result->resent;
  for (const PublicationPtr& publication : publications) {
    ledger_.Decide(publication, ours ? Outcome::kPushed : Outcome::kAlreadyThere);
  }
  return absl::OkStatus();
}

void Pusher::Refuse(const PublicationPtr& publication, const absl::Status& why) {
  if (options_.on_refused) {
    const std::string place = publication->rows.front()->document.place();
    const std::string word = ReasonOf(why);
    options_.on_refused(Concat(place, ": the server refused ", publication->title, " ",
                               publication->record.ToText(), ": ", std::string(why.message()),
                               word.empty() ? "" : " [", word, word.empty() ? "" : "]"));
  }
  ledger_.Decide(publication, Outcome::kRefused);
}

// One subject refused: the others are signed anew. The whole statement refused: all of it.
absl::Status Pusher::TakeRefusal(std::vector<PublicationPtr> publications,
                                 const absl::Status& why) {
  if (IsUndecided(why)) return why;
  const bool signer = IsAboutTheSigner(why);
  const std::optional<size_t> subject = RefusedSubject(PointerOf(why), publications.size());
  if (!signer && subject) {
    Refuse(publications[*subject], why);
    publications.erase(publications.begin() + static_cast<ptrdiff_t>(*subject));
    resend_.push_back(std::move(publications));
    return absl::OkStatus();
  }
  for (const PublicationPtr& publication : publications) {
    if (!signer) {
      Refuse(publication, why);
    } else {
      ledger_.Decide(publication, Outcome::kRefused);
    }
  }
  return signer ? why : absl::OkStatus();
}

absl::Status Pusher::Finish() {
  if (!look_ahead_.empty()) STELE_RETURN_IF_ERROR(SendLookAhead());
  STELE_RETURN_IF_ERROR(SendBatch());
  // What the server refuses in part is sent again, and may be refused in part again.
  while (!in_flight_.empty()) STELE_RETURN_IF_ERROR(WaitForAnswers());
  return absl::OkStatus();
}

}  // namespace stele::tools
