"""A full disk on a real small tmpfs, once in the write-ahead log and once in a flush.

Each time: the process lives, reads are answered, every acknowledged statement is there, a refusal says DISK_FULL, and
publishing works again within ten seconds of space returning, in the same process.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402
import tlog_reader  # noqa: E402

MIB = 1 << 20
# 1: refused; 3: told to wait for space, and gave up after --timeout.
REFUSED = (1, 3)


def own_mounts():
    """Re-runs this script in its own mount namespace, as root or as a user's root."""
    if os.environ.get("STELE_OWN_MOUNTS") == "1":
        return
    unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    if subprocess.run([*unshare, "true"], capture_output=True).returncode != 0:
        steled.skip("no mount namespace to be had here")
    os.environ["STELE_OWN_MOUNTS"] = "1"
    os.execvp("unshare", [*unshare, sys.executable, *sys.argv])


def mount_tmpfs(folder, size_mib):
    folder.mkdir(parents=True)
    steled.run("mount", "-t", "tmpfs", "-o", f"size={size_mib}m", "tmpfs", folder)


def manifests(folder, begin, count, filler):
    """One NDJSON file of records that do not compress."""
    path = folder / f"records-{begin}.ndjson"
    with open(path, "w") as out:
        for n in range(begin, begin + count):
            out.write(json.dumps({"apiVersion": "v1", "kind": "Filler",
                                  "spec": {"n": n, "noise": os.urandom(filler // 2).hex()}}) + "\n")
    return path


def push(site, path, *flags):
    return site.stele("--timeout", "3", "push", path, "--batch", "1", "--json", "--signer", site.publisher,
                      "--receipts", site.dir / "receipts", *flags, check=False)


def acknowledged(site):
    receipts = site.dir / "receipts"
    return [json.loads(line) for line in receipts.read_text().splitlines()] if receipts.exists() else []


def ballast(folder, leave):
    """Fills the disk but for `leave` bytes."""
    stat = os.statvfs(folder)
    size = stat.f_bavail * stat.f_frsize - leave
    path = folder / "ballast"
    with open(path, "wb") as out:
        block = b"\1" * MIB
        while size > 0:
            size -= out.write(block[:size])
    return path


def check_reads(site, vkey):
    _, _, leaves = tlog_reader.read_log(site.server.http, vkey)
    for receipt in acknowledged(site):
        assert leaves[receipt["index"]] == base64.b64decode(receipt["leaf"]), "an acknowledged entry is gone"


def full_disk(name, base, leave, records, filler, cause, *flags):
    disk = base / name
    mount_tmpfs(disk, 96)
    site_dir = base / (name + "-site")
    site_dir.mkdir()
    # The guard and the keys stay off the small disk: only the store is squeezed.
    site = steled.Site("--disk-reserve", "0", *flags, folder=site_dir)
    shutil.move(site.store, disk / "store")
    site.store = site.server.data = disk / "store"
    site.server.log = site_dir / "steled.log"
    with site:
        server = site.server.start()
        site.grant()
        vkey = tlog_reader.policy_vkey(site.store)
        first = push(site, manifests(site_dir, 0, 50, 1000))
        assert first.returncode == 0, first.stderr.decode()
        digest = "sha256:" + tlog_reader.statement_of(
            tlog_reader.read_entries(server.http, 2, 3)[0])["subject"][0]["digest"]["sha256"]

        # With the server stopped: space that it has reserved ahead for its log would not be short.
        assert server.stop() == 0
        weight = ballast(disk, leave)
        server.start()
        full = push(site, manifests(site_dir, 1000, records, filler))
        assert full.returncode in REFUSED, (
            f"the push did not meet a full disk (exit {full.returncode}): {full.stdout.decode()[-500:]}")
        assert b"the disk " in full.stderr + full.stdout, full.stderr.decode()[-2000:]
        assert server.alive(), "the server died of a full disk"
        assert cause in server.log.read_text(), f"the disk was full elsewhere: {server.log.read_text()[-2000:]}"
        before = len(acknowledged(site))
        assert site.stele("get", digest).stdout, "reads are not answered on a full disk"
        check_reads(site, vkey)
        refused = push(site, manifests(site_dir, 5000, 1, 1000))
        assert refused.returncode in REFUSED and b"the disk " in refused.stderr + refused.stdout, (
            refused.stderr.decode())

        weight.unlink()
        freed = time.monotonic()
        path = manifests(site_dir, 6000, 1, 1000)
        while push(site, path).returncode != 0:
            assert time.monotonic() - freed < 10, "publishing is not back within ten seconds"
            time.sleep(0.2)
        back = time.monotonic() - freed
        assert server.alive()
        check_reads(site, vkey)
        assert len(acknowledged(site)) > before
        assert server.stop() == 0, server.log.read_text()[-2000:]
        server.start()
        check_reads(site, vkey)
        assert server.stop() == 0
    steled.run("umount", disk)
    print(f"{name}: {before} acknowledged before, publishing back {back:.1f} s after space returned")


def main():
    own_mounts()
    base = pathlib.Path(tempfile.mkdtemp(prefix="stele-full-"))
    # A large write buffer: the write-ahead log fills the disk before anything is flushed.
    full_disk("write-ahead-log", base, 2 * MIB, 400, 16000, "committing size", "--write-buffer-bytes", 32 * MIB)
    # A small one, and less room than a log and a flush of it need: the flush fails.
    full_disk("flush", base, 1400 * 1024, 400, 16000, "Background IO error", "--write-buffer-bytes", MIB)
    shutil.rmtree(base)


if __name__ == "__main__":
    main()
