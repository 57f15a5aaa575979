// The engines that the contract is run against.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "store/backend/backend.h"

namespace stele::store::testing {

// A disk with at most one handle on it.
class Engine {
 public:
  virtual ~Engine() = default;
  // A new store, without a head.
  virtual std::unique_ptr<Backend> Create() = 0;
  // Another handle on what is there; the earlier one and its snapshots are gone.
  virtual std::unique_ptr<Backend> Reopen() = 0;
  // The next commit of the handle fails, as on a full disk or by an I/O error, until Heal().
  enum class Fault { kDiskFull, kIoError };
  virtual void Break(Backend& backend, Fault fault) = 0;
  virtual void Heal() = 0;
};

struct EngineMaker {
  std::string name;
  std::unique_ptr<Engine> (*make)();
  friend void PrintTo(const EngineMaker& maker, std::ostream* out) { *out << maker.name; }
};
std::vector<EngineMaker> AllEngines();

}  // namespace stele::store::testing
