#!/usr/bin/env python3
"""Checks the source tree against rules.py.

Usage: arrows.py SOURCE_DIR COMPILE_COMMANDS_JSON

Reports every include that the arrows do not allow, every ring of folders that
include each other, and every source file that no target builds: a test that is
not built cannot fail. One line a finding; exit code 1 if there is any.
"""

import fnmatch
import json
import pathlib
import re
import sys

import rules

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')
PROTO_IMPORT = re.compile(r'^\s*import\s+(?:public\s+|weak\s+)?"([^"]+)"\s*;')
CAPNP_IMPORT = re.compile(r'\bimport\s+"([^"]+)"')
SCHEMA_IMPORTS = ("google/protobuf/", "google/rpc/", "stele/", "disk/", "/capnp/")
CXX = {".cc", ".h"}
UNCHECKED = {"tests", "bench"}


def matches(path, pattern):
    """A prefix, or a shell pattern when it holds a star."""
    if "*" in pattern:
        return fnmatch.fnmatchcase(path, pattern)
    return path.startswith(pattern)


def files_of(source, suffixes):
    for room in rules.ROOMS:
        for path in sorted((source / room).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path.relative_to(source).as_posix(), path


def includes_of(path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found[1] == '"', found[2]


def target_room(include):
    """The room an include leads to, or None when it is from outside."""
    for prefix, room in rules.GENERATED.items():
        if include.startswith(prefix):
            return room
    first = include.partition("/")[0]
    return first if "/" in include and first in rules.ROOMS else None


def folder(path):
    return path.rpartition("/")[0]


def room_fault(file, include):
    room, target = file.partition("/")[0], target_room(include)
    allowed = rules.ROOMS[room]
    if target is not None and allowed is not None and target not in allowed:
        return f"{room}/ may not include {target}/"
    return None


def core_fault(file, quoted, include):
    if not file.startswith("core/"):
        return None
    if target_room(include) == "core":
        here, there = file.split("/")[1], include.split("/")[1]
        if here not in rules.CORE:
            return f"core/{here} has no line in tests/arrows/rules.py"
        if here != there and there not in rules.CORE[here]:
            return f"core/{here} may not include core/{there}"
        return None
    if any(fnmatch.fnmatchcase(include, p) for p in rules.CORE_FORBIDDEN):
        return "core has no I/O, no thread and no clock"
    if include in rules.CORE_LOCK_HEADERS and file != rules.CORE_LOCK_FILE:
        return f"locks come from {rules.CORE_LOCK_FILE}"
    standard = not quoted and "/" not in include and not include.endswith(".h")
    if not standard and not include.startswith(rules.CORE_VENDORS):
        return "core has only the standard library, absl, OpenSSL, libsodium, simdjson and double-conversion"
    return None


def owner_fault(file, include):
    for pattern, owners in rules.OWNERS:
        if matches(include, pattern) and not any(matches(file, o) for o in owners):
            return f"{pattern} belongs to {', '.join(owners)}"
    return None


def path_fault(source, quoted, include):
    """A quoted include is named from the root of the tree, or is a library's."""
    if not quoted or include.startswith("absl/"):
        return None
    target = target_room(include)
    if target is None:
        return "a quoted include is named from the root of the tree"
    if target in rules.ROOMS and not (source / include).is_file():
        return "no such file"
    return None


def include_findings(source):
    for file, path in files_of(source, CXX):
        unchecked = file.partition("/")[0] in UNCHECKED
        for number, quoted, include in includes_of(path):
            faults = [path_fault(source, quoted, include)]
            if not unchecked:
                faults += [room_fault(file, include), core_fault(file, quoted, include),
                           owner_fault(file, include)]
            for fault in filter(None, faults):
                yield f"{file}:{number}: {include}: {fault}"


def schema_findings(source):
    for file, path in files_of(source, {".proto", ".capnp"}):
        pattern = PROTO_IMPORT.match if path.suffix == ".proto" else CAPNP_IMPORT.search
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = pattern(line)
            if found and not found[1].startswith(SCHEMA_IMPORTS):
                yield f"{file}:{number}: {found[1]}: a schema imports only schemas"


def ring_findings(source):
    """Folders that include each other, directly or through others."""
    graph = {}
    for file, path in files_of(source, CXX):
        if file.partition("/")[0] in UNCHECKED:
            continue
        for _, _, include in includes_of(path):
            if target_room(include) in rules.ROOMS and folder(include) != folder(file):
                graph.setdefault(folder(file), {}).setdefault(folder(include), file)
    done, stack = set(), []

    def visit(node):
        if node in stack:
            ring = stack[stack.index(node):] + [node]
            files = ", ".join(graph[a][b] for a, b in zip(ring, ring[1:]))
            yield f"{' -> '.join(ring)}: folders include each other in a ring ({files})"
        elif node not in done:
            stack.append(node)
            for target in graph.get(node, {}):
                yield from visit(target)
            done.add(stack.pop())

    for node in sorted(graph):
        yield from visit(node)


def unbuilt_findings(source, compile_commands):
    built = {
        (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        for entry in json.loads(compile_commands.read_text())
    }
    for file, path in files_of(source, {".cc"}):
        if path.resolve() not in built:
            what = "a test that" if file.endswith("_test.cc") else "a source file that"
            yield f"{file}: {what} no target builds"


def findings(source, compile_commands):
    yield from include_findings(source)
    yield from schema_findings(source)
    yield from ring_findings(source)
    yield from unbuilt_findings(source, compile_commands)


def main():
    source, compile_commands = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    count = 0
    for finding in findings(source, compile_commands):
        print(finding)
        count += 1
    files = sum(1 for _ in files_of(source, CXX))
    print(f"{files} files, {count} findings")
    # An empty tree would pass every rule: then the arguments are wrong.
    return 1 if count or not files else 0


if __name__ == "__main__":
    sys.exit(main())
