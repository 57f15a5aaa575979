#include "core/base/time_text.h"

#include <chrono>
#include <cstdio>

namespace stele {
namespace {

constexpr std::string_view kShape = "0000-00-00T00:00:00.000Z";

bool HasShape(std::string_view text) {
  if (text.size() != kShape.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    bool digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == '0' ? !digit : text[i] != kShape[i]) return false;
  }
  return true;
}

int Number(std::string_view digits) {
  int value = 0;
  for (char c : digits) value = value * 10 + (c - '0');
  return value;
}

}  // namespace

std::string FormatTime(TimeMs time) {
  using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly otherwise
  const sys_time<milliseconds> instant{milliseconds(time.value())};
  const auto day = floor<days>(instant);
  const year_month_day date{day};
  const int64_t ms = (instant - day).count();
  char text[64];
  std::snprintf(text, sizeof(text), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", int{date.year()},
                unsigned{date.month()}, unsigned{date.day()}, static_cast<int>(ms / 3600000),
                static_cast<int>(ms / 60000 % 60), static_cast<int>(ms / 1000 % 60),
                static_cast<int>(ms % 1000));
  return text;
}

std::optional<TimeMs> ParseTime(std::string_view text) {
  using namespace std::chrono;  // NOLINT
  if (!HasShape(text)) return std::nullopt;
  const int year_number = Number(text.substr(0, 4));
  const year_month_day date{year(year_number), month(Number(text.substr(5, 2))),
                            day(Number(text.substr(8, 2)))};
  const int hour = Number(text.substr(11, 2));
  const int minute = Number(text.substr(14, 2));
  const int second = Number(text.substr(17, 2));
  if (year_number < 1 || !date.ok() || hour > 23 || minute > 59 || second > 59) {
    return std::nullopt;
  }
  const auto instant = sys_time<milliseconds>(sys_days(date)) + hours(hour) + minutes(minute) +
                       seconds(second) + milliseconds(Number(text.substr(20, 3)));
  return TimeMs(instant.time_since_epoch().count());
}

}  // namespace stele
