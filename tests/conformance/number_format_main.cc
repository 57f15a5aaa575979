// number-format: what numbers.mjs compares with Node. Mode `doubles` reads raw doubles of eight
// bytes (little-endian) and writes the canonical form of each on a line; mode `literals` reads a
// number literal a line and writes its canonical form, or `refused`. Ends with 1 if a canonical
// form does not read back as the same number.
#include <cstdio>
#include <cstring>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "core/json/canonical.h"
#include "core/json/parse.h"

namespace {

using stele::json::AppendCanonicalNumber;
using stele::json::Parse;

bool ReadsBack(std::string_view text, double number) {
  auto value = Parse(text);
  return value.ok() && value->number() != nullptr && *value->number() == number;
}

bool FormatDoubles(std::string_view in, std::string& out) {
  for (; in.size() >= sizeof(double); in.remove_prefix(sizeof(double))) {
    double number;
    std::memcpy(&number, in.data(), sizeof(number));
    const size_t start = out.size();
    AppendCanonicalNumber(number, out);
    if (!ReadsBack(std::string_view(out).substr(start), number)) {
      std::cerr << "does not read back: " << out.substr(start) << "\n";
      return false;
    }
    out.push_back('\n');
  }
  return in.empty();
}

bool FormatLiterals(std::string_view in, std::string& out) {
  while (!in.empty()) {
    const size_t end = in.find('\n');
    if (end == in.npos) return false;
    auto value = Parse(in.substr(0, end));
    if (value.ok()) {
      AppendCanonicalNumber(*value->number(), out);
    } else {
      out.append("refused");
    }
    out.push_back('\n');
    in.remove_prefix(end + 1);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 2 ? argv[1] : "";
  std::ios::sync_with_stdio(false);
  const std::string in((std::istreambuf_iterator<char>(std::cin)),
                       std::istreambuf_iterator<char>());
  std::string out;
  bool good = false;
  if (mode == "doubles") {
    good = FormatDoubles(in, out);
  } else if (mode == "literals") {
    good = FormatLiterals(in, out);
  } else {
    std::cerr << "usage: number-format doubles|literals\n";
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return good ? 0 : 1;
}
