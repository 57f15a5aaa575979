"""kill -9 of `stele audit` at random moments: what its state file covers was checked, and is enough to go on from.

Each run that is killed may only add to what the next one finds done. The run that ends says what an audit
without interruption says. A kill counts if the audit was under way.
"""

import argparse
import json
import random
import subprocess
import sys
import time
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import steled  # noqa: E402

OF_THE_RUN = ("seconds", "entriesRead", "resumed", "contents", "contentBytes", "earlierSize", "earlierCompared")


def finding(told):
    return {name: value for name, value in told.items() if name not in OF_THE_RUN}


def fill(site, statements):
    made = steled.run(steled.BIN / "stele-hammer", "publish", "--server", site.server.grpc, "--state",
                      site.dir / "state", "--json", "--streams", 4, "--count", statements, "--subjects", 1,
                      "--bytes", 300, "--signer", site.publisher)
    assert json.loads(made.stdout)["failures"] == 0


def audit(site, *flags):
    return site.command("audit", "--json", "--quiet", "--policy", site.store / "policy", *flags)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=8)
    parser.add_argument("--statements", type=int, default=8000)
    options = parser.parse_args()
    rng = random.Random(20260704)
    with steled.Site() as site:
        site.server.start()
        site.grant()
        fill(site, options.statements)
        begin = time.monotonic()
        whole = json.loads(steled.run(*audit(site)).stdout)
        took = time.monotonic() - begin
        state = site.dir / "audit.state"
        counted = grown = 0
        covered = 0
        while counted < options.kills:
            # A run that got through leaves nothing to kill: the log grows and the audit goes on.
            process = subprocess.Popen(audit(site, "--state", state), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            try:
                out, err = process.communicate(timeout=rng.uniform(0.1, 0.6) * took)
                assert process.returncode == 0, err.decode()
                told = json.loads(out)
                assert told["resumed"] >= covered, (told["resumed"], covered)
                covered = told["size"]
                grown += 1
                assert grown < 50, "every run got through before its kill"
                fill(site, options.statements)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                counted += 1
        last = json.loads(steled.run(*audit(site, "--state", state)).stdout)
        assert last["resumed"] >= covered, (last["resumed"], covered)
        again = json.loads(steled.run(*audit(site, "--state", state)).stdout)
        assert again["resumed"] == again["size"] and again["entriesRead"] == 0, again
        fresh = json.loads(steled.run(*audit(site)).stdout)
        assert finding(fresh) == finding(last) == finding(again), (fresh, last, again)
        assert not fresh["faults"] and fresh["valid"] == fresh["size"], fresh
        assert fresh["size"] == whole["size"] + grown * options.statements, (fresh["size"], whole["size"], grown)
        assert site.server.stop() == 0
        steled.run(steled.BIN / "stele", "fsck", site.store, "--guard", site.guard)
        print(f"{counted} kills; {last['resumed']} of {last['size']} entries were checked before the last run")


if __name__ == "__main__":
    main()
