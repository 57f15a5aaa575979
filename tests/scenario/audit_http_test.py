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

    def log_message(self, *args):
        pass


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

        server.shutdown()
        server.server_close()
        done = subprocess.run([str(steled.BIN / "stele"), "audit", url, "--timeout", "200ms", *map(str, policy)],
                              capture_output=True, timeout=120)
        assert done.returncode == 3, f"a server that is gone: exit {done.returncode}"
        print("ok: a server that is gone", flush=True)


if __name__ == "__main__":
    main()
