#include "server/files/file_error.h"

#include "core/base/refusal.h"
#include "server/base/cat.h"

namespace stele::server {

HttpResponse FileError(const absl::Status& status) {
  int code = 503;
  if (absl::IsNotFound(status)) code = ReasonOf(status) == reason::kWithheld ? 451 : 404;
  if (absl::IsDataLoss(status)) code = 500;
  return HttpError(code, FromAbsl(status.message()));
}

}  // namespace stele::server
