"""kill -9 at random moments during the import of the corpus, one record a statement.

Usage: kill_test.py [--kills N] [--seed N]

One `stele push --batch 1` runs through all kills and retries by itself. A kill counts only if statements
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

    def __init__(self, path):
        self.path = path
        self.offset = 0
        self.leaves = {}       # index → leaf hash
        self.checkpoints = {}  # size → root
        self.notes = set()

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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    random.seed(options.seed)
    corpus = steled.corpus()
    print(f"seed {options.seed}, {options.kills} kills that count", flush=True)

    with steled.Site("--disk-reserve", "0") as site:
        server = site.server.start()
        site.grant()
        vkey = tlog_reader.policy_vkey(site.store)
        receipts, errors = site.dir / "receipts", site.dir / "push.err"
        push = site.command("--timeout", "1800", "push", corpus, "--format", "kernelindex-catalog",
                            "--batch", "1", "--signer", site.publisher, "--receipts", receipts)
        with open(errors, "wb") as err:
            pusher = subprocess.Popen(push, stdout=subprocess.PIPE, stderr=err)
        promised, log, tries = Acknowledged(receipts), Log(), 0
        counted = lines = 0
        while counted < options.kills:
            tries += 1
            assert tries < options.kills * 20, "hardly any kill met a statement in flight"
            assert pusher.poll() is None, f"the push ended after {counted} kills: {errors.read_text()[-2000:]}"
            # Spread over the import, and after at least one new receipt: then statements are in flight.
            seen = receipts.stat().st_size if receipts.exists() else 0
            steled.wait_until(lambda: pusher.poll() is not None or
                              (receipts.exists() and receipts.stat().st_size > seen), 120, "the push goes on")
            time.sleep(random.uniform(0, 0.15))
            server.kill()
            time.sleep(0.1)
            lost = unanswered(errors.read_text())
            # The first loss after the kill is the kill's; what fails while the server is down is not.
            counted += bool(lost[lines:lines + 1] and lost[lines] > 0)
            server.start()
            lines = len(unanswered(errors.read_text()))
            promised.read(vkey)
            log.follow(server.http, vkey)
            check(log, promised)
            print(f"kill {tries}: {counted} count, log {log.tree.size}, acknowledged {len(promised.leaves)}",
                  flush=True)
        out, _ = pusher.communicate(timeout=1800)
        assert pusher.returncode == 0, errors.read_text()[-3000:]
        print(out.decode().strip().splitlines()[-1])
        promised.read(vkey)
        log.follow(server.http, vkey)
        check(log, promised)

        again = json.loads(site.stele("push", corpus, "--format", "kernelindex-catalog", "--batch", "1", "--json",
                                      "--signer", site.publisher).stdout.splitlines()[-1])
        assert again["pushed"] == 0 and again["refused"] == 0, again
        assert again["records"] == 19765, again
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
