#include "server/http/message.h"

#include "server/base/cat.h"

namespace stele::server {

HttpResponse HttpError(int status, std::string_view sentence) {
  HttpResponse response;
  response.status = status;
  response.body = Cat(sentence, "\n");
  return response;
}

}  // namespace stele::server
