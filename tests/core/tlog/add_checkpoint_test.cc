#include "core/tlog/add_checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/base64.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "tests/core/merkle/leaf_reader.h"
#include "tests/core/tlog/signers.h"

namespace stele {
namespace {

using testing::LeafReader;
using testing::LogSigner;
using testing::WitnessSigner;

constexpr char kOrigin[] = "log.example/x";

// A log of as many leaves as are asked for, each its number; with a branch, those from `branch` on
// are others.
class Log {
 public:
  explicit Log(uint64_t branch = UINT64_MAX) : signer_(kOrigin) {
    std::vector<Hash> leaves;
    for (uint64_t i = 0; i < 70; ++i) {
      leaves.push_back(LeafHash(Concat(i < branch ? "leaf " : "other leaf ", i)));
    }
    reader_ = LeafReader(leaves);
  }
  Hash RootAt(uint64_t size) const { return *MakeRoot(reader_, TreeSize(size)); }
  Note NoteAt(uint64_t size) const { return signer_.Sign(size, RootAt(size)); }
  AddCheckpoint From(uint64_t from, uint64_t to) const {
    AddCheckpoint request{TreeSize(from), {}, FormatNote(NoteAt(to))};
    if (from > 0) request.proof = *MakeConsistencyProof(reader_, TreeSize(from), TreeSize(to));
    return request;
  }
  const LogSigner& signer() const { return signer_; }

 private:
  LogSigner signer_;
  LeafReader reader_{{}};
};

std::vector<NoteVerifier> Keys(std::string_view origin) {
  if (origin != kOrigin) return {};
  return {LogSigner(kOrigin).verifier};
}

// What a witness would answer that cosigned `last_size` of `log` last.
int Answer(const std::string& body, uint64_t last_size, const Log& log = Log()) {
  const auto opened = OpenAddCheckpoint(body, Keys);
  if (!opened.ok()) return HttpStatusOf(opened.status());
  const Hash root = last_size == 0 ? EmptyRoot() : log.RootAt(last_size);
  return HttpStatusOf(CheckStep(TreeSize(last_size), root, *opened));
}

int Answer(const AddCheckpoint& request, uint64_t last_size) {
  return Answer(FormatAddCheckpoint(request), last_size);
}

TEST(AddCheckpoint, EveryStepOfASmallLog) {
  const Log log;
  for (uint64_t from = 0; from <= 40; ++from) {
    for (uint64_t to = from; to <= 40; ++to) {
      EXPECT_EQ(Answer(log.From(from, to), from), 200) << from << " " << to;
    }
  }
}

TEST(AddCheckpoint, IsReadAsItIsWritten) {
  const Log log;
  const AddCheckpoint request = log.From(20, 33);
  const std::string body = FormatAddCheckpoint(request);
  EXPECT_TRUE(body.starts_with("old 20\n")) << body;
  const auto read = ParseAddCheckpoint(body);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->old_size, TreeSize(20));
  EXPECT_EQ(read->proof, request.proof);
  EXPECT_EQ(read->checkpoint, request.checkpoint);
  EXPECT_EQ(FormatAddCheckpoint(*read), body);
}

struct Line {
  std::string what;  // of the specification
  int status = 0;
  std::string body;
  uint64_t last_size = 0;
};

std::vector<Line> Lines() {
  const Log log, fork(10);
  const std::string hash = Base64Encode(log.RootAt(1).bytes());
  const std::string note = FormatNote(log.NoteAt(30));
  const auto body = [](const AddCheckpoint& request) { return FormatAddCheckpoint(request); };
  const auto with = [&](uint64_t from, uint64_t to, auto change) {
    AddCheckpoint request = log.From(from, to);
    change(request);
    return body(request);
  };
  const auto signed_as = [&](const Note& changed) {
    return body({TreeSize(0), {}, FormatNote(changed)});
  };
  Note unsigned_note = log.NoteAt(30), bad_line = unsigned_note, other = unsigned_note;
  unsigned_note.signatures = LogSigner("log.example/y").Sign(30, log.RootAt(30)).signatures;
  bad_line.signatures[0].signature[5] ^= 1;
  other.signatures.push_back(unsigned_note.signatures[0]);
  Note twice = log.NoteAt(30), one_bad = twice;
  twice.signatures.push_back(twice.signatures[0]);
  one_bad.signatures.push_back(bad_line.signatures[0]);
  std::string many = "old 20\n";
  for (int i = 0; i < 64; ++i) many += hash + "\n";
  return {
      {"a first checkpoint", 200, body(log.From(0, 30)), 0},
      {"one that goes on", 200, body(log.From(20, 30)), 20},
      {"the same again", 200, body(log.From(30, 30)), 30},
      {"an empty log", 200, body(log.From(0, 0)), 0},
      {"signatures of unknown keys are ignored", 200, signed_as(other), 0},
      {"a key may sign twice", 200, signed_as(twice), 0},
      // 404
      {"an unknown origin", 404,
       signed_as(LogSigner("log.example/unknown").Sign(30, log.RootAt(30))), 0},
      // 403
      {"no signature of a trusted key", 403, signed_as(unsigned_note), 0},
      {"a trusted key's line that does not verify", 403, signed_as(bad_line), 0},
      {"one that does not verify beside one that does", 403, signed_as(one_bad), 0},
      // 400
      {"an old size above the checkpoint's", 400, body({TreeSize(31), {}, note}), 31},
      {"nothing", 400, "", 0},
      {"no old size", 400, "\n" + note, 0},
      {"an old size with a leading zero", 400, "old 00\n\n" + note, 0},
      {"an old size with a sign", 400, "old -1\n\n" + note, 0},
      {"an old size with two spaces", 400, "old  1\n\n" + note, 1},
      {"an old size with a space behind it", 400, "old 0 \n\n" + note, 0},
      {"an old size above 2^53-1", 400, "old 9007199254740992\n\n" + note, 0},
      {"an old size without a newline", 400, "old 0", 0},
      {"another word", 400, "new 0\n\n" + note, 0},
      {"a line that is no base64", 400, "old 20\nxyz!\n\n" + note, 20},
      {"a line that is no canonical base64", 400,
       "old 20\n" + hash.substr(0, hash.size() - 1) + "\n\n" + note, 20},
      {"a hash of 31 bytes", 400,
       "old 20\n" + Base64Encode(log.RootAt(1).bytes().substr(1)) + "\n\n" + note, 20},
      {"a carriage return", 400, "old 0\r\n\r\n" + note, 0},
      {"64 proof lines", 400, many + "\n" + note, 20},
      {"no empty line", 400, "old 20\n" + hash + "\n", 20},
      {"no checkpoint", 400, "old 0\n\n", 0},
      {"no note", 400, "old 0\n\nlog.example/x\n", 0},
      {"a note that is no checkpoint", 400,
       signed_as({"log.example/x\nmany\n", log.NoteAt(30).signatures}), 0},
      // 409
      {"an old size below the last one", 409, body(log.From(20, 30)), 25},
      {"an old size above the last one", 409, body(log.From(20, 30)), 10},
      {"a first one of a log that is known", 409, body(log.From(0, 30)), 20},
      {"one that goes on from what was never cosigned", 409, body(log.From(20, 30)), 0},
      {"one below the last one", 409, body(log.From(0, 10)), 20},
      // 422
      {"an empty tree with another root", 422, signed_as(log.signer().Sign(0, log.RootAt(1))), 0},
      {"a proof from size 0", 422,
       with(0, 30, [&](AddCheckpoint& r) { r.proof = {log.RootAt(1)}; }), 0},
      {"no proof", 422, with(20, 30, [](AddCheckpoint& r) { r.proof.clear(); }), 20},
      {"a hash too few", 422, with(20, 30, [](AddCheckpoint& r) { r.proof.pop_back(); }), 20},
      {"a hash too many", 422,
       with(20, 30, [&](AddCheckpoint& r) { r.proof.push_back(log.RootAt(1)); }), 20},
      {"a proof from another size", 422,
       with(20, 30, [&](AddCheckpoint& r) { r.proof = log.From(19, 30).proof; }), 20},
      {"a proof where the sizes are equal", 422,
       with(30, 30, [&](AddCheckpoint& r) { r.proof = {log.RootAt(1)}; }), 30},
      {"another root at the same size", 422, body({TreeSize(30), {}, FormatNote(fork.NoteAt(30))}),
       30},
      {"another branch, with its own proof", 422, body(fork.From(20, 30)), 20},
  };
}

TEST(AddCheckpoint, TheStatusOfEveryLineOfTheSpecification) {
  for (const Line& line : Lines()) {
    EXPECT_EQ(Answer(line.body, line.last_size), line.status) << line.what;
  }
}

TEST(AddCheckpoint, EveryHashOfAProofCounts) {
  const Log log;
  for (const auto& [from, to] : {std::pair(1, 2), {3, 7}, {20, 33}, {31, 64}, {64, 65}}) {
    const AddCheckpoint request = log.From(from, to);
    for (size_t i = 0; i < request.proof.size(); ++i) {
      AddCheckpoint changed = request;
      std::string bytes(changed.proof[i].bytes());
      bytes[i % bytes.size()] ^= 1;
      changed.proof[i] = *Hash::FromBytes(bytes);
      EXPECT_EQ(Answer(changed, from), 422) << from << " " << to << " " << i;
    }
  }
}

TEST(AddCheckpoint, EveryCutOfARequestIsRefused) {
  const std::string body = FormatAddCheckpoint(Log().From(20, 33));
  for (size_t size = 0; size < body.size(); ++size) {
    const int status = Answer(body.substr(0, size), 20);
    EXPECT_TRUE(status == 400 || status == 403) << size << ": " << status;
  }
}

TEST(AddCheckpoint, OnlyWhatWasVerifiedIsKept) {
  const Log log;
  Note note = log.NoteAt(30);
  const Note plain = note;
  WitnessSigner("witness.example/1").Cosign(note, 5);
  note.signatures.push_back({kOrigin, 0x01020304, std::string(64, 'x')});
  const auto opened =
      OpenAddCheckpoint(FormatAddCheckpoint({TreeSize(0), {}, FormatNote(note)}), Keys);
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(FormatNote(opened->note), FormatNote(plain));
  EXPECT_EQ(opened->checkpoint.size, TreeSize(30));
}

TEST(AddCheckpoint, RefusalsSayWhy) {
  const Log log;
  const auto opened = OpenAddCheckpoint(FormatAddCheckpoint(log.From(20, 30)), Keys);
  const absl::Status conflict = CheckStep(TreeSize(25), log.RootAt(25), *opened);
  EXPECT_EQ(ReasonOf(conflict), reason::kCheckpointRoot);
  EXPECT_NE(conflict.message().find("size 25, not 20"), std::string::npos) << conflict;
  EXPECT_EQ(ReasonOf(CheckStep(TreeSize(20), log.RootAt(21), *opened)), reason::kProofRoot);
}

TEST(TlogSize, IsReadAsItIsWritten) {
  for (uint64_t size : {uint64_t{0}, uint64_t{7}, uint64_t{20852163}, (uint64_t{1} << 53) - 1}) {
    EXPECT_EQ(*ParseTlogSize(FormatTlogSize(TreeSize(size))), TreeSize(size));
  }
  for (const char* bad : {"", "7", "07\n", "7\n\n", " 7\n", "7 \n", "-1\n", "9007199254740992\n"}) {
    EXPECT_EQ(ReasonOf(ParseTlogSize(bad).status()), reason::kProofForm) << bad;
  }
}

TEST(HttpStatus, OfWhatIsNoLineOfTheProtocol) {
  EXPECT_EQ(HttpStatusOf(absl::InternalError("")), 500);
  EXPECT_EQ(HttpStatusOf(absl::UnavailableError("")), 500);
}

}  // namespace
}  // namespace stele
