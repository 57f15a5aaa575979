#include "server/rpc/service_limits.h"

namespace stele::server {

std::vector<NamedLimit> AllLimits(uint64_t queue_statements) {
  return {
      {"manifest_bytes", limits::kManifestBytes},
      {"json_depth_levels", limits::kJsonDepth},
      {"payload_bytes", limits::kPayloadBytes},
      {"leaf_bytes", limits::kLeafBytes},
      {"statement_subjects", limits::kSubjects},
      {"reason_bytes", limits::kReasonBytes},
      {"name_bytes", limits::kNameBytes},
      {"media_type_bytes", limits::kMediaTypeBytes},
      {"predicate_type_bytes", limits::kPredicateTypeBytes},
      {"origin_bytes", limits::kOriginBytes},
      {"body_characters", limits::kBodyCharacters},
      {"recovery_keys", limits::kRecoveryKeys},
      {"successors_followed", limits::kSuccessors},
      {"integer_value", static_cast<uint64_t>(limits::kMaxInteger)},
      {"tile_hashes", limits::kTileWidth},
      {"envelope_bytes", limits::kEnvelopeBytes},
      {"statement_content_bytes", limits::kStatementContentBytes},
      {"message_bytes", limits::kMessageBytes},
      {"request_items", limits::kRequestItems},
      {"stream_window_statements", limits::kStreamWindow},
      {"stream_window_bytes", limits::kStreamWindowBytes},
      {"queue_statements", queue_statements},
      {"queue_bytes", limits::kQueueBytes},
      {"plan_bytes", limits::kPlanBytes},
      {"plan_statements", limits::kPlanStatements},
      {"fetch_digests", limits::kFetchDigests},
      {"exists_items", limits::kExistsItems},
      {"list_entries", limits::kListEntries},
      {"list_entries_bytes", limits::kListEntriesBytes},
      {"disk_reserve_bytes", limits::kDiskReserveBytes},
      {"clock_back_ms", static_cast<uint64_t>(limits::kClockBackMs)},
      {"clock_jump_ms", static_cast<uint64_t>(limits::kClockJumpMs)},
      {"yaml_aliases", limits::kYamlAliases},
      {"digest_prefix_hex", limits::kDigestPrefixHex},
      {"streams", service_limits::kStreams},
      {"connection_calls", service_limits::kConnectionCalls},
      {"transport_bytes", service_limits::kTransportBytes},
      {"lookahead_bytes", service_limits::kLookaheadBytes},
      {"metadata_bytes", service_limits::kMetadataBytes},
      {"response_bytes", service_limits::kResponseBytes},
      {"keys_page", service_limits::kKeysPageMost},
      {"prefix_digests", service_limits::kPrefixDigests},
  };
}

}  // namespace stele::server
