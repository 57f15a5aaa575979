// An artifact for tests of backends: bytes that follow from a number, and its way into a store.
#pragma once

#include <cstdint>
#include <string>

#include "store/backend/backend.h"

namespace stele::store::testing {

class TestArtifact {
 public:
  TestArtifact(uint64_t number, uint64_t size);

  const std::string& bytes() const { return bytes_; }
  const Digest& digest() const { return whole_.digest; }
  // How it stands when it is staged whole, and when it was only begun.
  const StagedArtifact& whole() const { return whole_; }
  StagedArtifact begun() const;
  ArtifactRow row() const { return {whole_.digest, whole_.size, whole_.chunk_digests}; }
  uint64_t chunks() const { return ChunksOf(whole_.size); }
  std::string Chunk(uint64_t number) const;

  // Begins it and puts its first `chunks`. Failures are gtest's.
  void Begin(Backend& backend, uint64_t chunks) const;
  // All of it, staged whole.
  void Stage(Backend& backend) const;
  // Every byte of it is content, or nothing at all.
  void ExpectContent(const Snapshot& snapshot) const;
  void ExpectAbsent(const Snapshot& snapshot) const;

 private:
  std::string bytes_;
  StagedArtifact whole_;
};

}  // namespace stele::store::testing
