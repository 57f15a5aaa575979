// Content by digest as static files: /content/<64 lowercase hex digits>, whatever has that digest
// (records, manifests, detached envelopes, artifacts), hashed again on the way out. Large artifacts
// are streamed, never gzipped. Any thread.
//
// The bytes of a digest never change, but may come to be withheld: caches ask again after a day.
#pragma once

#include "server/files/reader_source.h"
#include "server/http/message.h"

namespace stele::server {

inline constexpr std::string_view kContentPath = "/content/";

// 200; 404 if there is no such content, or the path is none; 451, naming the entry, if it is
// withheld; 500 for stored bytes that do not verify; 503 if the store cannot be read.
HttpResponse AnswerContentFile(const ReaderSource& source, const HttpRequest& request);

}  // namespace stele::server
