#include "store/codec/index_values.h"

#include <cmath>

#include "core/base/concat.h"
#include "core/base/hex.h"
#include "disk/v1/index.capnp.h"
#include "store/codec/message.h"

namespace stele::store {
namespace {

namespace disk = ::stele::disk::v1;

// A frame whose message repeats `key`.
template <class Root, class Fill>
std::string WriteIndexFrame(RowType type, std::string_view key, size_t payload_bytes, Fill fill) {
  return WriteFrame<Root>(type, key.size() + payload_bytes, [&](typename Root::Builder out) {
    out.setKey(ToData(key));
    fill(out);
  });
}

template <class Root, class Value, class Read>
absl::StatusOr<Value> ReadIndexFrame(RowType type, std::string_view frame, std::string_view key,
                                     Read read) {
  const auto row = [&] { return NameOfIndexRow(key); };
  return ReadFrame<Root, Value>(type, frame, row,
                                [&](typename Root::Reader in) -> std::optional<Value> {
                                  if (View(in.getKey()) != key) return std::nullopt;
                                  return read(in);
                                });
}

capnp::Data::Reader ToData(const std::optional<Digest>& digest) {
  return digest ? stele::store::ToData(*digest) : capnp::Data::Reader();
}

// False if it is neither empty nor a digest.
bool ReadOptional(capnp::Data::Reader data, std::optional<Digest>& out) {
  out = Digest::FromBytes(View(data));
  return out.has_value() || data.size() == 0;
}

}  // namespace

std::string NameOfIndexRow(std::string_view key) {
  return Concat("index row ", key.substr(0, 1), " ", HexEncode(key.substr(key.empty() ? 0 : 1)));
}

std::string EncodeIndexPosition(const IndexPosition& position, uint32_t format) {
  const size_t bytes = position.origin.size() + Digest::kBytes;
  return WriteFrame<disk::IndexPosition>(RowType::kIndexPosition, bytes,
                                         [&](disk::IndexPosition::Builder out) {
                                           out.setFormat(format);
                                           out.setOrigin(ToText(position.origin));
                                           out.setApplied(position.applied.value());
                                           out.setRoot(stele::store::ToData(position.root));
                                           out.setParts(position.parts);
                                         });
}

absl::StatusOr<IndexPosition> DecodeIndexPosition(std::string_view frame) {
  const auto row = [] { return std::string("the position of the index"); };
  uint32_t format = 0;
  absl::StatusOr<IndexPosition> position = ReadFrame<disk::IndexPosition, IndexPosition>(
      RowType::kIndexPosition, frame, row,
      [&](disk::IndexPosition::Reader in) -> std::optional<IndexPosition> {
        IndexPosition value{
            .origin = ToString(in.getOrigin()), .applied = TreeSize(in.getApplied()), .root = {}};
        format = in.getFormat();
        value.parts = in.getParts();
        if (!ReadDigest(in.getRoot(), value.root)) return std::nullopt;
        return value;
      });
  if (position.ok() && format != kIndexFormat) {
    return absl::FailedPreconditionError(
        Concat("the index is of format ", format, ", this program derives format ", kIndexFormat));
  }
  return position;
}

std::string EncodeFirst(const FirstValue& value, std::string_view key) {
  return WriteIndexFrame<disk::IndexFirst>(
      RowType::kIndexFirst, key, 0,
      [&](disk::IndexFirst::Builder out) { out.setLogged(value.logged.value()); });
}

absl::StatusOr<FirstValue> DecodeFirst(std::string_view frame, std::string_view key) {
  return ReadIndexFrame<disk::IndexFirst, FirstValue>(
      RowType::kIndexFirst, frame, key,
      [](disk::IndexFirst::Reader in) { return FirstValue{TimeMs(in.getLogged())}; });
}

std::string EncodeBody(const BodyValue& value, std::string_view key) {
  return WriteIndexFrame<disk::IndexBody>(
      RowType::kIndexBody, key, value.kind.size(),
      [&](disk::IndexBody::Builder out) { out.setKind(ToText(value.kind)); });
}

absl::StatusOr<BodyValue> DecodeBody(std::string_view frame, std::string_view key) {
  return ReadIndexFrame<disk::IndexBody, BodyValue>(
      RowType::kIndexBody, frame, key,
      [](disk::IndexBody::Reader in) { return BodyValue{ToString(in.getKind())}; });
}

std::string EncodeTitle(const TitleValue& value, std::string_view key) {
  return WriteIndexFrame<disk::IndexTitle>(RowType::kIndexTitle, key,
                                           value.name.size() + value.title.size(),
                                           [&](disk::IndexTitle::Builder out) {
                                             out.setName(ToText(value.name));
                                             out.setTitle(ToText(value.title));
                                           });
}

absl::StatusOr<TitleValue> DecodeTitle(std::string_view frame, std::string_view key) {
  return ReadIndexFrame<disk::IndexTitle, TitleValue>(
      RowType::kIndexTitle, frame, key, [](disk::IndexTitle::Reader in) {
        return TitleValue{ToString(in.getName()), ToString(in.getTitle())};
      });
}

std::string EncodeReference(const ReferenceValue& value, std::string_view key) {
  return WriteIndexFrame<disk::IndexReference>(RowType::kIndexReference, key, value.pointer.size(),
                                               [&](disk::IndexReference::Builder out) {
                                                 out.setPointer(ToText(value.pointer));
                                                 out.setArtifact(value.artifact);
                                               });
}

absl::StatusOr<ReferenceValue> DecodeReference(std::string_view frame, std::string_view key) {
  return ReadIndexFrame<disk::IndexReference, ReferenceValue>(
      RowType::kIndexReference, frame, key, [](disk::IndexReference::Reader in) {
        return ReferenceValue{ToString(in.getPointer()), in.getArtifact()};
      });
}

std::string EncodeRun(const RunValue& value, std::string_view key) {
  const size_t texts = value.status.size() + value.metric.size() + value.unit.size();
  return WriteIndexFrame<disk::IndexRun>(RowType::kIndexRun, key, texts + 4 * Digest::kBytes,
                                         [&](disk::IndexRun::Builder out) {
                                           out.setStatus(ToText(value.status));
                                           out.setMetric(ToText(value.metric));
                                           out.setUnit(ToText(value.unit));
                                           out.setHasValue(value.value.has_value());
                                           out.setValue(value.value.value_or(0));
                                           out.setHasInterval(value.interval.has_value());
                                           if (value.interval) {
                                             out.setLow(value.interval->first);
                                             out.setHigh(value.interval->second);
                                           }
                                           out.setSourceNative(value.source_native);
                                           out.setWorkload(ToData(value.workload));
                                           out.setProtocol(ToData(value.protocol));
                                           out.setEnvironment(ToData(value.environment));
                                           out.setImplementation(ToData(value.implementation));
                                         });
}

absl::StatusOr<RunValue> DecodeRun(std::string_view frame, std::string_view key) {
  return ReadIndexFrame<disk::IndexRun, RunValue>(
      RowType::kIndexRun, frame, key, [](disk::IndexRun::Reader in) -> std::optional<RunValue> {
        RunValue run;
        run.status = ToString(in.getStatus());
        run.metric = ToString(in.getMetric());
        run.unit = ToString(in.getUnit());
        if (in.getHasValue()) run.value = in.getValue();
        if (in.getHasInterval()) run.interval.emplace(in.getLow(), in.getHigh());
        run.source_native = in.getSourceNative();
        const bool whole = ReadOptional(in.getWorkload(), run.workload) &&
                           ReadOptional(in.getProtocol(), run.protocol) &&
                           ReadOptional(in.getEnvironment(), run.environment) &&
                           ReadOptional(in.getImplementation(), run.implementation);
        if (!whole || (run.value && std::isnan(*run.value))) return std::nullopt;
        return run;
      });
}

}  // namespace stele::store
