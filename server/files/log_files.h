// The log as static files (C2SP tlog-tiles): /checkpoint, /tile/<L>/<N>[.p/<W>] and
// /tile/entries/<N>[.p/<W>], made from one moment of the store. Any thread.
//
// A partial tile is served for every width that the tree has reached, also after the full one
// exists.
#pragma once

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "server/http/message.h"
#include "store/read/reader.h"

namespace stele::server {

// A moment of the log to read from: Store::GetReader.
using ReaderSource = std::function<absl::StatusOr<std::shared_ptr<const store::Reader>>()>;

// 200; 404 for any other path, a path with a query, or a tile that the tree does not have (yet);
// 500 for stored bytes that do not verify; 503 if the store cannot be read.
HttpResponse AnswerLogFile(const ReaderSource& source, const HttpRequest& request);

}  // namespace stele::server
