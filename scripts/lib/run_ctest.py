#!/usr/bin/env python3
"""Runs ctest in a build folder; judges the skipped tests and what sanitizers reported.

Usage: run_ctest.py BUILD_DIR [ctest option]...

The output is ctest's own. Its closing block is held back until the skipped
tests were compared with tests/allowed-skips.txt, so that ctest's closing line
stays the last one. With CI=true a skipped test that is not listed is a failure:
a conformance test that silently does not run checks nothing.

What a sanitizer reports goes to files, and any is a failure: a server that a test
kills has no exit code left to tell of it, and its log is gone with the test.
"""

import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALLOWED = ROOT / "tests" / "allowed-skips.txt"
CLOSING = re.compile(r"^\d+% tests passed")
LISTING = re.compile(r"^The following tests (did not run|FAILED):")


def allowed_patterns(path):
    """Shell patterns of test names, one a line; # starts a comment."""
    lines = path.read_text().splitlines() if path.exists() else []
    return [p for p in (line.partition("#")[0].strip() for line in lines) if p]


def skipped_tests(junit):
    """Names of the tests that ctest reports as skipped."""
    return [
        case.get("name")
        for case in xml.parse(junit).getroot().iter("testcase")
        if case.get("status") == "notrun" or case.find("skipped") is not None
    ]


def unlisted(skipped, patterns):
    return [n for n in skipped if not any(fnmatch.fnmatchcase(n, p) for p in patterns)]


def sanitizer_options(folder):
    """The environment, with every sanitizer's reports going to files in `folder`."""
    environment = dict(os.environ)
    for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
        options = [environment[name]] if environment.get(name) else []
        environment[name] = ":".join([*options, f"log_path={folder}/report"])
    return environment


def sanitizer_reports(folder):
    return [path.read_text(errors="replace").rstrip("\n") for path in sorted(folder.iterdir())]


def reorder(block):
    """Moves ctest's lists of tests before its closing lines."""
    listings, closing, into_listing = [], [], False
    for line in block:
        if LISTING.match(line):
            into_listing = True
        elif into_listing and line.strip() and not line[0].isspace():
            into_listing = False
        (listings if into_listing else closing).append(line)
    return "".join(listings).rstrip("\n"), "".join(closing).rstrip("\n")


def stream(command, environment):
    """Runs ctest, prints all but its closing block; returns (code, block)."""
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace"
    )
    block = []
    for line in process.stdout:
        if block or CLOSING.match(line):
            block.append(line)
        else:
            print(line, end="", flush=True)
    return process.wait(), block


def main():
    build, options = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        junit = os.path.join(folder, "junit.xml")
        reported = pathlib.Path(folder, "reports")
        reported.mkdir()
        code, block = stream(
            ["ctest", "--test-dir", build, "--output-on-failure", "--no-label-summary",
             "--no-tests=error", "--output-junit", junit, *options],
            sanitizer_options(reported)
        )
        skipped = skipped_tests(junit) if os.path.exists(junit) else []
        reports = sanitizer_reports(reported)
    listings, closing = reorder(block)
    if listings:
        print(listings, end="\n\n")
    bad = unlisted(skipped, allowed_patterns(ALLOWED))
    strict = os.environ.get("CI") == "true"
    if bad:
        print(f"Skipped and not listed in {ALLOWED.relative_to(ROOT)}"
              f"{' (a failure under CI=true)' if strict else ''}:")
        print("".join(f"\t{name}\n" for name in bad))
    if reports:
        print("\n".join(reports))
        print(f"{len(reports)} processes with a sanitizer's report, above\n")
    print(closing, flush=True)
    return code or (1 if reports or (bad and strict) else 0)


if __name__ == "__main__":
    sys.exit(main())
