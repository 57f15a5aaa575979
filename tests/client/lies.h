// Lies about a log, each an edit of whatever answer it can be told in.
#pragma once

#include <google/protobuf/message.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stele::client {

// Edits the note in every `checkpoint` of the answer; false if it has none.
using EditNote = std::function<std::string(const std::string& note)>;
bool EditCheckpoints(google::protobuf::Message& answer, const EditNote& edit);

// Takes the last hash of every proof in the answer; false if there is none.
bool CutProofs(google::protobuf::Message& answer);

// Puts the proofs of `other`, an answer of the same call, in place of those in the answer; false if
// that changes nothing.
bool ExchangeProofs(google::protobuf::Message& answer, const google::protobuf::Message& other);

}  // namespace stele::client
