// What is read of a record of KernelIndex, the profile `kernelindex.dev/v1alpha1` (formats §8,
// rules 35 to 38; docs/formats/kernelindex.md). Pure; any thread. Generic code never depends on it.
//
// A member of another type than the one named here counts as absent: the profile never refuses a
// record, it only reads less of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/crypto/digest.h"
#include "core/json/value.h"
#include "core/record/manifest.h"

namespace stele::kernelindex {

inline constexpr std::string_view kApiVersion = "kernelindex.dev/v1alpha1";
inline constexpr std::string_view kRunKind = "BenchmarkRun";
inline constexpr std::string_view kPassed = "passed";

// What a run is ranked by; lower is better.
struct Measurement {
  std::string key = "none";     // "latency:<statistic>:ns", "<metric>:<statistic>:<unit>", "none"
  std::optional<double> value;  // nothing if and only if the key is "none"
  std::string unit = {};        // of the value; empty if there is none
};

// A closed interval, low ≤ high.
struct Interval {
  double low = 0;
  double high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

// What a run kept of its raw measurements. A member that is null counts as absent.
struct RawEvidence {
  bool timing_samples = false;  // timing.rawSamples
  bool samples = false;         // evidence.rawSamples
  bool logs = false;            // evidence.logs
  bool any() const { return timing_samples || samples || logs; }
};

// A record of kind BenchmarkRun.
struct BenchmarkRun {
  std::string status;  // empty: absent, no string, or empty
  Measurement primary;
  std::optional<Interval> confidence95;  // timing.latencyNs.confidence95
  bool source_native = false;            // spec.sourceNative is there, whatever it is
  // Nothing where spec has no digest of that name.
  std::optional<Digest> workload, protocol, environment, implementation;
  RawEvidence raw;
};

// What a comparison key takes from the record that a run names as its workload.
struct Workload {
  Digest operation;    // spec.operationSpecDigest
  Digest correctness;  // C: of RFC 8785 of {"correctness": spec.correctness}, of {} without it
};

// Where the source of an implementation is to be had. A member that is null counts as absent.
struct Implementation {
  bool repository = false;  // spec.projectRevision.repository
  bool source = false;      // spec.source
};

// All of it, of one record. The kinds of workloads and implementations are not looked at: a run
// says which record is which to it.
struct Profile {
  std::string kind;
  std::optional<BenchmarkRun> run;   // of kind BenchmarkRun
  std::optional<Workload> workload;  // where there is an operationSpecDigest
  Implementation implementation;
};

// Reads an identity body. Nothing for a record of another apiVersion, and for bytes that are no
// identity body in their RFC 8785 form (an audit reports those).
std::optional<Profile> ReadProfile(std::string_view identity);
// The same of a manifest that was read already, and the value that it was read from.
std::optional<Profile> ReadProfile(const Manifest& manifest, const json::Value& value);

// What makes two runs comparable: equal for runs that may be ranked against each other. `workload`
// is that of the record `run.workload`. Nothing if the run lacks its workload, protocol or
// environment digest: it has no cohort.
std::optional<Digest> ComparisonKey(const BenchmarkRun& run, const Workload& workload);

}  // namespace stele::kernelindex
