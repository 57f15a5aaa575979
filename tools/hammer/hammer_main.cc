// stele-hammer: load for a server, measured from outside, every answer verified.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>

#include "client/pins.h"
#include "core/base/status_macros.h"
#include "tools/command/exit_code.h"
#include "tools/command/key_file.h"
#include "tools/command/output.h"
#include "tools/hammer/ask.h"
#include "tools/hammer/run.h"

namespace {

using stele::tools::RunResult;

struct Flags {
  stele::tools::RunOptions run;
  stele::tools::LoadOptions load;
  std::string signer, state, digests, digests_out;
  std::string ask, kind, name;
  size_t count = 1000;
  int timeout_s = 60;
  bool json = false;
};

absl::StatusOr<stele::client::Contact> Contact(const Flags& flags,
                                               const stele::client::Connection& connection) {
  stele::client::TrustOptions trust;
  trust.state_dir = flags.state;
  trust.keep_checkpoints = false;  // it measures the server, not the disk of this side
  if (flags.state.empty()) {
    STELE_ASSIGN_OR_RETURN(trust.state_dir, stele::client::DefaultStateDir());
  }
  trust.notify = [](std::string_view sentence) {
    std::cerr << "stele-hammer: " << sentence << "\n";
  };
  return stele::client::MakeContact(connection, trust);
}

absl::Status WriteDigests(const std::string& path, const std::vector<stele::Digest>& digests) {
  std::ofstream out(path);
  for (const stele::Digest& digest : digests) out << digest.ToText() << "\n";
  if (!out.flush()) return stele::tools::UsageError("cannot write " + path);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<stele::Digest>> ReadDigests(const std::string& path) {
  std::ifstream in(path);
  std::vector<stele::Digest> digests;
  for (std::string line; std::getline(in, line);) {
    auto digest = stele::Digest::FromText(line);
    if (!digest) {
      return stele::tools::UsageError(path + ":" + std::to_string(digests.size() + 1) +
                                      ": expected sha256: and 64 hex digits");
    }
    digests.push_back(*digest);
  }
  if (digests.empty()) return stele::tools::UsageError(path + " has no digests, or cannot be read");
  return digests;
}

absl::StatusOr<RunResult> Publish(Flags& flags) {
  STELE_ASSIGN_OR_RETURN(stele::PrivateKey key, stele::tools::ReadPrivateKey(flags.signer));
  stele::client::Connection connection(flags.run.connect);
  STELE_ASSIGN_OR_RETURN(stele::client::Contact contact, Contact(flags, connection));
  flags.load.origin = contact.verifier->origin();
  flags.load.statements = flags.count;
  STELE_ASSIGN_OR_RETURN(stele::tools::Load load, stele::tools::MakeLoad(flags.load, key));
  if (!flags.digests_out.empty()) {
    STELE_RETURN_IF_ERROR(WriteDigests(flags.digests_out, load.records));
  }
  return stele::tools::RunPublish(flags.run, *contact.verifier, std::move(load));
}

absl::StatusOr<RunResult> Fetch(Flags& flags) {
  std::vector<stele::Digest> digests;
  if (!flags.digests.empty()) {
    STELE_ASSIGN_OR_RETURN(digests, ReadDigests(flags.digests));
  } else {
    stele::client::Connection connection(flags.run.connect);
    STELE_ASSIGN_OR_RETURN(stele::client::Contact contact, Contact(flags, connection));
    STELE_ASSIGN_OR_RETURN(digests, stele::tools::NewestRecords(connection, contact, 4096));
  }
  return stele::tools::RunFetch(flags.run, digests, flags.count);
}

absl::StatusOr<RunResult> Ask(const Flags& flags) {
  stele::tools::Asking asking{.question = *stele::tools::ParseQuestion(flags.ask)};
  if (!flags.kind.empty()) asking.filter.kind = flags.kind;
  asking.filter.name = flags.name;
  if (asking.question != stele::tools::Question::kList) {
    if (flags.digests.empty()) {
      return stele::tools::UsageError("--ask " + flags.ask + " needs --digests");
    }
    STELE_ASSIGN_OR_RETURN(asking.digests, ReadDigests(flags.digests));
  }
  return stele::tools::RunAsk(flags.run, asking, flags.count);
}

void Show(const Flags& flags, bool publish, const RunResult& result) {
  const auto& tally = result.tally;
  const double rate = result.seconds > 0 ? static_cast<double>(tally.done()) / result.seconds : 0;
  const double records = rate * static_cast<double>(flags.load.subjects);
  std::ostringstream out;
  out.setf(std::ios::fixed);
  out.precision(1);
  if (flags.json) {
    out << "{\"failures\":" << tally.failed() << ",\"p50_us\":" << tally.QuantileUs(0.50)
        << ",\"p95_us\":" << tally.QuantileUs(0.95) << ",\"p99_us\":" << tally.QuantileUs(0.99)
        << ",\"seconds\":" << result.seconds;
    if (publish) {
      out << ",\"records\":" << tally.done() * flags.load.subjects
          << ",\"records_per_second\":" << records << ",\"statements\":" << tally.done()
          << ",\"statements_per_second\":" << rate << "}";
    } else {
      const char* what = flags.ask.empty() ? "fetches" : "answers";
      out << ",\"" << what << "\":" << tally.done() << ",\"" << what << "_per_second\":" << rate
          << "}";
    }
  } else {
    out << (publish             ? "statements "
            : flags.ask.empty() ? "fetches "
                                : "answers ")
        << tally.done() << " in " << result.seconds << " s: " << rate << " a second";
    if (publish) out << ", " << records << " records a second";
    out << "\nlatency p50 " << tally.QuantileUs(0.50) << " us, p95 " << tally.QuantileUs(0.95)
        << " us, p99 " << tally.QuantileUs(0.99) << " us; failures " << tally.failed();
  }
  std::cout << out.str() << std::endl;
  for (const auto& [message, count] : tally.failures()) {
    std::cerr << "stele-hammer: " << count << " × " << message << "\n";
  }
}

void AddCommon(CLI::App& app, Flags& flags) {
  app.add_option("--server", flags.run.connect.address, "host:port of steled's gRPC")
      ->envname("STELE_SERVER")
      ->capture_default_str();
  app.add_option("--streams", flags.run.streams, "connections at once")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--count", flags.count, "statements, fetches or questions in all")
      ->check(CLI::Range(size_t{1}, size_t{10'000'000}))
      ->capture_default_str();
  app.add_option("--timeout", flags.timeout_s, "seconds without an answer before giving up")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  app.add_option("--state", flags.state, "folder of the pins");
  app.add_flag("--json", flags.json, "one JSON document on stdout");
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags;
  flags.run.connect.address = "127.0.0.1:7420";
  CLI::App app(
      "Load for a Stele server: made and signed before the clock starts, every answer verified.\n"
      "Exit code 1 if anything failed.");
  app.set_version_flag("--version", STELE_VERSION);
  app.require_subcommand(1);
  CLI::App* publish = app.add_subcommand("publish", "publish new records");
  AddCommon(*publish, flags);
  publish->add_option("--subjects", flags.load.subjects, "records of a statement")
      ->capture_default_str();
  publish->add_option("--bytes", flags.load.bytes, "bytes of a manifest")->capture_default_str();
  publish->add_option("--window", flags.run.window, "unanswered statements of a stream")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  publish->add_option("--signer", flags.signer, "the publisher's key file")->required();
  publish->add_option("--digests-out", flags.digests_out, "write the new records' digests here");
  CLI::App* fetch = app.add_subcommand("fetch", "fetch records by digest");
  AddCommon(*fetch, flags);
  fetch->add_option("--digests", flags.digests,
                    "file with a digest a line; without it the newest records of the log");
  CLI::App* query = app.add_subcommand("query", "ask for first pages of what the index knows");
  AddCommon(*query, flags);
  query
      ->add_option("--ask", flags.ask,
                   "what: get (a fetch, to compare), list, references, history or cohort")
      ->check(CLI::IsMember({"get", "list", "references", "history", "cohort"}))
      ->required();
  query->add_option("--digests", flags.digests, "file with a digest a line; list needs none");
  query->add_option("--kind", flags.kind, "list: of this kind alone");
  query->add_option("--name", flags.name, "list: with these words in name and title");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : stele::tools::kExitUsage;
  }
  flags.run.connect.timeout = std::chrono::seconds(flags.timeout_s);
  const bool publishing = publish->parsed();
  absl::StatusOr<RunResult> result = publishing        ? Publish(flags)
                                     : query->parsed() ? Ask(flags)
                                                       : Fetch(flags);
  if (!result.ok()) return stele::tools::Fail(result.status());
  Show(flags, publishing, *result);
  return result->tally.failed() == 0 ? stele::tools::kExitDone : stele::tools::kExitFailed;
}
