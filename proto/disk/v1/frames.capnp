@0xfbfc084d00deeda3;
# The bodies of rows on disk, version 1 (docs/formats/disk.md). Each is the root of one message inside
# a checksummed frame (store/codec/frame.h). Every row repeats the key that it stands under, so that a
# row moved elsewhere is noticed. Fields are only ever added, with a new frame version if a reader must
# know them.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("stele::disk::v1");

# Digests are Data of exactly 32 bytes. An index or "none" is an Int64, none is -1.

struct Head {
  origin @0 :Text;
  size @1 :UInt64;
  root @2 :Data;
  lastLogged @3 :Int64;  # milliseconds since 1970
  checkpoint @4 :Data;   # signed note
}

struct Entry {
  index @0 :UInt64;
  leafHash @1 :Data;
  leaf @2 :Data;
}

struct Tile {
  level @0 :UInt8;
  number @1 :UInt64;
  hashes @2 :Data;  # width × 32
}

struct Replay {
  payload @0 :Data;
  signer @1 :Data;
  index @2 :UInt64;
}

struct Publication {
  record @0 :Data;
  index @1 :UInt64;
  signer @2 :Data;
  manifest @3 :Data;
  authority @4 :Int64;
}

struct Subject {
  subject @0 :Data;
  index @1 :UInt64;
  type @2 :Type;
  signer @3 :Data;
  authority @4 :Int64;
  withheld @5 :Bool;

  enum Type {
    foreign @0;
    logKey @1;
    policy @2;
    publication @3;
    verification @4;
    reproduction @5;
    note @6;
    retraction @7;
    withholding @8;
  }
}

struct Artifact {
  digest @0 :Data;
  size @1 :UInt64;
  chunkDigests @2 :Data;  # SHA-256 of each chunk, 32 bytes each
}

struct StagedArtifact {
  digest @0 :Data;
  size @1 :UInt64;
  touched @2 :Int64;  # milliseconds since 1970
  whole @3 :Bool;
  chunkDigests @4 :Data;  # once whole
}

struct KeyEvent {
  index @0 :UInt64;
  ordinal @1 :UInt32;
  kind @2 :Kind;
  subject @3 :Data;
  signer @4 :Data;
  authority @5 :Int64;
  role @6 :Role;
  spki @7 :Data;
  name @8 :Text;
  reason @9 :Text;
  compromisedSince @10 :Int64 = -1;

  enum Kind {
    genesisOperator @0;
    genesisRecovery @1;
    grant @2;
    revoke @3;
    introduction @4;
  }
  enum Role {
    none @0;
    operator @1;
    runner @2;
    publisher @3;
    attester @4;
    guest @5;
    recovery @6;
  }
}
