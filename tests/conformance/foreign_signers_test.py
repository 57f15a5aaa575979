"""Statements that were made and signed without a line of Stele's are accepted, logged and verified.

Keys of both algorithms from openssl, the envelopes from openssl and from Node's crypto: a SLSA provenance as other
tools write it, and statements of Stele's own types written by hand. Then the log is audited, and each entry is
read back: its signature verifies with openssl over the bytes that the log keeps.
"""

import base64
import hashlib
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import steled  # noqa: E402

TYPE = "application/vnd.in-toto+json"
HERE = pathlib.Path(__file__).resolve().parent


def pae(payload):
    return f"DSSEv1 {len(TYPE)} {TYPE} {len(payload)} ".encode() + payload


def canonical(value):
    """RFC 8785 of what stands here: ASCII texts and no numbers but small integers."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


class Key:
    def __init__(self, folder, name, algorithm):
        self.pem = folder / f"{name}.pem"
        self.pub = folder / f"{name}.pub.pem"
        self.edwards = algorithm == "ed25519"
        options = [] if self.edwards else ["-pkeyopt", "ec_paramgen_curve:P-256"]
        steled.run("openssl", "genpkey", "-algorithm", "ed25519" if self.edwards else "EC", *options, "-out", self.pem)
        steled.run("openssl", "pkey", "-in", self.pem, "-pubout", "-out", self.pub)
        spki = steled.run("openssl", "pkey", "-in", self.pem, "-pubout", "-outform", "DER").stdout
        self.id = hashlib.sha256(spki).hexdigest()

    def options(self):
        return ["-rawin"] if self.edwards else ["-rawin", "-digest", "sha256"]

    def sign(self, folder, message):
        """By openssl: Ed25519, or ECDSA as DER."""
        (folder / "message").write_bytes(message)
        return steled.run("openssl", "pkeyutl", "-sign", "-inkey", self.pem, *self.options(), "-in",
                          folder / "message").stdout

    def verify(self, folder, message, signature):
        (folder / "message").write_bytes(message)
        (folder / "signature").write_bytes(signature)
        steled.run("openssl", "pkeyutl", "-verify", "-pubin", "-inkey", self.pub, *self.options(), "-in",
                   folder / "message", "-sigfile", folder / "signature")


def provenance(record, builder):
    """As SLSA writes it: names, white space, members that Stele does not know."""
    return json.dumps({"_type": "https://in-toto.io/Statement/v1",
                       "subject": [{"name": "run.json", "digest": {"sha256": record, "sha512": "00"}}],
                       "predicateType": "https://slsa.dev/provenance/v1",
                       "predicate": {"buildDefinition": {"buildType": "https://ci.invalid/run"},
                                     "runDetails": {"builder": {"id": builder}}}}, indent=2).encode()


def statement(name, record, predicate):
    return canonical({"_type": "https://in-toto.io/Statement/v1",
                      "predicateType": f"urn:stele:predicate:{name}:v1",
                      "predicate": {"log": steled.ORIGIN, **predicate},
                      "subject": [{"digest": {"sha256": record},
                                   "mediaType": "application/vnd.stele.record.v1+json"}]})


def by_openssl(key, folder, payload):
    return json.dumps({"payloadType": TYPE, "payload": base64.b64encode(payload).decode(),
                       "signatures": [{"sig": base64.b64encode(key.sign(folder, pae(payload))).decode(),
                                       "keyid": key.id}]}).encode()


def by_node(key, folder, payload, *encoding):
    (folder / "payload").write_bytes(payload)
    return steled.run(NODE, HERE / "sign.mjs", key.pem, folder / "payload", *encoding).stdout


NODE = shutil.which("node") or shutil.which("nodejs")


def main():
    if NODE is None:
        steled.skip("node is absent")
    with steled.Site() as site:
        site.server.start()
        site.grant()
        manifest = site.dir / "m.json"
        manifest.write_text('{"apiVersion":"v1","kind":"K","spec":{"n":1}}')
        site.stele("push", manifest, "--signer", site.publisher)
        record = hashlib.sha256(b'{"apiVersion":"v1","kind":"K","spec":{"n":1}}').hexdigest()

        keys = {name: Key(site.dir, name, name) for name in ("ed25519", "ecdsa")}
        for name, key in keys.items():
            site.stele("key", "grant", key.pub, "--name", name, "--role", "attester", "--signer",
                       site.store / "operator.pem")

        made = []  # key, payload, envelope
        note = {"topic": "note", "body": "seen by hand"}
        for name, key in keys.items():
            for payload in (provenance(record, f"openssl {name}"),
                            statement("note", record, note),
                            statement("reproduction", record, {"outcome": "reproduced"})):
                made.append((key, payload, by_openssl(key, site.dir, payload)))
            payload = provenance(record, f"node {name}")
            made.append((key, payload, by_node(key, site.dir, payload)))
        payload = provenance(record, "node, r and s one after the other")
        made.append((keys["ecdsa"], payload, by_node(keys["ecdsa"], site.dir, payload, "ieee-p1363")))

        envelopes = {}
        for number, (key, payload, envelope) in enumerate(made):
            path = site.dir / f"envelope-{number}.json"
            path.write_bytes(envelope)
            told = json.loads(site.stele("attest", "--envelope", path, "--json").stdout)
            assert told["replayed"] is False, told
            again = json.loads(site.stele("attest", "--envelope", path, "--json").stdout)
            assert again["replayed"] is True and again["index"] == told["index"], (told, again)
            envelopes[told["index"]] = (key, payload)

        # One bit of the signature, one byte of the payload: refused, and nothing is logged.
        key, payload, envelope = made[0]
        for change in (lambda e: e["signatures"][0].update(sig=base64.b64encode(
                           key.sign(site.dir, pae(payload + b" "))).decode()),
                       lambda e: e.update(payload=base64.b64encode(payload + b" ").decode())):
            broken = json.loads(envelope)
            change(broken)
            path = site.dir / "broken.json"
            path.write_text(json.dumps(broken))
            done = site.stele("attest", "--envelope", path, check=False)
            assert done.returncode == 1 and b"BAD_SIGNATURE" in done.stderr, done

        # What the log keeps: the very payload, and a signature that openssl verifies.
        leaves = site.stele("log", "entries", "--raw").stdout.splitlines()
        assert len(leaves) == 5 + len(made), len(leaves)
        for index, (key, payload) in envelopes.items():
            named = json.loads(leaves[index])["detached"]["digest"]
            kept = json.loads(site.stele("get", named, "--quiet").stdout)
            assert base64.b64decode(kept["payload"]) == payload, index
            assert kept["signatures"][0]["keyid"] == f"sha256:{key.id}", kept
            signature = base64.b64decode(kept["signatures"][0]["sig"])
            if not key.edwards and len(signature) == 64:
                continue  # r and s: openssl's command reads DER alone
            key.verify(site.dir, pae(payload), signature)

        told = json.loads(site.stele("audit", "--json").stdout)
        assert not told["faults"] and not told.get("voidEntries"), told
        print(f"{len(made)} statements of openssl and Node accepted, logged and audited")


if __name__ == "__main__":
    main()
