// Every answer of the queries about everything that they list, as one text: two indexes answer
// alike if their texts are equal.
#pragma once

#include <string>

#include "store/index/queries.h"

namespace stele::testing {

std::string TextOf(const RecordRow& row);
std::string TextOf(const RunRow& row);
std::string TextOf(const kernelindex::Cohort& cohort);
std::string TextOf(const std::optional<kernelindex::Evidence>& evidence);

// Lists by `page_rows` a page. Fails the test if any answer is an error but NOT_FOUND.
std::string AnswersText(const store::Queries& queries, size_t page_rows);

}  // namespace stele::testing
