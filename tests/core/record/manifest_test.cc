#include "core/record/manifest.h"

#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/json/canonical.h"
#include "core/json/parse.h"

namespace stele {
namespace {

constexpr std::string_view kPlain = R"({"apiVersion":"v1","kind":"K","spec":{"a":1}})";

std::string Padded(std::string_view text, size_t bytes) {
  return std::string(text) + std::string(bytes - text.size(), ' ');
}

TEST(Manifest, DigestsAndForms) {
  absl::StatusOr<Manifest> manifest = ParseManifest(
      R"({"spec":{"b":[1.0],"a":"x"},"metadata":{"title":"T","name":"n"},"kind":"K","apiVersion":"v1"})");
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(manifest->identity, R"({"apiVersion":"v1","kind":"K","spec":{"a":"x","b":[1]}})");
  EXPECT_EQ(
      manifest->canonical,
      R"({"apiVersion":"v1","kind":"K","metadata":{"name":"n","title":"T"},"spec":{"a":"x","b":[1]}})");
  EXPECT_EQ(manifest->record, Sha256(manifest->identity));
  EXPECT_EQ(manifest->manifest, Sha256(manifest->canonical));
  EXPECT_EQ(manifest->name, "n");
  EXPECT_EQ(manifest->title, "T");
}

TEST(Manifest, BothFormsAreTheirOwn) {
  absl::StatusOr<Manifest> manifest = ParseManifest(
      R"({"apiVersion":"v1","kind":"K","metadata":{"é":1e21},"spec":{"\ud83d\ude00":-0,"\ue000":[]}})");
  ASSERT_TRUE(manifest.ok());
  for (const std::string& form : {manifest->identity, manifest->canonical}) {
    EXPECT_EQ(json::Canonical(*json::Parse(form)), form);
    absl::StatusOr<Manifest> again = ParseManifest(form);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->canonical, form);
    EXPECT_EQ(again->record, manifest->record);
  }
}

TEST(Manifest, NameAndTitleOnlyIfTheyAreStrings) {
  absl::StatusOr<Manifest> manifest = ParseManifest(
      R"({"apiVersion":"v1","kind":"K","metadata":{"name":1,"title":["x"]},"spec":{}})");
  ASSERT_TRUE(manifest.ok());
  EXPECT_EQ(manifest->name, "");
  EXPECT_EQ(manifest->title, "");
}

TEST(Manifest, UnknownBeforeMissing) {
  absl::StatusOr<Manifest> manifest = ParseManifest(R"({"kind":1,"zzz":2})");
  EXPECT_EQ(ReasonOf(manifest.status()), reason::kUnknownMember);
  EXPECT_EQ(PointerOf(manifest.status()), "/zzz");
}

TEST(Manifest, ABundleIsNoManifest) {
  EXPECT_EQ(ReasonOf(ParseManifest(R"({"a":{"apiVersion":"v1","kind":"K","spec":{}}})").status()),
            reason::kUnknownMember);
}

TEST(Manifest, SizeIsOfTheTextHandedOver) {
  EXPECT_TRUE(ParseManifest(Padded(kPlain, limits::kManifestBytes)).ok());
  EXPECT_EQ(ReasonOf(ParseManifest(Padded(kPlain, limits::kManifestBytes + 1)).status()),
            reason::kTooLarge);
  absl::StatusOr<json::Value> value = json::Parse(kPlain);
  EXPECT_TRUE(ManifestFromValue(*value, limits::kManifestBytes).ok());
  EXPECT_EQ(ReasonOf(ManifestFromValue(*value, limits::kManifestBytes + 1).status()),
            reason::kTooLarge);
}

TEST(ManifestFile, OneManifest) {
  const std::string text = " " + std::string(kPlain) + "\n";
  absl::StatusOr<std::vector<ManifestItem>> items = ParseManifestFile(text);
  ASSERT_TRUE(items.ok());
  ASSERT_EQ(items->size(), 1u);
  EXPECT_FALSE(items->at(0).in_bundle);
  EXPECT_EQ(items->at(0).source.data(), text.data());
  EXPECT_EQ(items->at(0).source.size(), text.size());
}

TEST(ManifestFile, SourcesOfABundleAreFromBraceToBrace) {
  const std::string text =
      "{ \"b\" :  " + std::string(kPlain) + " ,\n\"a\":" + std::string(kPlain) + " } ";
  absl::StatusOr<std::vector<ManifestItem>> items = ParseManifestFile(text);
  ASSERT_TRUE(items.ok()) << items.status();
  ASSERT_EQ(items->size(), 2u);
  EXPECT_EQ(items->at(0).member, "a");
  EXPECT_EQ(items->at(0).source, kPlain);
  EXPECT_EQ(items->at(1).member, "b");
  EXPECT_EQ(items->at(1).source, kPlain);
  EXPECT_GT(items->at(0).source.data(), items->at(1).source.data());
}

TEST(ManifestFile, TheLimitAppliesOnceItIsKnownWhetherItIsABundle) {
  const std::string bundle = "{\"a\":" + std::string(kPlain) + "}";
  EXPECT_TRUE(ParseManifestFile(Padded(bundle, limits::kManifestBytes + 1)).ok());
  // No bundle: too large, even where it is no manifest either.
  for (std::string_view text : {kPlain, std::string_view("[]"), std::string_view("{\"a\":1}")}) {
    absl::Status status = ParseManifestFile(Padded(text, limits::kManifestBytes + 1)).status();
    EXPECT_EQ(ReasonOf(status), reason::kTooLarge) << text;
    EXPECT_EQ(PointerOf(status), "");
  }
  // Nobody can say what this would have become.
  EXPECT_EQ(ReasonOf(ParseManifestFile(Padded("{\"a\":", limits::kManifestBytes + 1)).status()),
            reason::kSyntax);
}

TEST(ManifestFile, AFileHasALimitOfItsOwn) {
  const std::string bundle = "{\"a\":" + std::string(kPlain) + "}";
  EXPECT_TRUE(ParseManifestFile(Padded(bundle, limits::kManifestFileBytes)).ok());
  EXPECT_EQ(ReasonOf(ParseManifestFile(Padded(bundle, limits::kManifestFileBytes + 1)).status()),
            reason::kTooLarge);
}

TEST(ManifestFile, AnEmptyMemberObjectIsABundlesBadMember) {
  absl::Status status = ParseManifestFile(R"({"metadata":{}})").status();
  EXPECT_EQ(ReasonOf(status), reason::kMissingMember);
  EXPECT_EQ(PointerOf(status), "/metadata/apiVersion");
}

TEST(References, NoneWithoutASpec) {
  EXPECT_TRUE(FindReferences(json::Value()).empty());
  EXPECT_TRUE(FindReferences(*json::Parse("{}")).empty());
}

TEST(References, OnlyTheDigestOfAnObjectWithUriIsAnArtifact) {
  const std::string digest = "sha256:" + std::string(64, 'a');
  absl::StatusOr<json::Value> value = json::Parse(R"({"spec":{"x/y":{"uri":"u","digest":[")" +
                                                  digest + R"("],"other":")" + digest + R"("}}})");
  ASSERT_TRUE(value.ok()) << value.status();
  const std::vector<Reference> references = FindReferences(*value);
  ASSERT_EQ(references.size(), 2u);
  EXPECT_EQ(references[0].pointer, "/spec/x~1y/digest/0");
  EXPECT_FALSE(references[0].artifact);
  EXPECT_EQ(references[1].pointer, "/spec/x~1y/other");
  EXPECT_FALSE(references[1].artifact);
}

}  // namespace
}  // namespace stele
