// A source of evidence whose answers are written down by a test.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/crypto/sha256.h"
#include "core/kernelindex/evidence_source.h"

namespace stele::testing {

// Everything is named by a word. The runs "r", "x" and "y" agree in everything; "publisher"
// published them, "author" their implementation.
class World : public kernelindex::EvidenceSource {
 public:
  World() {
    AddRun("r");
    AddRun("x");
    AddRun("y");
    kernelindex::RecordFacts& implementation = facts["impl"];
    implementation = {.published = true, .counts = true, .profile = kernelindex::Profile{}};
    published = {{"publisher", "r"}, {"publisher", "x"}, {"publisher", "y"}, {"author", "impl"}};
  }
  void AddRun(const std::string& name) {
    kernelindex::BenchmarkRun run;
    run.implementation = Sha256("impl");
    run.workload = Sha256("workload");
    run.protocol = Sha256("protocol");
    facts[name] = {.published = true, .counts = true, .profile = kernelindex::Profile{}};
    facts[name].profile->run = run;
  }
  kernelindex::BenchmarkRun& RunOf(const std::string& name) { return *facts[name].profile->run; }
  kernelindex::LoggedVerification& Verify(const std::string& record, const std::string& key,
                                          const std::string& rerun, bool passed = true) {
    all.push_back({EntryIndex(all.size() + 10), Sha256(record), Sha256(key), passed, Sha256(rerun),
                   /*by_runner=*/true, /*disputed=*/false});
    return all.back();
  }

  absl::StatusOr<kernelindex::RecordFacts> FactsOf(const Digest& record) const override {
    if (Fails()) return Failure();
    for (const auto& [name, known] : facts) {
      if (Sha256(name) == record) return known;
    }
    return kernelindex::RecordFacts();
  }
  absl::StatusOr<bool> HasPublished(const KeyId& key, const Digest& record) const override {
    if (Fails()) return Failure();
    for (const auto& [signer, name] : published) {
      if (Sha256(signer) == key && Sha256(name) == record) return true;
    }
    return false;
  }
  absl::StatusOr<std::vector<kernelindex::LoggedVerification>> VerificationsAbout(
      const Digest& record) const override {
    if (Fails()) return Failure();
    std::vector<kernelindex::LoggedVerification> found = all;
    std::erase_if(found,
                  [&](const kernelindex::LoggedVerification& v) { return v.record != record; });
    return found;
  }
  absl::StatusOr<std::vector<kernelindex::LoggedVerification>> VerificationsCiting(
      const Digest& rerun) const override {
    if (Fails()) return Failure();
    std::vector<kernelindex::LoggedVerification> found = all;
    std::erase_if(found,
                  [&](const kernelindex::LoggedVerification& v) { return v.rerun != rerun; });
    return found;
  }

  std::map<std::string, kernelindex::RecordFacts> facts;
  std::set<std::pair<std::string, std::string>> published;
  std::vector<kernelindex::LoggedVerification> all;
  // The how-manieth question fails; 0: none.
  int fail_at = 0;
  mutable int asked = 0;

 private:
  bool Fails() const { return ++asked == fail_at; }
  static absl::Status Failure() { return absl::DataLossError("torn"); }
};

}  // namespace stele::testing
