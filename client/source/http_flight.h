// Many HTTP GETs at a time, answered in the order of asking. For this folder only.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "client/source/http_transfer.h"

namespace stele::client {

inline absl::Status NoMemory() { return absl::ResourceExhaustedError("libcurl has no memory"); }

// Requests in flight under one multi handle; answers come back in the order of asking.
class Flight {
 public:
  explicit Flight(CURLM* multi) : multi_(multi) {}
  ~Flight() {
    for (auto& [at, transfer] : running_) curl_multi_remove_handle(multi_, transfer->easy());
  }
  Flight(const Flight&) = delete;
  Flight& operator=(const Flight&) = delete;

  size_t waiting() const { return running_.size() + done_.size(); }

  absl::Status Start(size_t at, Easy easy, std::string url, size_t max_bytes) {
    auto transfer = std::make_unique<Transfer>(std::move(easy), std::move(url), max_bytes);
    if (curl_multi_add_handle(multi_, transfer->easy()) != CURLM_OK) return NoMemory();
    running_[at] = std::move(transfer);
    return absl::OkStatus();
  }

  // Runs until the answer to `at` is there. Handles that are done with go to `give_back`.
  template <class GiveBack>
  absl::StatusOr<std::string> Await(size_t at, const GiveBack& give_back) {
    while (!done_.contains(at)) {
      int left = 0;
      if (curl_multi_perform(multi_, &left) != CURLM_OK) return NoMemory();
      Collect(give_back);
      if (!done_.contains(at)) curl_multi_poll(multi_, nullptr, 0, kPollMs, nullptr);
    }
    absl::StatusOr<std::string> body = std::move(done_.at(at));
    done_.erase(at);
    return body;
  }

 private:
  template <class GiveBack>
  void Collect(const GiveBack& give_back) {
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      CURL* easy = message->easy_handle;
      const auto it = std::find_if(running_.begin(), running_.end(),
                                   [&](const auto& run) { return run.second->easy() == easy; });
      curl_multi_remove_handle(multi_, easy);
      done_.emplace(it->first, it->second->Finish(code));
      give_back(it->second->TakeEasy());
      running_.erase(it);
    }
  }

  static constexpr int kPollMs = 1000;

  CURLM* multi_;
  std::map<size_t, std::unique_ptr<Transfer>> running_;
  std::map<size_t, absl::StatusOr<std::string>> done_;
};

}  // namespace stele::client
