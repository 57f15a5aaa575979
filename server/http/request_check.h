// What is refused before a handler sees it: decided from the header alone.
#pragma once

#include <boost/beast/core/error.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <optional>

#include "server/http/message.h"

namespace stele::server {

using HttpHeader = boost::beast::http::request_header<>;

// The refusal of a well-formed header, or nothing.
std::optional<HttpResponse> CheckHeader(const HttpHeader& header);

// The answer to bytes that are no request; nothing if the peer is gone or was too slow, so that
// there is nobody to answer.
std::optional<HttpResponse> AnswerToParseError(const boost::beast::error_code& error);

// The request of a header that passed CheckHeader.
HttpRequest RequestOf(const HttpHeader& header);

}  // namespace stele::server
