"""Under strace: data is on stable storage before the first byte of an acknowledgement leaves, and many
streams share their syncs.

kill -9 keeps the page cache, so it cannot show this. Part one publishes one statement and looks for the store's
and the guard's fdatasync before the write that carries the leaf. Part two publishes 4,000 one-record statements
over 16 streams and counts the syncs of the store's log.
"""

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402

SYNCS = ("fdatasync", "fsync")


def events(trace):
    """(pid, call, text, returned) in the order of the trace, interrupted calls joined at their return."""
    begun = {}
    for line in trace.read_text(errors="replace").splitlines():
        pid, rest = line.split(None, 1)
        if rest.endswith("<unfinished ...>"):
            begun[pid] = rest[:-len("<unfinished ...>")]
            yield pid, rest.split("(", 1)[0], rest, False
            continue
        resumed = re.match(r"<\.\.\. (\w+) resumed>(.*)", rest)
        if resumed:
            yield pid, resumed.group(1), begun.pop(pid, "") + resumed.group(2), True
            continue
        call = re.match(r"(\w+)\(", rest)
        if call:
            yield pid, call.group(1), rest, True


def traced(folder, calls, *flags):
    trace = folder / "trace"
    # LeakSanitizer, where the server is built with it, does not work under a tracer.
    asan = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "detect_leaks=0"]))
    site = steled.Site("--disk-reserve", "0", *flags, folder=folder,
                       prefix=["env", f"ASAN_OPTIONS={asan}", "strace", "-f", "-y", "-s", "65536", "-e", f"trace={calls}", "-o", trace])
    return site, trace


def order(folder):
    site, trace = traced(folder, "fdatasync,fsync,write,writev,sendmsg,sendto")
    with site:
        site.server.start()
        site.grant()
        before = trace.stat().st_size
        manifest = site.dir / "manifest.json"
        manifest.write_text('{"apiVersion":"v1","kind":"Traced","spec":{"n":1}}')
        site.stele("push", manifest, "--signer", site.publisher)
        assert site.server.stop() == 0
        with open(trace, "rb") as file:
            file.seek(before)
            tail = site.dir / "tail"
            tail.write_bytes(file.read())
    store_synced = guard_synced = written = False
    for _, call, text, returned in events(tail):
        if call in SYNCS and returned and text.rstrip().endswith("= 0"):
            if re.search(r"<[^>]*/store/db/[^>]*\.log>", text):
                store_synced = written
            if f"<{site.guard}" in text:
                guard_synced = store_synced
        elif call == "write" and re.search(r"<[^>]*/store/db/[^>]*\.log>", text) and "entry/v1" in text:
            written = True
        elif call in ("write", "writev", "sendmsg", "sendto") and re.search(r"<(socket|TCP)[^>]*>", text):
            if "entry/v1" in text:
                assert written, "the answer left before the entry was written to the store's log"
                assert store_synced, "the answer left before the store's fdatasync returned"
                assert guard_synced, "the answer left before the guard's fdatasync returned"
                print("store and guard were synchronised before the acknowledgement left")
                return
    raise AssertionError("no acknowledgement in the trace")


def group_commit(folder):
    site, trace = traced(folder, "fdatasync,fsync")
    with site:
        site.server.start()
        site.grant()
        before = trace.stat().st_size
        done = steled.run(steled.BIN / "stele-hammer", "publish", "--server", site.server.grpc, "--state",
                          site.dir / "state", "--streams", 16, "--count", 4000, "--subjects", 1, "--bytes", 1024, "--signer", site.publisher, "--json")
        result = json.loads(done.stdout)
        assert result["failures"] == 0, result
        assert site.server.stop() == 0
        with open(trace, "rb") as file:
            file.seek(before)
            tail = site.dir / "tail"
            tail.write_bytes(file.read())
    syncs = sum(1 for _, call, text, returned in events(tail)
                if call in SYNCS and returned and re.search(r"<[^>]*/store/db/[^>]*\.log>", text))
    assert 0 < syncs < 1000, f"{syncs} syncs of the store for 4,000 statements"
    print(f"4,000 statements over 16 streams: {syncs} syncs of the store")


def main():
    if shutil.which("strace") is None:
        steled.skip("strace is not installed")
    probe = steled.run("strace", "-f", "-e", "trace=none", "-o", os.devnull, "true", check=False)
    if probe.returncode != 0:
        steled.skip("strace may not trace here: " + probe.stderr.decode().strip())
    for part in (order, group_commit):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="stele-sync-"))
        part(folder)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
