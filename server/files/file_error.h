// Errors of the store as HTTP answers: one sentence, never cached.
#pragma once

#include "absl/status/status.h"
#include "server/http/message.h"

namespace stele::server {

// 404 not there; 451 withheld; 500 stored bytes that do not verify; 503 for anything else.
HttpResponse FileError(const absl::Status& status);

}  // namespace stele::server
