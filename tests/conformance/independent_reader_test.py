"""Leaves fetched from a running server hash, with code that is not Stele's (hashlib, the openssl program), to the
root in the signed checkpoint, and every record is what its name says."""

import hashlib
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402
import tlog_reader  # noqa: E402


def main():
    with steled.Site("--disk-reserve", "0") as site:
        server = site.server.start()
        site.grant()
        vkey = tlog_reader.policy_vkey(site.store)
        bundles = sorted((steled.SOURCE / "examples").glob("kernelindex-run-*.json"))
        assert len(bundles) == 2, bundles
        site.stele("push", *bundles, "--signer", site.publisher)
        sizes = []
        # Sizes around a full tile, and more than one.
        for begin, end in ((0, 250), (250, 253), (253, 254), (254, 600)):
            path = site.dir / "records.ndjson"
            path.write_text("".join(
                json.dumps({"apiVersion": "v1", "kind": "Probe", "spec": {"n": n}}) + "\n" for n in range(begin, end)))
            site.stele("push", path, "--batch", "1", "--signer", site.publisher)
            size, _, leaves = tlog_reader.read_log(server.http, vkey)
            sizes.append(size)
        names = set()
        for leaf in leaves[2:]:
            for subject in tlog_reader.statement_of(leaf)["subject"]:
                names.add(subject["digest"]["sha256"])
        for name in sorted(names)[::7]:
            body = site.stele("get", "sha256:" + name).stdout
            assert hashlib.sha256(body).hexdigest() == name, name
        try:
            tlog_reader.parse_checkpoint(
                tlog_reader.fetch(server.http, "checkpoint").decode().replace(str(size), str(size + 1), 1), vkey)
        except AssertionError:
            pass
        else:
            raise AssertionError("the reader takes a checkpoint that was changed")
        assert server.stop() == 0
        print(f"sizes {sizes}, {len(names)} records, root and signature agree")


if __name__ == "__main__":
    main()
