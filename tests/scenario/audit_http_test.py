"""An audit over HTTP: any web server with the files of a log will do."""

import functools
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402

VECTORS = steled.SOURCE / "tests" / "vectors" / "stele"


class Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keep-alive
    endless = None  # the path that never ends

    def log_message(self, *args):
        pass

    def do_GET(self):
        if self.path != self.endless:
            return super().do_GET()
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        try:
            while True:
                self.wfile.write(bytes(65536))
        except OSError:  # the reader has had enough
            pass


# What a server can say in place of a file, and what the audit says to that for each kind of file.
LIES = {
    "zeros": lambda whole: bytes(len(whole)),
    "a trailing byte": lambda whole: whole + b"\0",
    "a trailing hash": lambda whole: whole + bytes(32),
    "nothing": lambda whole: b"",
    "a page": lambda whole: b"<!doctype html><title>Not here</title>",
    "no end": None,
}
FILES = {
    "checkpoint": "NOTE_FORM",
    "tile/0/000": "TILE_MISMATCH",
    "tile/0/001.p/44": "TILE_MISMATCH",
    "tile/1/000.p/1": "TILE_MISMATCH",
    "tile/entries/000": "BUNDLE_FORM",
    "tile/entries/001.p/44": "BUNDLE_FORM",
}


def lie(site, url, policy):
    """Every lie about every kind of file is refused with exit code 4 and its reason."""
    for file, reason in FILES.items():
        path = site / file
        whole = path.read_bytes()
        for name, edit in LIES.items():
            if edit is None:
                Quiet.endless = f"/{file}"
            else:
                path.write_bytes(edit(whole))
            done = audit(url, *policy)
            path.write_bytes(whole)
            Quiet.endless = None
            said = done.stderr.decode()
            assert done.returncode == 4, f"{file}, {name}: exit {done.returncode}: {said}"
            assert reason in said, f"{file}, {name}: {said}"
        print(f"ok: {file}: {len(LIES)} lies, each {reason}", flush=True)


def audit(url, *flags):
    return subprocess.run([str(steled.BIN / "stele"), "audit", url, "--timeout", "10s", *map(str, flags)],
                          capture_output=True, timeout=120)


def main():
    with tempfile.TemporaryDirectory() as temp:
        site = pathlib.Path(temp) / "site"
        shutil.copytree(VECTORS / "log", site)
        handler = functools.partial(Quiet, directory=str(site))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        policy = ["--policy", site / "policy"]

        done = audit(url, *policy, "--json", "--state", pathlib.Path(temp) / "state")
        assert done.returncode == 0, done.stderr.decode()
        report = json.loads(done.stdout)
        expected = json.loads((VECTORS / "log" / "expected.json").read_text())
        assert report["size"] == expected["size"] and report["faults"] == [], report
        assert report["disputed"] == len(expected["disputed"]), report
        print("ok: a whole log", flush=True)

        for damage in json.loads((VECTORS / "damage.json").read_text()):
            path = site / damage["file"]
            whole = path.read_bytes()
            if damage["remove"]:
                path.unlink()
            elif "cutLast" in damage:
                path.write_bytes(whole[:-damage["cutLast"]])
            else:
                at = damage["flipLastBitOf"]
                path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
            done = audit(url, *policy)
            path.write_bytes(whole)
            assert done.returncode == 4, f"{damage['name']}: exit {done.returncode}"
            assert damage["reason"] in done.stderr.decode(), f"{damage['name']}: {done.stderr.decode()}"
            print(f"ok: {damage['name']}: {damage['reason']}", flush=True)

        lie(site, url, policy)

        server.shutdown()
        server.server_close()
        done = subprocess.run([str(steled.BIN / "stele"), "audit", url, "--timeout", "200ms", *map(str, policy)],
                              capture_output=True, timeout=120)
        assert done.returncode == 3, f"a server that is gone: exit {done.returncode}"
        print("ok: a server that is gone", flush=True)


if __name__ == "__main__":
    main()
