"""A reader of a tlog-tiles log that shares no code with Stele: hashlib for the tree, the openssl
program for the signature, urllib for HTTP."""

import base64
import hashlib
import json
import pathlib
import subprocess
import tempfile
import urllib.request

SPKI_ED25519 = bytes.fromhex("302a300506032b6570032100")


def leaf_hash(leaf):
    return hashlib.sha256(b"\0" + leaf).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


class Tree:
    """Keeps the roots of the perfect subtrees, so that each prefix's root is cheap."""

    def __init__(self):
        self.size = 0
        self.stack = []

    def append(self, leaf):
        node, n = leaf_hash(leaf), self.size
        while n & 1:
            node = node_hash(self.stack.pop(), node)
            n >>= 1
        self.stack.append(node)
        self.size += 1

    def root(self):
        if not self.stack:
            return hashlib.sha256(b"").digest()
        node = self.stack[-1]
        for left in reversed(self.stack[:-1]):
            node = node_hash(left, node)
        return node


def parse_checkpoint(note, vkey):
    """(origin, size, root) of a note signed by this vkey; anything else raises."""
    name, key_id, key = vkey.split("+", 2)
    raw = base64.b64decode(key, validate=True)
    assert raw[0] == 1 and len(raw) == 33, "not an Ed25519 vkey"
    expected_id = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    assert expected_id.hex() == key_id, "the vkey's id does not follow from its key"
    text, signatures = note.split("\n\n", 1)
    text += "\n"
    for line in signatures.splitlines():
        dash, signer, value = line.split(" ")
        blob = base64.b64decode(value, validate=True)
        if dash == "\u2014" and signer == name and blob[:4] == expected_id:
            verify_ed25519(raw[1:], text.encode(), blob[4:])
            break
    else:
        raise AssertionError("not signed by " + name)
    origin, size, root = text.splitlines()[:3]
    return origin, int(size), base64.b64decode(root, validate=True)


def verify_ed25519(public, message, signature):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "key").write_bytes(SPKI_ED25519 + public)
        (folder / "message").write_bytes(message)
        (folder / "signature").write_bytes(signature)
        done = subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", folder / "key",
             "-rawin", "-in", folder / "message", "-sigfile", folder / "signature"],
            capture_output=True)
        assert done.returncode == 0, "the signature does not verify"


def fetch(address, path):
    with urllib.request.urlopen(f"http://{address}/{path}", timeout=30) as answer:
        return answer.read()


def number_path(number):
    parts = [f"{number % 1000:03d}"]
    number //= 1000
    while number:
        parts.insert(0, f"x{number % 1000:03d}")
        number //= 1000
    return "/".join(parts)


def read_entries(address, begin, size):
    """Leaves [begin, size), through entry bundles."""
    leaves = []
    for number in range(begin // 256, (size + 255) // 256):
        width = min(256, size - number * 256)
        path = "tile/entries/" + number_path(number) + (f".p/{width}" if width < 256 else "")
        data, entries = fetch(address, path), []
        while data:
            length = int.from_bytes(data[:2], "big")
            entries.append(data[2:2 + length])
            assert len(entries[-1]) == length, "an entry is cut"
            data = data[2 + length:]
        assert len(entries) == width, "not exactly the entries of the bundle"
        leaves += entries[max(0, begin - number * 256):]
    return leaves


def read_log(address, vkey):
    """(size, root, leaves) of the log at `address`, all verified against its checkpoint."""
    origin, size, root = parse_checkpoint(fetch(address, "checkpoint").decode(), vkey)
    assert origin == vkey.split("+")[0], "the origin is not the key's name"
    leaves = read_entries(address, 0, size)
    tree = Tree()
    for leaf in leaves:
        tree.append(leaf)
    assert tree.root() == root, "the entries lead to another root"
    return size, root, leaves


def statement_of(leaf):
    """The payload of an inline leaf."""
    entry = json.loads(leaf)
    assert entry["stele"] == "entry/v1"
    return json.loads(base64.b64decode(entry["envelope"]["payload"]))


def policy_vkey(store):
    """The log key of a store's policy file."""
    for line in (pathlib.Path(store) / "policy").read_text().splitlines():
        if line.startswith("log "):
            return line.split()[1]
    raise AssertionError("no log line in the policy")
