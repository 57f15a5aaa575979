#include "tests/client/lies.h"

#include <memory>

#include "absl/strings/str_join.h"

namespace stele::client {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

bool IsProof(const FieldDescriptor& field) {
  return field.type() == FieldDescriptor::TYPE_BYTES &&
         (field.name() == "proof" || field.name() == "to_head");
}

// Every message within `message`, itself included, for which `edit` says whether it changed it.
bool ForEach(Message& message, const std::function<bool(Message&)>& edit) {
  bool changed = edit(message);
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || field->is_map()) continue;
    if (!field->is_repeated()) {
      changed = ForEach(*reflection.MutableMessage(&message, field), edit) || changed;
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      changed = ForEach(*reflection.MutableRepeatedMessage(&message, field, i), edit) || changed;
    }
  }
  return changed;
}

bool ForEachProof(Message& answer,
                  const std::function<bool(Message&, const FieldDescriptor&)>& edit) {
  return ForEach(answer, [&](Message& message) {
    bool changed = false;
    for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor& field = *message.GetDescriptor()->field(i);
      if (IsProof(field)) changed = edit(message, field) || changed;
    }
    return changed;
  });
}

// A proof is a field of hashes, or one of all its hashes one after the other.
std::vector<std::string> HashesOf(const Message& message, const FieldDescriptor& field) {
  std::vector<std::string> hashes;
  const Reflection& reflection = *message.GetReflection();
  if (!field.is_repeated()) {
    const std::string all = reflection.GetString(message, &field);
    for (size_t at = 0; at < all.size(); at += 32) hashes.push_back(all.substr(at, 32));
    return hashes;
  }
  for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
    hashes.push_back(reflection.GetRepeatedString(message, &field, i));
  }
  return hashes;
}

void SetHashes(Message& message, const FieldDescriptor& field,
               const std::vector<std::string>& hashes) {
  const Reflection& reflection = *message.GetReflection();
  reflection.ClearField(&message, &field);
  if (!field.is_repeated()) {
    reflection.SetString(&message, &field, absl::StrJoin(hashes, ""));
    return;
  }
  for (const std::string& hash : hashes) reflection.AddString(&message, &field, hash);
}

}  // namespace

bool EditCheckpoints(Message& answer, const EditNote& edit) {
  return ForEach(answer, [&](Message& message) {
    const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName("checkpoint");
    if (field == nullptr || field->cpp_type() != FieldDescriptor::CPPTYPE_STRING) return false;
    const std::string note = message.GetReflection()->GetString(message, field);
    if (note.empty()) return false;
    message.GetReflection()->SetString(&message, field, edit(note));
    return true;
  });
}

bool CutProofs(Message& answer) {
  return ForEachProof(answer, [](Message& message, const FieldDescriptor& field) {
    std::vector<std::string> hashes = HashesOf(message, field);
    if (hashes.empty()) return false;
    hashes.pop_back();
    SetHashes(message, field, hashes);
    return true;
  });
}

bool ExchangeProofs(Message& answer, const Message& other) {
  // Both answers have the same shape: the proofs come in the same order.
  std::vector<std::vector<std::string>> proofs;
  const std::unique_ptr<Message> copy(other.New());
  copy->CopyFrom(other);
  ForEachProof(*copy, [&](Message& message, const FieldDescriptor& field) {
    proofs.push_back(HashesOf(message, field));
    return false;
  });
  size_t next = 0;
  return ForEachProof(answer, [&](Message& message, const FieldDescriptor& field) {
    if (next == proofs.size()) return false;
    const std::vector<std::string>& hashes = proofs[next++];
    if (hashes == HashesOf(message, field)) return false;
    SetHashes(message, field, hashes);
    return true;
  });
}

}  // namespace stele::client
