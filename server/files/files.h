// Everything that `steled --http` serves, by path. Any thread.
#pragma once

#include "server/files/reader_source.h"
#include "server/http/message.h"

namespace stele::server {

HttpResponse AnswerFile(const ReaderSource& source, const HttpRequest& request);

}  // namespace stele::server
