@0xd1b7c4f29a6e5083;
# The bodies of the index's rows, version 1 (docs/formats/disk.md). Each is the root of one message
# inside a checksummed frame (store/codec/frame.h) and repeats the key that it stands under. Unlike
# those of frames.capnp nothing here is kept for ever: a change of what an index holds is a new format
# of it (store/codec/index_values.h), and then it is derived anew.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("stele::disk::v1");

# Digests are Data of exactly 32 bytes, or empty where there is none.

struct IndexPosition {
  format @0 :UInt32;
  origin @1 :Text;
  applied @2 :UInt64;
  root @3 :Data;
  parts @4 :Bool;
}

struct IndexFirst {
  key @0 :Data;
  logged @1 :Int64;  # milliseconds since 1970
}

struct IndexBody {
  key @0 :Data;
  kind @1 :Text;
}

struct IndexTitle {
  key @0 :Data;
  name @1 :Text;
  title @2 :Text;
}

struct IndexReference {
  key @0 :Data;
  pointer @1 :Text;
  artifact @2 :Bool;
}

struct IndexRun {
  key @0 :Data;
  status @1 :Text;
  metric @2 :Text;
  unit @3 :Text;
  hasValue @4 :Bool;
  value @5 :Float64;
  hasInterval @6 :Bool;
  low @7 :Float64;
  high @8 :Float64;
  sourceNative @9 :Bool;
  workload @10 :Data;
  protocol @11 :Data;
  environment @12 :Data;
  implementation @13 :Data;
}
