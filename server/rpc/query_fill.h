// Answers about records (core/query/answers.h) as messages.
#pragma once

#include "core/query/answers.h"
#include "stele/v1/query.pb.h"

namespace stele::server {

void Fill(const IndexMoment& moment, v1::IndexMoment& out);
void Fill(const RecordRow& row, v1::RecordRow& out);
void Fill(const Standing& standing, v1::Standing& out);
void Fill(const HistoryRow& row, v1::HistoryRow& out);
void Fill(const ReferenceRow& row, v1::ReferenceRow& out);
void Fill(const RunRow& row, v1::RunRow& out);
void Fill(const CohortAnswer& cohort, v1::GetCohortResponse& out);
void Fill(const kernelindex::Evidence& evidence, v1::EvidenceLevel& out);

}  // namespace stele::server
