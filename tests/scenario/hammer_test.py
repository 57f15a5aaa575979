"""stele-hammer: each of its loads over a real server, and what it says when there is nothing to measure."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402


def hammer(site, verb, *flags, check=True):
    return steled.run(steled.BIN / "stele-hammer", verb, "--server", site.server.grpc, "--state", site.dir / "state",
                      "--json", *flags, check=check)


def main():
    with steled.Site() as site:
        site.server.start()
        site.grant()
        digests = site.dir / "digests"
        published = json.loads(hammer(site, "publish", "--count", 20, "--subjects", 3, "--streams", 2, "--signer",
                                      site.publisher, "--digests-out", digests).stdout)
        assert published["failures"] == 0 and published["records"] == 60, published
        assert len(digests.read_text().split()) == 60
        size = json.loads(site.stele("log", "head", "--json").stdout)["size"]
        assert int(size) == 22, size  # the genesis, the grant, the statements
        for flags in ((), ("--digests", digests)):
            fetched = json.loads(hammer(site, "fetch", "--count", 200, "--streams", 3, *flags).stdout)
            assert fetched["failures"] == 0 and fetched["fetches"] == 200, fetched
        print("ok: publish and fetch")

        def indexed():
            return hammer(site, "query", "--ask", "history", "--count", 60, "--digests", digests,
                          check=False).returncode == 0

        steled.wait_until(indexed, 60, "every record has a history")
        for ask in ("get", "list", "history"):
            asked = json.loads(hammer(site, "query", "--ask", ask, "--count", 50, "--digests", digests).stdout)
            assert asked["failures"] == 0 and asked["answers"] == 50 and asked["p50_us"] > 0, asked
        none = hammer(site, "query", "--ask", "list", "--kind", "NoSuchKind", "--count", 5, check=False)
        assert none.returncode == 1 and b"no row" in none.stderr, none
        for ask in ("references", "cohort"):  # nothing refers to them, and they are no runs
            none = hammer(site, "query", "--ask", ask, "--count", 5, "--digests", digests, check=False)
            assert none.returncode == 1 and json.loads(none.stdout)["failures"] == 5, none
        wrong = hammer(site, "query", "--ask", "cohort", check=False)
        assert wrong.returncode == 2 and b"--digests" in wrong.stderr, wrong
        print("ok: query")
        assert site.server.stop() == 0
        assert steled.run(steled.BIN / "stele", "fsck", site.store, "--guard", site.guard).returncode == 0


if __name__ == "__main__":
    main()
