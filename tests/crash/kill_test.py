"""kill -9 at random moments during the import of the corpus, one record a statement.

Usage: kill_test.py [--kills N] [--seed N]

One `stele push --batch 1` runs through all kills and retries by itself; if it is done before they are, another
publisher pushes the same corpus, every statement of it a new one. A kill counts only if statements
were unanswered when the connection was lost. After each restart, read by code that is not Stele's: every
acknowledged statement is at its index, and the log's first n leaves lead to the root of every checkpoint
of size n that was ever acknowledged. At the end a second push adds nothing, and no statement is there twice.
"""

import argparse
import base64
import collections
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402
import tlog_reader  # noqa: E402


class Acknowledged:
    """What the client was promised so far, read from the file of receipts as it grows."""

    def __init__(self):
        self.path = None
        self.leaves = {}       # index → leaf hash
        self.checkpoints = {}  # size → root
        self.notes = set()

    def follow(self, path):
        self.path, self.offset = path, 0

    def read(self, vkey):
        if not self.path.exists():
            return
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            data = file.read()
        whole = data[:data.rfind(b"\n") + 1]
        self.offset += len(whole)
        for line in whole.splitlines():
            receipt = json.loads(line)
            leaf = base64.b64decode(receipt["leaf"])
            index, hashed = receipt["index"], tlog_reader.leaf_hash(leaf)
            assert self.leaves.setdefault(index, hashed) == hashed, f"two entries at {index}"
            note = receipt["checkpoint"]
            if note not in self.notes:
                self.notes.add(note)
                _, size, root = tlog_reader.parse_checkpoint(note, vkey)
                assert self.checkpoints.setdefault(size, root) == root, f"two roots at {size}"


class Log:
    """The leaves as the server shows them, and the root of each size."""

    def __init__(self):
        self.tree = tlog_reader.Tree()
        self.hashes = []
        self.roots = {0: self.tree.root()}

    def follow(self, address, vkey):
        note = tlog_reader.fetch(address, "checkpoint").decode()
        _, size, root = tlog_reader.parse_checkpoint(note, vkey)
        assert size >= self.tree.size, f"the log shrank from {self.tree.size} to {size}"
        # The whole of it, not only what is new: an old leaf could have changed.
        tree, hashes = tlog_reader.Tree(), []
        for leaf in tlog_reader.read_entries(address, 0, size):
            tree.append(leaf)
            hashes.append(tlog_reader.leaf_hash(leaf))
            self.roots.setdefault(tree.size, tree.root())
            assert self.roots[tree.size] == tree.root(), f"another history at size {tree.size}"
        assert tree.root() == root, "the entries lead to another root than the checkpoint's"
        self.tree, self.hashes = tree, hashes


def check(log, promised):
    for index, hashed in promised.leaves.items():
        assert index < len(log.hashes), f"acknowledged entry {index} is gone"
        assert log.hashes[index] == hashed, f"another entry at {index}"
    for size, root in promised.checkpoints.items():
        assert log.roots.get(size) == root, f"the checkpoint of size {size} is not of this history"


def unanswered(text):
    """Statements in flight at each lost connection, as the client counted them."""
    counts = []
    for line in text.splitlines():
        if line.startswith("stele: connection lost with "):
            counts.append(int(line.split()[4]))
    return counts


class Push:
    """The corpus by a publisher of its own; it runs until it is done, whatever becomes of the server."""

    def __init__(self, site, number):
        self.key = site.dir / f"publisher-{number}.pem"
        steled.run(steled.BIN / "stele", "keygen", self.key)
        site.stele("key", "grant", f"{self.key}.pub", "--name", f"publisher {number}", "--role", "publisher",
                   "--signer", site.store / "operator.pem")
        self.receipts, self.errors = site.dir / f"receipts-{number}", site.dir / f"push-{number}.err"
        command = site.command("--timeout", "1800", "push", *self.what(), "--signer", self.key,
                               "--receipts", self.receipts)
        with open(self.errors, "wb") as err:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err)
        self.losses = 0  # looked at

    @staticmethod
    def what():
        return steled.corpus(), "--format", "kernelindex-catalog", "--batch", "1"

    def done(self):
        return self.process.poll() is not None

    def finish(self):
        out, _ = self.process.communicate(timeout=1800)
        assert self.process.returncode == 0, self.errors.read_text()[-3000:]
        print(out.decode().strip().splitlines()[-1], flush=True)

    def wait_for_receipts(self):
        """At least one new one: then statements are in flight."""
        def size():
            return self.receipts.stat().st_size if self.receipts.exists() else 0
        seen = size()
        steled.wait_until(lambda: self.done() or size() > seen, 120, "the push goes on")

    def met(self):
        """Whether the kill just now was met by unanswered statements: the first loss after it is the kill's,
        what fails while the server is down is not."""
        lost = unanswered(self.errors.read_text())
        return bool(lost[self.losses:self.losses + 1] and lost[self.losses] > 0)

    def look_away(self):
        self.losses = len(unanswered(self.errors.read_text()))

    def again(self, site):
        told = json.loads(site.stele("push", *self.what(), "--json", "--signer", self.key).stdout.splitlines()[-1])
        assert told["pushed"] == 0 and told["refused"] == 0, told
        assert told["records"] == 19765, told


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    random.seed(options.seed)
    steled.corpus()  # or a skip
    print(f"seed {options.seed}, {options.kills} kills that count", flush=True)

    with steled.Site("--disk-reserve", "0") as site:
        server = site.server.start()
        vkey = tlog_reader.policy_vkey(site.store)
        promised, log = Acknowledged(), Log()
        pushes, counted, tries = [], 0, 0
        while counted < options.kills:
            tries += 1
            assert tries < options.kills * 20, "hardly any kill met a statement in flight"
            if not pushes or pushes[-1].done():
                if pushes:
                    pushes[-1].finish()
                    promised.read(vkey)
                pushes.append(Push(site, len(pushes)))
                promised.follow(pushes[-1].receipts)
            push = pushes[-1]
            push.wait_for_receipts()
            time.sleep(random.uniform(0, 0.15))
            server.kill()
            time.sleep(0.1)
            counted += push.met()
            server.start()
            push.look_away()
            promised.read(vkey)
            log.follow(server.http, vkey)
            check(log, promised)
            print(f"kill {tries}: {counted} count, log {log.tree.size}, acknowledged {len(promised.leaves)}",
                  flush=True)
        pushes[-1].finish()
        promised.read(vkey)
        log.follow(server.http, vkey)
        check(log, promised)

        for push in pushes:
            push.again(site)
        size, _, leaves = tlog_reader.read_log(server.http, vkey)
        assert size == log.tree.size, "the second push added entries"
        acts = collections.Counter()
        for leaf in leaves:
            envelope = json.loads(leaf)["envelope"]
            acts[hashlib.sha256(base64.b64decode(envelope["payload"])).digest(), envelope["signatures"][0]["keyid"]] += 1
        twice = [key for key, count in acts.items() if count > 1]
        assert not twice, f"{len(twice)} statements are in the log twice"
        assert server.stop() == 0, "SIGTERM did not end in exit 0"
        print(f"{counted} kills that count of {tries}; {size} entries, {len(promised.leaves)} acknowledged, "
              f"nothing lost, nothing twice")


if __name__ == "__main__":
    main()
