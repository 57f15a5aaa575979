#include "core/json/pointer.h"

namespace stele::json {

void AppendPointer(std::string& pointer, std::string_view name) {
  pointer.push_back('/');
  for (char c : name) {
    if (c == '~') {
      pointer.append("~0");
    } else if (c == '/') {
      pointer.append("~1");
    } else {
      pointer.push_back(c);
    }
  }
}

std::string ChildPointer(std::string_view parent, std::string_view name) {
  std::string pointer(parent);
  AppendPointer(pointer, name);
  return pointer;
}

std::string ChildPointer(std::string_view parent, size_t index) {
  return std::string(parent).append("/").append(std::to_string(index));
}

}  // namespace stele::json
