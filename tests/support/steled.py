"""Runs a real steled and the stele command for script tests.

Everything listens on 127.0.0.1; only processes started here are ended, by their id.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(os.environ.get("STELE_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
BIN = pathlib.Path(os.environ.get("STELE_BIN_DIR", SOURCE / "build" / "dev" / "bin"))
SHARED = pathlib.Path(os.environ.get("STELE_SHARED", SOURCE / ".." / "shared"))
SKIPPED = 77
ORIGIN = "test.example/log"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def corpus():
    """The registry's export, or a skip."""
    found = sorted(SHARED.glob("data/*.jsonl.zst"))
    if not found:
        skip("the shared data folder is absent ($STELE_SHARED or ../shared)")
    return found[0]


def run(*args, check=True, **kwargs):
    """Runs a command to its end; on failure shows what it said."""
    done = subprocess.run([str(a) for a in args], capture_output=True, timeout=900, **kwargs)
    if check and done.returncode != 0:
        raise AssertionError(
            f"{' '.join(map(str, args))}: exit {done.returncode}\n{done.stdout.decode()[-2000:]}\n"
            f"{done.stderr.decode()[-4000:]}")
    return done


class Steled:
    """One server process on one data folder; `start` and `kill` as often as needed."""

    def __init__(self, data, *flags, prefix=()):
        self.data = pathlib.Path(data)
        self.flags = list(flags)
        self.prefix = [str(p) for p in prefix]
        self.process = None
        self.grpc = self.http = self.admin = None
        self.log = self.data.parent / (self.data.name + ".steled.log")

    def start(self, timeout=60):
        """Starts on free ports the first time, on the same ports after that."""
        command = [*self.prefix, str(BIN / "steled"), "--data", str(self.data),
                   "--listen", self.grpc or "127.0.0.1:0", "--http", self.http or "127.0.0.1:0",
                   "--admin", self.admin or "127.0.0.1:0", *map(str, self.flags)]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log)
        timer = threading.Timer(timeout, self.process.kill)
        timer.start()
        line = self.process.stdout.readline().decode()
        timer.cancel()
        if not line.startswith("listening "):
            self.process.wait()
            raise AssertionError(f"steled did not start: {self.log.read_text()[-3000:]}")
        where = dict(part.split("=", 1) for part in line.split()[1:])
        self.grpc, self.http, self.admin = where["grpc"], where["http"], where["admin"]
        return self

    def pid(self):
        """The server's own id, also below a tracer."""
        if not self.prefix:
            return self.process.pid
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(children.read_text().split()[0])

    def alive(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        os.kill(self.pid(), signal.SIGKILL)
        self.process.wait(timeout=60)

    def stop(self, timeout=60):
        """SIGTERM; the exit code."""
        if not self.alive():
            return self.process.returncode if self.process else None
        os.kill(self.pid(), signal.SIGTERM)
        return self.process.wait(timeout=timeout)


class Site:
    """A folder with a store, its operator, one publisher that is granted, and a server for it."""

    def __init__(self, *flags, folder=None, prefix=()):
        self.own = folder is None
        self.dir = pathlib.Path(folder or tempfile.mkdtemp(prefix="stele-test-"))
        self.store = self.dir / "store"
        self.guard = self.dir / "guard"
        run(BIN / "stele", "init", self.store, "--origin", ORIGIN, "--guard", self.guard)
        self.publisher = self.dir / "publisher.pem"
        run(BIN / "stele", "keygen", self.publisher)
        self.server = Steled(self.store, "--guard", self.guard, *flags, prefix=prefix)

    def grant(self):
        self.stele("key", "grant", f"{self.publisher}.pub", "--name", "publisher", "--role",
                   "publisher", "--signer", self.store / "operator.pem")

    def command(self, *args):
        return [str(BIN / "stele"), "--server", self.server.grpc, "--state",
                str(self.dir / "state"), *map(str, args)]

    def stele(self, *args, **kwargs):
        return run(*self.command(*args), **kwargs)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.server.alive():
            self.server.kill()
        if kind is not None and self.server.log.exists():
            print(self.server.log.read_text()[-3000:], file=sys.stderr)
        if self.own and kind is None:
            shutil.rmtree(self.dir, ignore_errors=True)
        elif kind is not None:
            print(f"left for inspection: {self.dir}", file=sys.stderr)


def wait_until(condition, seconds, what):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} s: {what}")
