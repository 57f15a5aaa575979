#include "tools/push/tally.h"

#include "core/base/concat.h"

namespace stele::tools {

std::string TallyText(const Tally& tally) {
  return Concat("rows ", tally.rows, ", records ", tally.records, ", pushed ", tally.pushed,
                ", already there ", tally.already_there, ", refused ", tally.refused);
}

std::string TallyJson(const Tally& tally) {
  return Concat("{\"rows\":", tally.rows, ",\"records\":", tally.records,
                ",\"pushed\":", tally.pushed, ",\"already there\":", tally.already_there,
                ",\"refused\":", tally.refused, "}");
}

}  // namespace stele::tools
