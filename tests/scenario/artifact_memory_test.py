"""200 MiB in and out: nobody holds more of it than a few pieces."""

import hashlib
import os
import pathlib
import random
import subprocess
import sys
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402

MIB = 1024 * 1024
SIZE = 200 * MIB + 12345
SERVER_GROWTH = 32 * MIB
CLIENT_PEAK = 96 * MIB


def memory(pid, name):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"no {name} of {pid}")


def peak_of(command):
    """Runs a command to its end and gives the most memory that it had."""
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{command}: exit {process.returncode}"
    return usage.ru_maxrss * 1024


def write_random(path, size):
    numbers = random.Random(size)
    digest = hashlib.sha256()
    with open(path, "wb") as file:
        left = size
        while left > 0:
            piece = numbers.randbytes(min(left, MIB))
            file.write(piece)
            digest.update(piece)
            left -= len(piece)
    return digest.hexdigest()


def digest_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(MIB):
            digest.update(piece)
    return digest.hexdigest()


def main():
    with steled.Site() as site:
        site.server.start()
        site.grant()
        # So that what a server has once is not counted.
        path, out = site.dir / "artifact", site.dir / "out"
        small = write_random(path, MIB)
        site.stele("artifact", "put", path, "--signer", site.publisher)
        site.stele("artifact", "get", small, "-o", out)
        out.unlink()
        pid = site.server.pid()
        before = memory(pid, "VmRSS")
        pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")  # the peak counts from here

        digest = write_random(path, SIZE)
        put = peak_of(site.command("artifact", "put", path, "--signer", site.publisher))
        after_put = memory(pid, "VmHWM")
        get = peak_of(site.command("artifact", "get", digest, "-o", out))
        assert digest_of(out) == digest
        with urllib.request.urlopen(f"http://{site.server.http}/content/{digest}",
                                    timeout=600) as answer:
            hashed = hashlib.sha256()
            while piece := answer.read(MIB):
                hashed.update(piece)
        assert hashed.hexdigest() == digest
        audit = peak_of(site.command("audit", site.server.grpc))
        growth = memory(pid, "VmHWM") - before
        print(f"server: {before // MIB} MiB before, grew by {(after_put - before) // MIB} MiB "
              f"to put, {growth // MIB} MiB in all; put {put // MIB} MiB, get {get // MIB} MiB, "
              f"audit {audit // MIB} MiB", flush=True)
        assert growth < SERVER_GROWTH, f"the server grew by {growth} bytes"
        for name, peak in (("put", put), ("get", get), ("audit", audit)):
            assert peak < CLIENT_PEAK, f"{name} had {peak} bytes"
        assert site.server.stop() == 0
        fsck = peak_of([steled.BIN / "stele", "fsck", site.store, "--guard", site.guard])
        print(f"fsck: {fsck // MIB} MiB", flush=True)
        assert fsck < CLIENT_PEAK + 32 * MIB, f"fsck had {fsck} bytes"


if __name__ == "__main__":
    main()
