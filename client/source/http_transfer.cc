#include "client/source/http_transfer.h"

#include <algorithm>
#include <utility>

#include "core/base/concat.h"

namespace stele::client {
namespace {

constexpr long kRedirects = 5;

void SetBlob(CURL* easy, CURLoption option, const std::string& pem) {
  if (pem.empty()) return;
  curl_blob blob{const_cast<char*>(pem.data()), pem.size(), CURL_BLOB_COPY};
  curl_easy_setopt(easy, option, &blob);
}

absl::Status StatusOfHttp(long status, const std::string& url) {
  const std::string message = Concat(url, ": HTTP ", status);
  switch (status) {
    case 404:
    case 410:
    case 451:
      return absl::NotFoundError(message);
    default:
      return status == 429 || status >= 500 ? absl::UnavailableError(message)
                                            : absl::UnknownError(message);
  }
}

}  // namespace

Easy NewEasy(const HttpOptions& options) {
  Easy easy(curl_easy_init());
  if (easy == nullptr) return easy;
  const auto milliseconds = static_cast<long>(options.timeout.count());
  curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy.get(), CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy.get(), CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_MAXREDIRS, kRedirects);
  curl_easy_setopt(easy.get(), CURLOPT_USERAGENT, "stele");
  curl_easy_setopt(easy.get(), CURLOPT_ACCEPT_ENCODING, "");  // all that libcurl reads
  curl_easy_setopt(easy.get(), CURLOPT_CONNECTTIMEOUT_MS, milliseconds);
  // No limit on a whole transfer: content may be large and the line slow.
  curl_easy_setopt(easy.get(), CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_LOW_SPEED_TIME, std::max(1L, milliseconds / 1000));
  SetBlob(easy.get(), CURLOPT_CAINFO_BLOB, options.ca);
  SetBlob(easy.get(), CURLOPT_SSLCERT_BLOB, options.cert);
  SetBlob(easy.get(), CURLOPT_SSLKEY_BLOB, options.cert_key);
  return easy;
}

Transfer::Transfer(Easy easy, std::string url, uint64_t max_bytes, ByteSink* sink)
    : easy_(std::move(easy)), url_(std::move(url)), max_bytes_(max_bytes), sink_(sink) {
  curl_easy_setopt(easy_.get(), CURLOPT_URL, url_.c_str());
  curl_easy_setopt(easy_.get(), CURLOPT_WRITEFUNCTION, &Transfer::Receive);
  curl_easy_setopt(easy_.get(), CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy_.get(), CURLOPT_PRIVATE, this);
}

size_t Transfer::Receive(char* bytes, size_t size, size_t count, void* transfer) {
  auto& self = *static_cast<Transfer*>(transfer);
  return self.Take({bytes, size * count}) ? size * count : 0;
}

// False: that is enough.
bool Transfer::Take(std::string_view piece) {
  if (piece.size() > max_bytes_ - received_) {
    too_large_ = true;
    return false;
  }
  received_ += piece.size();
  if (sink_ == nullptr) {
    body_.append(piece);
    return true;
  }
  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  if (status == 200) sink_status_ = sink_->Take(piece);  // else it is what an error says
  return sink_status_.ok();
}

absl::StatusOr<std::string> Transfer::Finish(CURLcode code) {
  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  if (too_large_ && status == 200) {
    return absl::ResourceExhaustedError(
        Concat(url_, " has more than the ", max_bytes_, " bytes that are read"));
  }
  if (!sink_status_.ok()) return sink_status_;
  if (status == 500) broken_at_ = 0;
  if (status == 200 && code == CURLE_PARTIAL_FILE) broken_at_ = received_;
  if (code != CURLE_OK && !too_large_) {
    return absl::UnavailableError(Concat(url_, ": ", std::string(curl_easy_strerror(code))));
  }
  if (status != 200) return StatusOfHttp(status, url_);
  return std::move(body_);
}

}  // namespace stele::client
