// What a client gets of an answer, by what it says; the bytes are unpacked with zlib again.
#include "server/http/negotiate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "core/base/serving_limits.h"

namespace stele::server {
namespace {

std::string Unzip(const std::string& bytes, size_t size) {
  std::string out(size + 1, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

HttpResponse Full(size_t bytes = 5000) {
  HttpResponse response;
  response.cache_control = "public, max-age=86400";
  for (size_t i = 0; response.body.size() < bytes; ++i) response.body += std::to_string(i * i);
  response.body.resize(bytes);
  response.etag = "abc";
  response.compressible = true;
  return response;
}

HttpRequest Accepting(std::string encoding) {
  HttpRequest request;
  request.path = "/x";
  request.accept_encoding = std::move(encoding);
  return request;
}

TEST(NegotiateTest, PlainUnlessAskedOtherwise) {
  const HttpResponse plain = Negotiate(Accepting("br"), Full());
  EXPECT_EQ(plain.body, Full().body);
  EXPECT_EQ(plain.etag, "\"abc\"");
  EXPECT_EQ(plain.content_encoding, "");
  const HttpResponse zipped = Negotiate(Accepting("br, gzip"), Full());
  EXPECT_EQ(zipped.content_encoding, "gzip");
  EXPECT_EQ(zipped.etag, "\"abc-gzip\"");
  EXPECT_LT(zipped.body.size(), Full().body.size());
  EXPECT_EQ(Unzip(zipped.body, Full().body.size()), Full().body);
  // A strong ETag: the same bytes each time.
  EXPECT_EQ(Negotiate(Accepting("gzip"), Full()).body, zipped.body);
}

TEST(NegotiateTest, OnlyWhatIsWorthIt) {
  for (size_t bytes :
       {size_t{0}, size_t{1}, limits::kHttpGzipLeastBytes - 1, limits::kHttpGzipMostBytes + 1}) {
    const HttpResponse response = Negotiate(Accepting("gzip"), Full(bytes));
    EXPECT_EQ(response.content_encoding, "") << bytes;
    EXPECT_EQ(response.etag, "\"abc\"");
    EXPECT_EQ(response.body.size(), bytes);
  }
  EXPECT_EQ(Negotiate(Accepting("gzip"), Full(limits::kHttpGzipLeastBytes)).content_encoding,
            "gzip");
  HttpResponse never = Full();
  never.compressible = false;
  EXPECT_EQ(Negotiate(Accepting("gzip"), never).body, Full().body);
}

TEST(NegotiateTest, WhatTheClientHasIsNotSent) {
  HttpRequest request = Accepting("");
  request.if_none_match = "\"abc\"";
  const HttpResponse same = Negotiate(request, Full());
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.body, "");
  EXPECT_EQ(same.etag, "\"abc\"");
  EXPECT_EQ(same.cache_control, Full().cache_control);
  // It is the other encoding that it has.
  request.accept_encoding = "gzip";
  EXPECT_EQ(Negotiate(request, Full()).status, 200);
  request.if_none_match = "\"x\", W/\"abc-gzip\"";
  EXPECT_EQ(Negotiate(request, Full()).status, 304);
  request.if_none_match = "*";
  EXPECT_EQ(Negotiate(request, Full()).status, 304);
  request.if_none_match = "abc-gzip";  // no entity tag
  EXPECT_EQ(Negotiate(request, Full()).status, 200);
}

TEST(NegotiateTest, IfMatch) {
  HttpRequest request = Accepting("");
  request.if_match = "\"abc\"";
  EXPECT_EQ(Negotiate(request, Full()).status, 200);
  request.if_match = "W/\"abc\"";
  const HttpResponse other = Negotiate(request, Full());
  EXPECT_EQ(other.status, 412);
  EXPECT_EQ(other.cache_control, "no-store");
  EXPECT_EQ(other.etag, "");
}

TEST(NegotiateTest, ErrorsAndAnswersWithoutATagAreLeftAlone) {
  HttpRequest request = Accepting("gzip");
  request.if_none_match = "*";
  request.if_match = "\"x\"";
  EXPECT_EQ(Negotiate(request, HttpError(404, "nothing")).status, 404);
  HttpResponse checkpoint = Full();
  checkpoint.etag.clear();
  EXPECT_EQ(Negotiate(request, checkpoint).status, 200);
  EXPECT_EQ(Negotiate(request, checkpoint).body, Full().body);
}

}  // namespace
}  // namespace stele::server
