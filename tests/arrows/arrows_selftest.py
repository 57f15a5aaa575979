#!/usr/bin/env python3
"""Shows that arrows.py can fail: one small tree a rule, each breaking just it."""

import json
import pathlib
import tempfile
import unittest

import arrows

CLEAN = {
    "core/base/hex.h": "#include <string>\n",
    "core/base/hex.cc": '#include "core/base/hex.h"\n#include "absl/strings/str_cat.h"\n',
    "core/crypto/key.cc": '#include <openssl/evp.h>\n#include "core/base/hex.h"\n',
    "core/crypto/key.h": "",
    "core/json/parse.cc": "#include <simdjson.h>\n",
    "core/kernelindex/rank.h": '#include "core/base/hex.h"\n',
    "proto/stele/v1/log.proto": 'import "google/rpc/status.proto";\n',
    "proto/disk/v1/frames.capnp": 'using Cxx = import "/capnp/c++.capnp";\n',
    "store/backend/backend.h": '#include "core/base/hex.h"\n',
    "store/backend/rocksdb/db.cc": '#include <rocksdb/db.h>\n#include "store/backend/backend.h"\n',
    "store/codec/frame.cc": '#include <capnp/message.h>\n#include <kj/io.h>\n#include "disk/v1/frames.capnp.h"\n',
    "store/index/rows.cc": '#include "core/kernelindex/rank.h"\n',
    "server/rpc/log.cc": '#include <grpcpp/grpcpp.h>\n#include "stele/v1/log.grpc.pb.h"\n#include "store/backend/backend.h"\n',
    "server/http/http.cc": "#include <boost/beast.hpp>\n",
    "server/tls.cc": "#include <openssl/ssl.h>\n",
    "client/client.h": '#include "stele/v1/log.pb.h"\n',
    "tools/push/push.cc": '#include "client/client.h"\n#include "store/backend/backend.h"\n',
    "tests/support/audit.h": "#include <rocksdb/db.h>\n",
    "tests/core/base/hex_test.cc": '#include "core/base/hex.h"\n#include "tests/support/audit.h"\n',
}

# rule → (file, content, words of the finding)
BROKEN = {
    "core reaches up": ("core/base/hex.cc", '#include "store/backend/backend.h"', "core/ may not include store/"),
    "core includes the wire": ("core/base/hex.cc", '#include "stele/v1/log.pb.h"', "core/ may not include wire/"),
    "core against its own order": ("core/base/hex.cc", '#include "core/crypto/key.h"', "core/base may not include core/crypto"),
    "a core folder without a rule": ("core/extra/a.cc", '#include "core/base/hex.h"', "has no line"),
    "core with a vendor": ("core/base/hex.cc", "#include <zstd.h>", "core has only"),
    "core with POSIX": ("core/base/hex.cc", "#include <sys/socket.h>", "core has only"),
    "core with I/O": ("core/base/hex.cc", "#include <fstream>", "no I/O"),
    "core with a clock": ("core/base/hex.cc", '#include "absl/time/clock.h"', "no clock"),
    "core with a thread": ("core/base/hex.cc", "#include <thread>", "no thread"),
    "core with a bare lock": ("core/base/hex.cc", "#include <mutex>", "core/base/mutex.h"),
    "a header of proto": ("proto/helper.h", '#include "core/base/hex.h"', "proto/ may not include core/"),
    "a schema imports code": ("proto/stele/v1/log.proto", 'import "core/base/hex.proto";', "a schema imports only schemas"),
    "a frame imports code": ("proto/disk/v1/frames.capnp", 'using X = import "/store/x.capnp";', "a schema imports only schemas"),
    "store reaches the server": ("store/index/rows.cc", '#include "server/http/http.h"', "store/ may not include server/"),
    "store includes the client": ("store/index/rows.cc", '#include "client/client.h"', "store/ may not include client/"),
    "store includes the wire": ("store/index/rows.cc", '#include "google/rpc/status.pb.h"', "store/ may not include wire/"),
    "frames outside the codec": ("store/index/rows.cc", '#include "disk/v1/frames.capnp.h"', "disk/ belongs to store/codec/"),
    "capnp outside the codec": ("store/index/rows.cc", "#include <capnp/message.h>", "capnp/ belongs to"),
    "kj outside the codec": ("store/index/rows.cc", "#include <kj/exception.h>", "kj/ belongs to"),
    "RocksDB outside its folder": ("store/backend/memory.cc", "#include <rocksdb/db.h>", "rocksdb/ belongs to"),
    "OpenSSL outside crypto": ("core/json/parse.cc", "#include <openssl/sha.h>", "openssl/ belongs to"),
    "OpenSSL in the server": ("server/http/http.cc", "#include <openssl/ssl.h>", "openssl/ belongs to"),
    "gRPC in pages": ("server/http/http.cc", "#include <grpcpp/grpcpp.h>", "grpcpp/ belongs to"),
    "a service in the tools": ("tools/push/push.cc", '#include "stele/v1/log.grpc.pb.h"', "tools/ may not include wire/"),
    "boost in the client": ("client/client.h", "#include <boost/beast.hpp>", "boost/ belongs to"),
    "client includes the store": ("client/client.h", '#include "store/backend/backend.h"', "client/ may not include store/"),
    "server includes tools": ("server/http/http.cc", '#include "tools/push/push.h"', "server/ may not include tools/"),
    "kernelindex in the log": ("store/log/plan.cc", '#include "core/kernelindex/rank.h"', "core/kernelindex/ belongs to"),
    "product includes tests": ("tools/push/push.cc", '#include "tests/support/audit.h"', "tools/ may not include tests/"),
    "product includes bench": ("store/index/rows.cc", '#include "bench/load.h"', "store/ may not include bench/"),
    "a relative include": ("core/base/hex.cc", '#include "hex.h"', "named from the root"),
    "a missing header": ("tests/core/base/hex_test.cc", '#include "core/base/gone.h"', "no such file"),
    "a ring": ("store/backend/backend.h", '#include "store/index/rows.h"', "in a ring"),
}


class Tree:
    """A source tree in a temporary folder, with its compile commands."""

    def __init__(self, files, unbuilt=()):
        self.files, self.unbuilt = files, unbuilt

    def findings(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name).resolve()
            for file, content in self.files.items():
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(content)
            built = [f for f in self.files if f.endswith(".cc") and f not in self.unbuilt]
            commands = root / "compile_commands.json"
            commands.write_text(json.dumps([{"directory": name, "file": f} for f in built]))
            return list(arrows.findings(root, commands))


class ArrowsTest(unittest.TestCase):
    def test_clean_tree_has_no_findings(self):
        self.assertEqual([], Tree(CLEAN).findings())

    def test_each_rule_can_fail(self):
        for rule, (file, content, words) in BROKEN.items():
            with self.subTest(rule):
                files = dict(CLEAN)
                files[file] = files.get(file, "") + content + "\n"
                if rule == "a ring":
                    files["store/index/rows.h"] = '#include "store/backend/backend.h"\n'
                found = Tree(files).findings()
                hits = [f for f in found if words in f and f.startswith((file, "store/"))]
                self.assertTrue(hits, f"{rule}: nothing says '{words}' in {found}")

    def test_a_test_that_no_target_builds(self):
        found = Tree(CLEAN, unbuilt={"tests/core/base/hex_test.cc"}).findings()
        self.assertEqual(["tests/core/base/hex_test.cc: a test that no target builds"], found)

    def test_a_source_file_that_no_target_builds(self):
        found = Tree(CLEAN, unbuilt={"server/tls.cc"}).findings()
        self.assertEqual(["server/tls.cc: a source file that no target builds"], found)

    def test_a_commented_include_is_none(self):
        files = dict(CLEAN)
        files["core/base/hex.cc"] += '// #include "store/backend/backend.h"\n'
        self.assertEqual([], Tree(files).findings())


if __name__ == "__main__":
    unittest.main()
