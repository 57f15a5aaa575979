// The log as static files (C2SP tlog-tiles): /checkpoint, /tile/<L>/<N>[.p/<W>] and
// /tile/entries/<N>[.p/<W>], made from one moment of the store. Any thread.
//
// A partial tile is served for every width that the tree has reached, also after the full one
// exists. Tiles are immutable to caches, the checkpoint is never cached; entry bundles may be
// gzipped.
#pragma once

#include "server/files/reader_source.h"
#include "server/http/message.h"

namespace stele::server {

// 200; 404 for any other path, a path with a query, or a tile that the tree does not have (yet);
// 500 for stored bytes that do not verify; 503 if the store cannot be read.
HttpResponse AnswerLogFile(const ReaderSource& source, const HttpRequest& request);

}  // namespace stele::server
