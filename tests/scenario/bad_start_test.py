"""Starts that must be refused, each with one clear sentence, nothing changed on disk."""

import pathlib
import shutil
import socket
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402
import tlog_reader  # noqa: E402


def snapshot(folder):
    return {p.relative_to(folder): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def refuse(title, *args, words=()):
    done = subprocess.run([str(steled.BIN / "steled"), *map(str, args)], capture_output=True, timeout=60)
    said = done.stderr.decode()
    assert done.returncode != 0, f"{title}: it started"
    assert not done.stdout, f"{title}: {done.stdout}"
    for word in words:
        assert word in said, f"{title}: {word!r} is not in {said!r}"
    sentences = [line for line in said.splitlines() if line.strip()]
    assert 1 <= len(sentences) <= 3, f"{title}: not one clear sentence: {said}"
    print(f"ok: {title}: {sentences[-1]}", flush=True)


def ports():
    return ["--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"]


def main():
    with steled.Site("--disk-reserve", "0") as site, steled.Site("--disk-reserve", "0") as other:
        missing = site.dir / "nothing-here"
        refuse("no such folder", "--data", missing, *ports(), words=["nothing-here"])
        assert not missing.exists(), "a refused start made the folder"
        strange = site.dir / "strange"
        strange.mkdir()
        (strange / "notes.txt").write_text("mine")
        before = snapshot(strange)
        refuse("a folder that is no store", "--data", strange, *ports(), words=["strange"])
        assert snapshot(strange) == before, "a refused start changed the folder"

        refuse("another store's guard", "--data", site.store, "--guard", other.guard, *ports(), words=["guard"])
        refuse("a missing guard", "--data", site.store, "--guard", site.dir / "gone", *ports(),
               words=["--accept-no-guard"])

        site.server.start()
        refuse("a store that another process serves", "--data", site.store, "--guard", site.guard, *ports(),
               words=["another process"])
        busy = socket.socket()
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = f"127.0.0.1:{busy.getsockname()[1]}"
        for flag in ("--listen", "--http", "--admin"):
            rest = [f for f in ("--listen", "--http", "--admin") if f != flag]
            refuse(f"a busy port for {flag}", "--data", other.store, "--guard", other.guard, flag, taken, rest[0],
                   "127.0.0.1:0", rest[1], "127.0.0.1:0", words=[taken])
        busy.close()

        # A rollback: the older copy is refused, the newer one still starts.
        site.grant()
        assert site.server.stop() == 0
        old = site.dir / "old"
        shutil.copytree(site.store, old)
        site.server.start()
        record = site.dir / "record.json"
        record.write_text('{"apiVersion":"v1","kind":"K","spec":{"n":1}}')
        site.stele("push", record, "--signer", site.publisher)
        assert site.server.stop() == 0
        refuse("an older copy of the store", "--data", old, "--guard", site.guard, *ports(), words=["guard"])
        site.server.start()
        size, _, _ = tlog_reader.read_log(site.server.http, tlog_reader.policy_vkey(site.store))
        assert size == 3, size
        assert site.server.stop() == 0

        again = steled.run(steled.BIN / "stele", "init", site.store, "--origin", "other.example", check=False)
        assert again.returncode != 0 and b"empty" in again.stderr, again.stderr
        site.server.start()
        assert site.server.stop() == 0
        print("ok: init refuses a folder that is not empty")


if __name__ == "__main__":
    main()
