"""Bad input through the command and a real server: each a clear error with its place, the rest lands, the server lives."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402
import tlog_reader  # noqa: E402

GOOD = 0


def good():
    """A new good record each time."""
    global GOOD
    GOOD += 1
    return json.dumps({"apiVersion": "v1", "kind": "Good", "spec": {"n": GOOD}})


class Case:
    def __init__(self, site, vkey):
        self.site, self.vkey = site, vkey

    def size(self):
        return tlog_reader.read_log(self.site.server.http, self.vkey)[0]

    def push(self, name, content, *flags, signer=None):
        path = self.site.dir / name
        path.write_text(content)
        return self.site.stele("push", path, "--signer", signer or self.site.publisher, *flags, check=False)

    def refused(self, title, done, *words):
        said = done.stderr.decode() + done.stdout.decode()
        assert done.returncode == 1, f"{title}: exit {done.returncode}\n{said}"
        for word in words:
            assert word in said, f"{title}: {word!r} is not in\n{said}"
        assert self.site.server.alive(), f"{title}: the server died"
        before = self.size()
        after = self.push("good.json", good())
        assert after.returncode == 0, f"{title}: a good record no longer lands: {after.stderr.decode()}"
        assert self.size() == before + 1, title
        print("ok:", title, flush=True)


def deep(levels):
    """A manifest of so many open objects and arrays: itself, spec, and arrays."""
    return '{"apiVersion":"v1","kind":"K","spec":{"a":' + "[" * (levels - 2) + "]" * (levels - 2) + "}}"


def sized(size):
    head, tail = '{"apiVersion":"v1","kind":"K","spec":{"a":"', '"}}'
    return head + "x" * (size - len(head) - len(tail)) + tail


def files(case):
    case.refused("not JSON", case.push("a.json", "hello"), "a.json", "SYNTAX")
    case.refused("JSON that is no manifest", case.push("b.json", '{"kind":"K","spec":{}}'), "b.json",
                 "MISSING_MEMBER", "/apiVersion")
    case.refused("unknown member", case.push("c.json", '{"apiVersion":"v","kind":"K","spec":{},"status":1}'),
                 "UNKNOWN_MEMBER", "/status")
    case.refused("1 MiB and a byte", case.push("d.json", sized((1 << 20) + 1)), "TOO_LARGE")
    assert case.push("e.json", sized(1 << 20)).returncode == 0, "exactly 1 MiB is fine"
    case.refused("65 levels", case.push("f.json", deep(65)), "TOO_DEEP", "/spec/a/0")
    assert case.push("g.json", deep(64)).returncode == 0, "64 levels are fine"
    case.refused("a number that would change",
                 case.push("h.json", '{"apiVersion":"v","kind":"K","spec":{"n":9007199254740993}}'),
                 "INTEGER_PRECISION", "/spec/n")


def batch(case):
    lines = [good() for _ in range(20)]
    lines[7] = '{"apiVersion":"v1","kind":"K","spec":{"a":1,"a":2}}'
    rejects = case.site.dir / "rejects"
    before = case.size()
    done = case.push("batch.ndjson", "\n".join(lines) + "\n", "--batch", "1", "--rejects", rejects)
    said = done.stderr.decode()
    assert done.returncode == 1 and "DUPLICATE_NAME" in said and "/spec/a" in said and ":8" in said, said
    assert rejects.read_text() == lines[7] + "\n", rejects.read_text()
    assert case.size() == before + 19, "the rest of the batch did not land"
    last = done.stdout.decode().strip().splitlines()[-1]
    assert last == "rows 20, records 19, pushed 19, already there 0, refused 1", last
    again = case.push("batch.ndjson", "\n".join(lines) + "\n", "--batch", "1")
    last = again.stdout.decode().strip().splitlines()[-1]
    assert last == "rows 20, records 19, pushed 0, already there 19, refused 1", last
    assert case.size() == before + 19
    print("ok: one bad item, the rest lands, a second run pushes nothing new")


def keys(case):
    site = case.site
    for name in ("stranger", "attester", "gone"):
        steled.run(steled.BIN / "stele", "keygen", site.dir / f"{name}.pem")
    operator = site.store / "operator.pem"
    site.stele("key", "grant", site.dir / "attester.pem.pub", "--name", "a", "--role", "attester", "--signer", operator)
    site.stele("key", "grant", site.dir / "gone.pem.pub", "--name", "g", "--role", "publisher", "--signer", operator)
    assert case.push("i.json", good(), signer=site.dir / "gone.pem").returncode == 0
    listed = [json.loads(line) for line in site.stele("key", "list", "--json").stdout.splitlines()]
    gone = next(key for key in listed if key["name"] == "g")
    key_id = gone["key"]
    site.stele("key", "revoke", key_id, "--reason", "left", "--signer", operator)
    case.refused("unknown key", case.push("j.json", good(), signer=site.dir / "stranger.pem"), "UNKNOWN_KEY")
    case.refused("key without the role", case.push("k.json", good(), signer=site.dir / "attester.pem"), "ROLE")
    case.refused("revoked key", case.push("l.json", good(), signer=site.dir / "gone.pem"), "ROLE")
    granting = site.stele("key", "grant", site.dir / "stranger.pem.pub", "--name", "s", "--role", "publisher",
                          "--signer", site.publisher, check=False)
    case.refused("a publisher grants", granting, "ROLE")


def main():
    with steled.Site("--disk-reserve", "0") as site:
        site.server.start()
        site.grant()
        case = Case(site, tlog_reader.policy_vkey(site.store))
        files(case)
        batch(case)
        keys(case)
        assert site.server.stop() == 0


if __name__ == "__main__":
    main()
