#include "server/files/files.h"

#include "server/files/content_files.h"
#include "server/files/log_files.h"

namespace stele::server {

HttpResponse AnswerFile(const ReaderSource& source, const HttpRequest& request) {
  if (request.path.starts_with(kContentPath)) return AnswerContentFile(source, request);
  return AnswerLogFile(source, request);
}

}  // namespace stele::server
