"""The arrows of the source tree, as data: who may include what.

docs/architecture.md draws them; this file is what the test suite enforces.
A folder is named by its first two parts (core/json); a file may be named too.
"""

# Room → rooms whose headers it may include. "wire" stands for the headers
# generated from the protos, "disk" for those from the Cap'n Proto schemas.
ROOMS = {
    "core": {"core"},
    "proto": set(),
    "store": {"core", "store", "disk"},
    "client": {"core", "client", "wire"},
    "server": {"store", "client", "core", "server", "wire"},
    "tools": {"client", "store", "core", "tools"},
    "tests": None,  # anything
    "bench": None,
}

GENERATED = {"stele/": "wire", "google/rpc/": "wire", "disk/": "disk"}

# Inside core: folder → core folders it may include (itself always).
CORE = {
    "base": set(),
    "crypto": {"base"},
    "json": {"base"},
    "merkle": {"base", "crypto"},
    "record": {"base", "crypto", "json"},
    "tlog": {"base", "crypto", "merkle"},
    # The statements about log keys carry the log's own keys and checkpoints.
    "statement": {"base", "crypto", "json", "record", "merkle", "tlog"},
    # Everything that follows from the entries of a log, and the log as a whole.
    "replay": {"base", "crypto", "json", "record", "merkle", "tlog", "statement"},
    "citation": {"base", "crypto", "json", "record", "merkle", "tlog", "statement", "replay"},
    "kernelindex": {"base", "crypto", "json", "record"},
    # What the index answers, as values: the profile's too.
    "query": {"base", "crypto", "json", "record", "merkle", "tlog", "statement", "replay", "kernelindex"},
}

# Prefix of an include → path prefixes (or patterns) that alone may have it;
# tests and bench always may.
OWNERS = [
    ("core/kernelindex/", ["core/kernelindex/", "core/query/", "store/index/", "server/http/", "tools/"]),
    ("rocksdb/", ["store/backend/rocksdb/"]),
    ("capnp/", ["store/codec/"]),
    ("kj/", ["store/codec/"]),
    ("disk/", ["store/codec/"]),
    ("openssl/", ["core/crypto/", "server/tls*", "server/*/tls*"]),
    ("sodium", ["core/crypto/"]),
    ("boost/", ["server/"]),
    ("grpc/", ["server/rpc/", "client/"]),
    ("grpcpp/", ["server/rpc/", "client/"]),
    ("*.grpc.pb.h", ["server/rpc/", "client/"]),
    ("google/protobuf/", ["server/", "client/"]),
    ("simdjson", ["core/"]),
    ("double-conversion/", ["core/"]),
    ("curl/", ["client/"]),
]

# All that core may have from outside, besides the C++ standard library.
CORE_VENDORS = ("absl/", "openssl/", "sodium.h", "simdjson.h", "double-conversion/")

# No I/O, no thread, no clock in core.
CORE_FORBIDDEN = {
    "absl/time/clock.h", "absl/synchronization/*", "absl/random/*", "ctime", "filesystem",
    "fstream", "future", "iostream", "random", "stop_token", "thread",
}
# The annotated lock is defined in core/base so that every room shares it.
CORE_LOCK_HEADERS = {"mutex", "condition_variable", "shared_mutex"}
CORE_LOCK_FILE = "core/base/mutex.h"
