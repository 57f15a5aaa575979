"""A running log is what the Go project's own tile reader and signed notes take for one: at sizes around full tiles,
or (--corpus) with every record of the registry's export in it."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402
import tlog_reader  # noqa: E402

HERE = pathlib.Path(__file__).parent
GOPATH = pathlib.Path("/usr/share/gocode")
SMALL = (1, 255, 256, 257)
LARGE = (1, 65535, 65536, 65537)


def build(folder):
    """The Go program, from Debian's sources alone: no module, no network."""
    go = shutil.which("go")
    if go is None or not (GOPATH / "src/golang.org/x/mod/sumdb/tlog").is_dir():
        steled.skip("go or its package golang.org/x/mod is absent (scripts/install-deps)")
    program = folder / "tlog-check"
    environment = dict(os.environ, GO111MODULE="off", GOPATH=str(GOPATH), GOPROXY="off", GOFLAGS="",
                       GOCACHE=str(steled.BIN.parent / "go-cache"))
    done = subprocess.run([go, "build", "-o", program, "."], cwd=HERE / "tlog", env=environment,
                          capture_output=True, timeout=600)
    assert done.returncode == 0, done.stderr.decode()
    return program


class Checker:
    def __init__(self, site):
        self.site = site
        self.program = build(site.dir)
        self.state = site.dir / "tlog-state"
        self.vkey = tlog_reader.policy_vkey(site.store)

    def command(self, *flags, vkey=None):
        return [self.program, "-log", "http://" + self.site.server.http, "-vkey", vkey or self.vkey,
                "-state", self.state, *flags]

    def check(self, size, *flags):
        said = steled.run(*self.command(*flags)).stdout.decode()
        assert said.startswith(f"size {size}, "), said
        print(said, end="", flush=True)
        return said

    def refuses(self, what, **kwargs):
        done = steled.run(*self.command(**kwargs), check=False)
        assert done.returncode == 1, f"{what}: taken"


def push_until(site, size, target):
    path = site.dir / "records.ndjson"
    with open(path, "w") as out:
        for n in range(size, target):
            out.write(json.dumps({"apiVersion": "v1", "kind": "Probe", "spec": {"n": n}}) + "\n")
    site.stele("push", path, "--batch", "1", "--quiet", "--signer", site.publisher)


def grow(sizes):
    with steled.Site("--disk-reserve", "0") as site:
        site.server.start()
        checker = Checker(site)
        for target in sizes:
            if target > 1:
                if not checker.state.exists() or json.loads(checker.state.read_text())["N"] == 1:
                    site.grant()
                    size = 2
                push_until(site, size, target)
                size = target
            checker.check(target, *(["-content"] if target < 1000 else []))
        # The checker does not take everything: another log's key, another history.
        other = "test.example/log+" + checker.vkey.split("+", 1)[1].replace("A", "B", 1)
        checker.refuses("another key", vkey=other)
        seen = json.loads(checker.state.read_text())
        seen["Hash"] = seen["Hash"][::-1][1:] + "="
        checker.state.write_text(json.dumps(seen))
        checker.refuses("another history")
        assert site.server.stop() == 0


def import_corpus():
    export = steled.corpus()
    with steled.Site("--disk-reserve", "0") as site:
        site.server.start()
        checker = Checker(site)
        site.grant()
        pushed = json.loads(site.stele("push", export, "--format", "kernelindex-catalog", "--json", "--signer",
                                       site.publisher).stdout.decode().splitlines()[-1])
        head = json.loads(site.stele("log", "head", "--json").stdout)
        said = checker.check(head["size"], "-content")
        contents = int(said.split(", ")[2].split()[0])
        assert contents >= pushed["records"] > 1000, (contents, pushed)
        assert site.server.stop() == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--corpus", action="store_true")
    flags = parser.parse_args()
    if flags.corpus:
        import_corpus()
    else:
        grow(LARGE if flags.large else SMALL)


if __name__ == "__main__":
    main()
