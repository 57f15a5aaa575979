#include "tools/command/log_proofs.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "client/backoff.h"
#include "client/proofs.h"
#include "core/base/base64.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/base/time_text.h"
#include "core/tlog/tlog_proof.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"
#include "tools/command/session.h"
#include "tools/io/file.h"

namespace stele::tools {
namespace {

struct ProofFlags {
  uint64_t index = 0;
  uint64_t size = 0;  // 0: the newest tree
  uint64_t from = 0;
  uint64_t count = 0;  // 0: without end
  bool raw = false;
  std::string leaf;  // where the leaf goes; empty: nowhere
};

constexpr mode_t kFileMode = 0644;

client::Proofs ProofsOf(const Session& session) {
  return client::Proofs(*session.connection, *session.verifier);
}

json::Value JsonHashes(const Proof& proof) {
  json::Array hashes;
  for (const Hash& hash : proof) hashes.push_back(JsonText(Base64Encode(hash.bytes())));
  return json::Value(std::move(hashes));
}

std::string HashLines(const Proof& proof) {
  std::string lines;
  for (const Hash& hash : proof) lines += Concat("        ", Base64Encode(hash.bytes()), "\n");
  return lines;
}

// What every proof ends with: the tree, and the signed one that begins with it.
std::string TreeText(const client::VerifiedTree& tree) {
  std::string text =
      Concat("size    ", tree.size.value(), "\nroot    ", tree.root.ToText(), "\nhead    ",
             tree.head.size.value(), "  ", tree.head.root.ToText(), "\n");
  if (tree.to_head.empty()) return text;
  return Concat(text, "to head ", tree.to_head.size(), " hashes\n", HashLines(tree.to_head));
}

std::vector<json::Member> TreeMembers(const client::VerifiedTree& tree) {
  return {{"size", JsonNumber(tree.size.value())},
          {"root", JsonText(tree.root.ToText())},
          {"toHead", JsonHashes(tree.to_head)},
          {"checkpoint", JsonText(tree.note)}};
}

// As a file that `stele verify` and others read; beside it the leaf that it is of.
absl::Status WriteTlogProof(const ProofFlags& proof, const CommonFlags& flags) {
  if (flags.json) return UsageError("--raw is a text of its own: it does not go with --json");
  if (proof.size != 0) {
    return UsageError(
        "a tlog-proof is in the tree of a signed checkpoint: --size does not go "
        "with --raw and --leaf");
  }
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  const EntryIndex index(proof.index);
  std::string leaf;
  Proof hashes;
  STELE_ASSIGN_OR_RETURN(
      const client::VerifiedTree tree,
      ProofsOf(session).GetEntries({&index, 1}, {}, [&](client::EntryWithProof entry) {
        leaf = std::move(entry.leaf);
        hashes = std::move(entry.proof);
        return absl::OkStatus();
      }));
  if (!proof.leaf.empty()) STELE_RETURN_IF_ERROR(WriteNewFile(proof.leaf, leaf, kFileMode));
  return WriteOut(FormatTlogProof(
      {.extra = {}, .index = index, .hashes = std::move(hashes), .checkpoint = tree.note}));
}

absl::Status ShowProof(const ProofFlags& proof, const CommonFlags& flags) {
  if (proof.raw) return WriteTlogProof(proof, flags);
  if (!proof.leaf.empty()) return UsageError("--leaf goes with --raw");
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(
      const client::InclusionAnswer answer,
      ProofsOf(session).GetInclusion(EntryIndex(proof.index), TreeSize(proof.size)));
  if (!flags.json) {
    return WriteOut(Concat("index   ", answer.index.value(), "\nleaf    ",
                           answer.leaf_hash.ToText(), "\nproof   ", answer.proof.size(),
                           " hashes\n", HashLines(answer.proof), TreeText(answer.tree)));
  }
  std::vector<json::Member> members = TreeMembers(answer.tree);
  members.emplace_back("index", JsonNumber(answer.index.value()));
  members.emplace_back("leafHash", JsonText(answer.leaf_hash.ToText()));
  members.emplace_back("proof", JsonHashes(answer.proof));
  return WriteJson(JsonObject(std::move(members)));
}

absl::Status ShowConsistency(const ProofFlags& proof, const CommonFlags& flags) {
  if (proof.from == 0) {
    return UsageError("there is no consistency proof from size 0: every tree begins with nothing");
  }
  if (proof.size != 0 && proof.from > proof.size) {
    return UsageError("a tree does not begin with a larger one: the smaller size comes first");
  }
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(
      const client::ConsistencyAnswer answer,
      ProofsOf(session).GetConsistency(TreeSize(proof.from), TreeSize(proof.size)));
  if (!flags.json) {
    return WriteOut(Concat("from    ", answer.from_size.value(), "  ", answer.from_root.ToText(),
                           "\nproof   ", answer.proof.size(), " hashes\n", HashLines(answer.proof),
                           TreeText(answer.tree)));
  }
  std::vector<json::Member> members = TreeMembers(answer.tree);
  members.emplace_back("fromSize", JsonNumber(answer.from_size.value()));
  members.emplace_back("fromRoot", JsonText(answer.from_root.ToText()));
  members.emplace_back("proof", JsonHashes(answer.proof));
  return WriteJson(JsonObject(std::move(members)));
}

absl::Status ShowHead(const client::WatchedHead& head, bool json) {
  const std::string logged = FormatTime(head.last_logged);
  const std::string root = head.checkpoint.root.ToText();
  if (!json) return WriteLine(Concat(head.checkpoint.size.value(), "  ", logged, "  ", root));
  return WriteJson(JsonObject({{"size", JsonNumber(head.checkpoint.size.value())},
                               {"root", JsonText(root)},
                               {"logged", JsonText(logged)},
                               {"checkpoint", JsonText(head.note)}}));
}

// A server that stops or is lost is asked again, for what is newer than the last head shown: it has
// to prove that it begins with that one. Gives up when it could not be reached for --timeout.
absl::Status Watch(const ProofFlags& proof, const CommonFlags& flags) {
  using SteadyClock = std::chrono::steady_clock;
  constexpr auto kConnected = std::chrono::seconds(5);  // longer than a try that fails
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  std::optional<Checkpoint> known;
  uint64_t shown = 0;
  const auto visit = [&](const client::WatchedHead& head) -> absl::Status {
    STELE_RETURN_IF_ERROR(ShowHead(head, flags.json));
    known = head.checkpoint;
    return ++shown == proof.count ? absl::CancelledError("enough") : absl::OkStatus();
  };
  client::Backoff backoff;
  SteadyClock::time_point give_up = SteadyClock::now() + flags.timeout;
  for (;;) {
    const uint64_t before = shown;
    const SteadyClock::time_point begin = SteadyClock::now();
    const absl::Status ended = ProofsOf(session).Watch(known, visit);
    if (proof.count != 0 && shown == proof.count) return absl::OkStatus();
    if (!absl::IsUnavailable(ended)) return ended;
    const SteadyClock::time_point now = SteadyClock::now();
    if (shown > before || now - begin > kConnected) {
      backoff.Reset();
      give_up = now + flags.timeout;
    }
    if (now >= give_up) return ended;
    std::this_thread::sleep_for(backoff.Next());
  }
}

void AddProof(CLI::App& log, const CommonFlags& flags, int& exit_code) {
  auto proof = std::make_shared<ProofFlags>();
  CLI::App* command = log.add_subcommand(
      "proof", "That an entry is in the log: its inclusion proof, verified up to the signed head.");
  command->add_option("INDEX", proof->index, "Index of the entry")
      ->check(CLI::NonNegativeNumber)
      ->required();
  command->add_option("--size", proof->size, "In the tree of so many entries; 0 is the newest")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_flag("--raw", proof->raw,
                    "A tlog-proof (C2SP): the proof and the signed head as one file");
  command->add_option("--leaf", proof->leaf, "With --raw: a new file for the leaf that it is of");
  command->footer(
      "Examples:\n"
      "  stele log proof 4711\n"
      "  stele log proof 4711 --size 5000 --json\n"
      "  stele log proof 4711 --raw --leaf 4711.leaf > 4711.tlog-proof\n"
      "  stele verify 4711.tlog-proof --leaf 4711.leaf --policy policy");
  command->callback([proof, &flags, &exit_code] { exit_code = Fail(ShowProof(*proof, flags)); });
}

void AddConsistency(CLI::App& log, const CommonFlags& flags, int& exit_code) {
  auto proof = std::make_shared<ProofFlags>();
  CLI::App* command = log.add_subcommand(
      "consistency",
      "That the log only grew: its tree of B entries begins with that of A entries,\n"
      "verified up to the signed head.");
  command->add_option("A", proof->from, "The smaller size, at least 1")
      ->check(CLI::NonNegativeNumber)
      ->required();
  command->add_option("B", proof->size, "The larger size; by default the newest")
      ->check(CLI::NonNegativeNumber);
  command->footer(
      "Examples:\n"
      "  stele log consistency 1000 5000\n"
      "  stele log consistency 1000 --json");
  command->callback(
      [proof, &flags, &exit_code] { exit_code = Fail(ShowConsistency(*proof, flags)); });
}

void AddWatch(CLI::App& log, const CommonFlags& flags, int& exit_code) {
  auto proof = std::make_shared<ProofFlags>();
  CLI::App* command = log.add_subcommand(
      "watch",
      "The signed head now and each new one, one line each: size, time logged, root.\n"
      "Each is verified and proven to begin with the one before. Until interrupted.");
  command->add_option("--count", proof->count, "End after so many heads; 0 is never")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  stele log watch\n"
      "  stele log watch --json --count 1");
  command->callback([proof, &flags, &exit_code] { exit_code = Fail(Watch(*proof, flags)); });
}

}  // namespace

void AddLogProofCommands(CLI::App& log, const CommonFlags& flags, int& exit_code) {
  AddProof(log, flags, exit_code);
  AddConsistency(log, flags, exit_code);
  AddWatch(log, flags, exit_code);
}

}  // namespace stele::tools
