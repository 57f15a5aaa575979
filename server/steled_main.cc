// steled: the Stele server. Exit codes: 0 drained and stopped, 1 any other failure, 2 usage.

#include <iostream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "server/base/cat.h"
#include "server/config/command_line.h"
#include "server/log/event_log.h"
#include "server/operations/service.h"
#include "server/operations/signals.h"

namespace stele::server {
namespace {

int Serve(const Config& config) {
  EventLog log(config.log_format, std::cerr);
  Signals signals([&log] { log.Error("second signal: ending at once"); });
  auto service = Service::Start(config, STELE_VERSION, log);
  if (!service.ok()) {
    log.Error(FromAbsl(service.status().message()));
    return 1;
  }
  const std::string addresses = (*service)->Addresses();
  log.Info(Cat("steled ", STELE_VERSION, " serves ", config.data.string(), " at ", addresses));
  std::cout << "listening " << addresses << std::endl;
  log.Info(Cat(signals.Wait(), ": draining"));
  const absl::Status stopped = (*service)->Stop();
  service->reset();
  if (!stopped.ok()) {
    log.Error(Cat("stopped before everything was committed: ", FromAbsl(stopped.message())));
    return 1;
  }
  log.Info("stopped; every accepted statement is committed");
  return 0;
}

int Main(const std::vector<std::string>& args) {
  auto parsed = ParseCommandLine(args, STELE_VERSION);
  if (!parsed.ok()) {
    std::cerr << "steled: " << parsed.status().message() << "\n";
    return 2;
  }
  if (const Answer* answer = std::get_if<Answer>(&*parsed)) {
    std::cout << answer->text;
    return 0;
  }
  return Serve(std::get<Config>(*parsed));
}

}  // namespace
}  // namespace stele::server

int main(int argc, char** argv) {
  return stele::server::Main(std::vector<std::string>(argv + 1, argv + argc));
}
