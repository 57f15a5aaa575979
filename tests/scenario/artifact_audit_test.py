"""Audits of a log with artifacts, from a server, an HTTP prefix and a folder, whole and damaged."""

import functools
import hashlib
import http.server
import json
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402

MIB = 1024 * 1024
# In one piece, in a piece and a bit of the audit's, and more than any message takes.
SIZES = [0, 10, 300_000, MIB, MIB + 1, 9 * MIB + 5]


class Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass


def audit(site, source, *flags):
    """Exit code and report; no faults are looked for in anything but the report."""
    done = subprocess.run(site.command("audit", source, "--json", "--timeout", "20s", *flags),
                          capture_output=True, timeout=300)
    report = json.loads(done.stdout) if done.stdout.strip() else {}
    return done.returncode, report, done.stderr.decode()


def expect_clean(site, source, *flags):
    code, report, said = audit(site, source, *flags)
    assert code == 0, f"{source}: exit {code}: {report} {said}"


def expect_missing(site, source, digest, reason="MISSING_CONTENT", *flags):
    code, report, said = audit(site, source, *flags)
    assert code == 1, f"{source}: exit {code}: {report} {said}"
    faults = json.dumps(report)
    assert reason in faults and digest in faults, f"{source}: {faults}"


def copy_over_http(address, folder, digests):
    """The log as static files, as any mirror would have it."""
    def fetch(path):
        with urllib.request.urlopen(f"http://{address}/{path}", timeout=120) as answer:
            body = answer.read()
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(body)
        return body

    size = int(fetch("checkpoint").decode().split("\n")[1])
    assert 1 < size < 256, size
    fetch(f"tile/0/000.p/{size}")
    fetch(f"tile/entries/000.p/{size}")
    for digest in digests:
        body = fetch(f"content/{digest}")
        assert hashlib.sha256(body).hexdigest() == digest


def damage(file):
    """Each way in which a file can be wrong, and back again."""
    whole = file.read_bytes()
    middle = len(whole) // 2
    flipped = bytearray(whole)
    if whole:
        flipped[middle] ^= 1
        yield "a flipped byte", lambda: file.write_bytes(flipped)
        yield "half of it", lambda: file.write_bytes(whole[:middle])
    yield "a byte more", lambda: file.write_bytes(whole + b"x")
    yield "nothing there", file.unlink
    file.write_bytes(whole)


def main():
    with steled.Site() as site:
        site.server.start()
        site.grant()
        numbers = random.Random(7)
        digests = []
        for size in SIZES:
            path = site.dir / "artifact"
            path.write_bytes(numbers.randbytes(size))
            digests.append(hashlib.sha256(path.read_bytes()).hexdigest())
            put = site.stele("artifact", "put", path, "--signer", site.publisher)
            assert put.stdout.decode() == f"sha256:{digests[-1]}\n", put.stdout
        record = site.dir / "record.json"
        record.write_text('{"apiVersion":"v1","kind":"K","spec":{"n":1}}')
        site.stele("push", record, "--signer", site.publisher)
        named = site.stele("digest", record).stdout.decode().split()[0].removeprefix("sha256:")

        expect_clean(site, site.server.grpc)
        expect_clean(site, f"http://{site.server.http}")
        folder = site.dir / "copy"
        copy_over_http(site.server.http, folder, [*digests, named])
        print("ok: server and HTTP prefix are clean, and copied", flush=True)

        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        for source in (folder, url):
            expect_clean(site, source)
        for digest, size in zip(digests, SIZES):
            for what, do in damage(folder / "content" / digest):
                do()
                for source in (folder, url):
                    expect_missing(site, source, digest)
            print(f"ok: {size} bytes: every damage is named", flush=True)
        for source in (folder, url):
            expect_clean(site, source)

        # What was missing is looked for again by a run that remembers the rest.
        large = folder / "content" / digests[-1]
        state = site.dir / "audit.state"
        aside = site.dir / "aside"
        shutil.move(large, aside)
        expect_missing(site, folder, digests[-1], "MISSING_CONTENT", "--state", state)
        shutil.move(aside, large)
        expect_clean(site, folder, "--state", state)
        print("ok: what is back is taken in", flush=True)

        # The server's own copy, a byte of it flipped: it refuses to hand it out, and so does fsck.
        assert site.server.stop() == 0
        whole = large.read_bytes()
        hit = None
        for blob in sorted((site.store / "db").glob("*.blob")):
            bytes_ = blob.read_bytes()
            at = bytes_.find(whole[5 * MIB:5 * MIB + 64])
            if at >= 0:
                hit = blob
                flipped = bytearray(bytes_)
                flipped[at] ^= 1
                blob.write_bytes(flipped)
        assert hit is not None, "no blob file has the artifact"
        site.server.start()
        for source in (site.server.grpc, f"http://{site.server.http}"):
            code, report, said = audit(site, source)
            assert code == 4, f"{source}: exit {code}: {report} {said}"
            assert digests[-1] in said + json.dumps(report), f"{source}: {report} {said}"
        get = subprocess.run(site.command("artifact", "get", digests[-1], "-o", site.dir / "out"),
                             capture_output=True, timeout=120)
        assert get.returncode == 4, get.stderr
        assert not (site.dir / "out").exists()
        assert site.server.stop() == 0
        fsck = subprocess.run([str(steled.BIN / "stele"), "fsck", str(site.store), "--guard",
                               str(site.guard)], capture_output=True, timeout=120)
        assert fsck.returncode == 1 and f"artifact sha256:{digests[-1]} chunk 20".encode() \
            in fsck.stdout, fsck.stdout
        print("ok: a damaged store hands out nothing wrong and says where it is damaged", flush=True)


if __name__ == "__main__":
    main()
