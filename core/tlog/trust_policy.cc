#include "core/tlog/trust_policy.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/tlog/vkey.h"

namespace stele {
namespace {

constexpr std::string_view kSpace = " \t";
constexpr std::string_view kNone = "none";
constexpr size_t kMlDsa44KeyBytes = 1312;

using Words = std::vector<std::string_view>;

bool AllowedOctet(char c) {
  const auto octet = static_cast<unsigned char>(c);
  return c == '\t' || c == '\n' || (octet >= 0x20 && octet != 0x7f);
}

Words SplitWords(std::string_view line) {
  Words words;
  size_t at = line.find_first_not_of(kSpace);
  while (at != std::string_view::npos) {
    const size_t end = std::min(line.find_first_of(kSpace, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kSpace, end);
  }
  return words;
}

absl::Status Bad(std::string_view message) { return absl::InvalidArgumentError(Concat(message)); }

// One parse; every method reads one line's words, the keyword first.
class Reader {
 public:
  absl::Status ReadLine(std::string_view line) {
    const Words words = SplitWords(line);
    if (words.empty() || words[0].front() == '#') return absl::OkStatus();
    if (words[0] == "log") return ReadLog(words);
    if (words[0] == "witness") return ReadWitness(words);
    if (words[0] == "group") return ReadGroup(words);
    if (words[0] == "quorum") return ReadQuorum(words);
    return Bad(Concat("expected log, witness, group or quorum, not ", words[0]));
  }

  absl::StatusOr<TrustPolicy> Finish() && {
    if (!has_quorum_) return Bad("there is no line `quorum NAME`");
    return std::move(policy_);
  }

 private:
  struct Name {
    TrustPolicy::Member member;
    bool grouped = false;  // stands in a group already
  };

  absl::Status ReadLog(const Words& words) {
    if (words.size() < 2 || words.size() > 3) return Bad("expected log VKEY [URL]");
    absl::StatusOr<NoteVerifier> key = NoteVerifier::FromVkey(words[1]);
    if (!key.ok()) return Bad(std::string(key.status().message()));
    for (const TrustPolicy::Log& log : policy_.logs) {
      if (log.key.key.id() == key->key.id()) return Bad("the key of this log stands above already");
    }
    policy_.logs.push_back({*std::move(key), std::string(words.size() == 3 ? words[2] : "")});
    return absl::OkStatus();
  }

  absl::Status ReadWitness(const Words& words) {
    if (words.size() < 3 || words.size() > 4) return Bad("expected witness NAME VKEY [URL]");
    STELE_ASSIGN_OR_RETURN(std::optional<CosignerVerifier> cosigner, ReadCosigner(words[2]));
    STELE_RETURN_IF_ERROR(
        Define(words[1], {TrustPolicy::Member::Kind::kWitness, policy_.witnesses.size()}));
    policy_.witnesses.push_back({std::string(words[1]), std::string(words[2]), std::move(cosigner),
                                 std::string(words.size() == 4 ? words[3] : "")});
    return absl::OkStatus();
  }

  // Nothing for a kind that is allowed and cannot be verified.
  absl::StatusOr<std::optional<CosignerVerifier>> ReadCosigner(std::string_view text) {
    const absl::StatusOr<Vkey> vkey = ParseVkey(text);
    if (!vkey.ok()) return Bad(std::string(vkey.status().message()));
    std::optional<CosignerVerifier> cosigner;
    if (vkey->type == kCosignatureMlDsa44) {
      if (vkey->key.size() != kMlDsa44KeyBytes) return Bad("an ML-DSA-44 key has 1312 bytes");
    } else {
      absl::StatusOr<CosignerVerifier> ed25519 = CosignerVerifier::FromVkey(text);
      if (!ed25519.ok()) return Bad(std::string(ed25519.status().message()));
      cosigner = *std::move(ed25519);
    }
    const auto same = [&](const std::string& key) { return key == vkey->key; };
    if (std::any_of(witness_keys_.begin(), witness_keys_.end(), same)) {
      return Bad("the key of this witness stands above already");
    }
    witness_keys_.push_back(vkey->key);
    return cosigner;
  }

  absl::Status ReadGroup(const Words& words) {
    if (words.size() < 4) return Bad("expected group NAME all|any|NUMBER MEMBER...");
    TrustPolicy::Group group{std::string(words[1]), 0, {}};
    const size_t members = words.size() - 3;
    STELE_ASSIGN_OR_RETURN(group.threshold, ReadThreshold(words[2], members));
    for (size_t i = 3; i < words.size(); ++i) {
      STELE_ASSIGN_OR_RETURN(Name * name, Find(words[i]));
      if (name->grouped) return Bad(Concat(words[i], " is in a group already"));
      name->grouped = true;
      group.members.push_back(name->member);
    }
    STELE_RETURN_IF_ERROR(
        Define(words[1], {TrustPolicy::Member::Kind::kGroup, policy_.groups.size()}));
    policy_.groups.push_back(std::move(group));
    return absl::OkStatus();
  }

  static absl::StatusOr<size_t> ReadThreshold(std::string_view word, size_t members) {
    if (word == "all") return members;
    if (word == "any") return size_t{1};
    size_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [at, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || at != end || word.front() == '0' || number > members) {
      return Bad(Concat("expected all, any or 1 to ", members, ", not ", word));
    }
    return number;
  }

  absl::Status ReadQuorum(const Words& words) {
    if (words.size() != 2) return Bad("expected quorum NAME");
    if (has_quorum_) return Bad("a second quorum");
    has_quorum_ = true;
    if (words[1] == kNone) return absl::OkStatus();
    STELE_ASSIGN_OR_RETURN(const Name* name, Find(words[1]));
    policy_.quorum = name->member;
    return absl::OkStatus();
  }

  absl::Status Define(std::string_view name, TrustPolicy::Member member) {
    if (name == kNone) return Bad("none is the name of the empty quorum");
    if (!names_.emplace(name, Name{member}).second) {
      return Bad(Concat(name, " is defined above already"));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Name*> Find(std::string_view name) {
    const auto found = names_.find(name);
    if (found == names_.end()) return Bad(Concat(name, " is not defined above"));
    return &found->second;
  }

  TrustPolicy policy_;
  bool has_quorum_ = false;
  std::map<std::string, Name, std::less<>> names_;
  std::vector<std::string> witness_keys_;
};

}  // namespace

std::vector<NoteVerifier> TrustPolicy::LogKeys() const {
  std::vector<NoteVerifier> keys;
  for (const Log& log : logs) keys.push_back(log.key);
  return keys;
}

std::vector<std::string> TrustPolicy::Warnings() const {
  std::vector<std::string> warnings;
  for (const Witness& witness : witnesses) {
    if (witness.cosigner) continue;
    warnings.push_back(Concat("the witness ", witness.name,
                              " has an ML-DSA-44 key, which is not verified here: it counts as "
                              "not having cosigned"));
  }
  return warnings;
}

absl::StatusOr<TrustPolicy> ParseTrustPolicy(std::string_view text) {
  if (text.size() > limits::kTrustPolicyBytes) return Bad("a policy has at most 1 MiB");
  Reader reader;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    absl::Status status = reader.ReadLine(line);
    if (!std::all_of(line.begin(), line.end(), AllowedOctet)) {
      status = Bad("a control character other than tab");
    } else if (end == std::string_view::npos) {
      status = Bad("the last line does not end in a newline");
    }
    if (!status.ok()) return Bad(Concat("line ", number, ": ", std::string(status.message())));
    text.remove_prefix(end + 1);
  }
  return std::move(reader).Finish();
}

TrustPolicy PolicyOfLogKeys(const std::vector<NoteVerifier>& keys) {
  TrustPolicy policy;
  for (const NoteVerifier& key : keys) policy.logs.push_back({key, ""});
  return policy;
}

}  // namespace stele
