// Request fields of any bytes: read without a fault, and judged by rules that hold whatever they
// say.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/http/fields.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using stele::server::NamesTag;
  using stele::server::TagComparison;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view kTag = "\"a\"";
  const bool weak = NamesTag(input, kTag, TagComparison::kWeak);
  const bool strong = NamesTag(input, kTag, TagComparison::kStrong);
  if (strong && !weak) std::abort();
  // What names a tag, or any, has it or a star in it; one more element of a list changes no match.
  if (weak && input.find(kTag) == std::string_view::npos &&
      input.find('*') == std::string_view::npos) {
    std::abort();
  }
  if (strong && input.find('*') == std::string_view::npos &&
      !NamesTag(std::string(input) + ", \"b\"", kTag, TagComparison::kStrong)) {
    std::abort();
  }
  const bool gzip = stele::server::AcceptsGzip(input);
  if (gzip != stele::server::AcceptsGzip("," + std::string(input) + " ,")) std::abort();
  if (gzip && stele::server::AcceptsGzip(std::string(input) + ", gzip;q=0")) std::abort();
  return 0;
}
