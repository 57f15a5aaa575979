// From what a handler answers to what this client gets: the encoding it takes, and nothing at all
// if it has the bytes already. Pure.
#pragma once

#include "server/http/message.h"

namespace stele::server {

// For an answer with an ETag: gzipped if it may be, is worth it (limits::kHttpGzipLeastBytes to
// kHttpGzipMostBytes) and the client takes gzip; the ETag is then another one. 304 without a body
// if If-None-Match names the ETag of what would be sent, 412 if If-Match does not. Others are left
// as they are. The ETag is quoted on return.
HttpResponse Negotiate(const HttpRequest& request, HttpResponse response);

}  // namespace stele::server
