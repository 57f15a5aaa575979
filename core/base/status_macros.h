// Early return on errors, for functions that return absl::Status or absl::StatusOr.
#pragma once

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define STELE_RETURN_IF_ERROR(expr)                                                     \
  do {                                                                                  \
    if (absl::Status stele_status_ = (expr); !stele_status_.ok()) return stele_status_; \
  } while (false)

#define STELE_CONCAT_INNER_(a, b) a##b
#define STELE_CONCAT_(a, b) STELE_CONCAT_INNER_(a, b)
#define STELE_ASSIGN_OR_RETURN_IMPL_(tmp, lhs, expr) \
  auto tmp = (expr);                                 \
  if (!tmp.ok()) return std::move(tmp).status();     \
  lhs = *std::move(tmp)

// STELE_ASSIGN_OR_RETURN(auto x, F());  -- returns F's error, or binds its value.
#define STELE_ASSIGN_OR_RETURN(lhs, expr) \
  STELE_ASSIGN_OR_RETURN_IMPL_(STELE_CONCAT_(stele_statusor_, __LINE__), lhs, expr)
