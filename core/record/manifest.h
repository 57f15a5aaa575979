// A manifest, the record it names, and bundles of manifests (formats §2).
//
// Record digest = SHA-256 of RFC 8785 of {apiVersion, kind, spec}; manifest digest = of the whole.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "core/crypto/digest.h"
#include "core/json/value.h"

namespace stele {

// A string of digest form in `spec`, or the `digest` of an object with `uri` and `digest`.
struct Reference {
  std::string pointer;  // in the identity body, begins "/spec"
  Digest digest;
  bool artifact = false;  // an object with members `uri` and `digest` holds it
  friend bool operator==(const Reference&, const Reference&) = default;
};

struct Manifest {
  std::string api_version;
  std::string kind;
  std::string name;       // metadata.name if it is a string, else empty
  std::string title;      // metadata.title if it is a string, else empty
  std::string identity;   // RFC 8785 of {apiVersion, kind, spec}: the citable bytes
  std::string canonical;  // RFC 8785 of the whole manifest; equal to identity without metadata
  Digest record;          // of identity
  Digest manifest;        // of canonical
};

// One file's worth: a manifest, or a bundle that stands for its manifests.
struct ManifestItem {
  std::string member;  // name in the bundle, empty for a manifest on its own
  bool in_bundle = false;
  std::string_view source;  // the input text of this manifest, into the caller's text
  Manifest manifest;
};

// Parses one manifest (never a bundle). Refusals carry reason and pointer.
absl::StatusOr<Manifest> ParseManifest(std::string_view text);

// The same from a value already parsed under the same limits; `source_bytes` is the length of its
// input text.
absl::StatusOr<Manifest> ManifestFromValue(const json::Value& value, size_t source_bytes);

// Parses a manifest or a bundle (rule 2). Items stand in RFC 8785 order of their member names.
// A refusal of one member refuses the file, with the bundle's pointer.
absl::StatusOr<std::vector<ManifestItem>> ParseManifestFile(std::string_view text);

// References of a manifest's spec in document (RFC 8785) order.
std::vector<Reference> FindReferences(const json::Value& manifest);
// The same one by one. All their pointers together may be far larger than the manifest (a long
// member name counts for every reference below it): `pointer` is good for the call alone.
using ReferenceVisit =
    absl::FunctionRef<void(std::string_view pointer, const Digest& digest, bool artifact)>;
void VisitReferences(const json::Value& manifest, ReferenceVisit visit);

}  // namespace stele
