#include "server/http/request_check.h"

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>

#include "server/base/cat.h"

namespace stele::server {
namespace {

namespace http = boost::beast::http;

std::string_view View(boost::beast::string_view text) { return {text.data(), text.size()}; }

// The absolute form "http://host/path" that proxies send, reduced to its path.
std::string_view OriginForm(std::string_view target) {
  for (std::string_view scheme : {"http://", "https://"}) {
    if (!target.starts_with(scheme)) continue;
    target.remove_prefix(scheme.size());
    const size_t slash = target.find('/');
    return slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
  }
  return target;
}

// All fields of this name as one list.
std::string Joined(const HttpHeader& header, http::field name) {
  std::string list;
  const auto range = header.equal_range(name);
  for (auto field = range.first; field != range.second; ++field) {
    if (field != range.first) list += ", ";
    list += View(field->value());
  }
  return list;
}

bool HasBody(const HttpHeader& header) {
  const auto range = header.equal_range(http::field::content_length);
  for (auto field = range.first; field != range.second; ++field) {
    if (View(field->value()).find_first_not_of('0') != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::optional<HttpResponse> CheckHeader(const HttpHeader& header) {
  if (header.count(http::field::transfer_encoding) != 0) {
    return HttpError(501, "no transfer coding is taken here: a request has no body");
  }
  if (HasBody(header)) return HttpError(413, "a request here has no body");
  const size_t hosts = header.count(http::field::host);
  if (hosts > 1 || (hosts == 0 && header.version() >= 11)) {
    return HttpError(400, "exactly one Host header is expected");
  }
  if (header.method() != http::verb::get && header.method() != http::verb::head) {
    return HttpError(
        405, Cat("only GET and HEAD are answered here, not ", View(header.method_string())));
  }
  if (!OriginForm(View(header.target())).starts_with('/')) {
    return HttpError(400, "the request target is no path");
  }
  return std::nullopt;
}

std::optional<HttpResponse> AnswerToParseError(const boost::beast::error_code& error) {
  if (error == http::error::bad_version) return HttpError(505, "this server speaks HTTP/1.1");
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return HttpError(431, "the request's headers are larger than this server takes");
  }
  if (error == http::error::body_limit || error == http::error::unexpected_body) {
    return HttpError(413, "a request here has no body");
  }
  if (error == http::error::end_of_stream || error == http::error::partial_message) {
    return std::nullopt;
  }
  static const auto& category = boost::beast::error_code(http::error::bad_method).category();
  if (error.category() == category) {
    return HttpError(400, Cat("this is no HTTP request: ", error.message()));
  }
  return std::nullopt;
}

HttpRequest RequestOf(const HttpHeader& header) {
  const std::string_view target = OriginForm(View(header.target()));
  const size_t query = target.find('?');
  return {.path = std::string(target.substr(0, query)),
          .has_query = query != std::string_view::npos,
          .accept_encoding = Joined(header, http::field::accept_encoding),
          .if_match = Joined(header, http::field::if_match),
          .if_none_match = Joined(header, http::field::if_none_match)};
}

}  // namespace stele::server
