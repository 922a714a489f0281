#!/usr/bin/env python3
"""Do the sources keep to the rules of the house (docs/architecture.md)?

    tools/check_rooms.py

- A room of src/ includes itself and the rooms before it, nothing else; scene, apps and examples include public
  headers only.
- A folder within a room includes those of its room that KNOWS lists.
- No two files of src/ have the same name; no folder of src/ has more than MOST_FILES files.
- A source file has a test of its name, or says in its head which test that is: "Tested by tests/…".
"""
import collections
import os
import re
import sys

import house

MOST_FILES = 30

# Which folders of its own room a folder may include; "." are the files of the room itself, which everyone in the
# room may include. Folders that are not listed know only their own and ".".
KNOWS = {
    "geometry/shapes": ["mesh"],
    "geometry/meshing": ["mesh", "shapes"],
    "collision/narrow": ["broad"],
    "collision/soft": ["broad", "narrow"],
    "collision/guard": ["narrow", "soft"],
    # The room's own files hold its state and its tables of stages, so they know what stages are made of.
    "solver": ["rows", "elements", "contact", "nodes", "exact", "staggered", "position", "energy"],
    "solver/rows": ["elements", "contact", "nodes", "staggered"],
    "solver/elements": ["rows"],
    "solver/contact": ["rows", "elements", "nodes"],
    "solver/nodes": ["elements", "exact", "staggered"],
    "solver/exact": ["rows", "nodes"],
    "solver/energy": ["rows", "elements", "contact", "nodes", "exact"],
    "solver/staggered": ["rows", "contact", "nodes", "energy"],
    "model": ["forces", "goals", "integrators"],
    "model/integrators": ["forces", "goals"],
    "model/forces": ["goals", "integrators"],
}
# Rooms whose folders may all include each other: the world is what ties everything together.
OPEN_ROOMS = ["world"]
# Single files that may include what their folder may not, and why.
EXCEPTIONS = {
    # Checks of plain numbers and points live beside those of shapes, which use them.
    ("src/geometry/mesh/mesh_check.c", "src/geometry/shapes/check.h"),
}


def check_includes():
    for path, other in house.includes():
        inner, outer = house.room(path), house.room(other)
        if house.ROOMS.index(outer) > house.ROOMS.index(inner):
            yield f'{path}: includes {other}, but room "{inner}" must not know "{outer}"'
        elif inner == outer and inner not in OPEN_ROOMS and (path, other) not in EXCEPTIONS:
            where, there = house.folder(path), house.folder(other)
            known = [inner] + [f"{inner}/{name}" for name in KNOWS.get(where, [])]
            if where != there and there not in known:
                yield f'{path}: includes {other}, but "{where}" must not know "{there}"'


def check_rooms_are_known():
    for name in sorted({house.room(path) for path in house.sources()} - set(house.ROOMS)):
        yield f"src/{name}: a room that is not in the order of rooms (tools/house.py)"


def check_outside():
    headers = {path[len("src/") :] for path in house.sources() if path.endswith(".h")}
    for folder in ("scene", "apps", "examples", "include"):
        for path in house.sources(folder):
            for name in house.INCLUDE.findall(house.read(path)):
                beside = os.path.join(house.ROOT, os.path.dirname(path), name)
                if name in headers and not os.path.exists(beside):
                    yield f'{path}: includes "{name}" of src/, which only the library and its tests may'


def check_names():
    places = collections.defaultdict(list)
    for path in house.sources():
        places[os.path.basename(path)].append(path)
    for paths in places.values():
        if len(paths) > 1:
            yield f"{paths[0]}: the same name as {', '.join(paths[1:])}"


def check_sizes():
    for folder, (count, _) in house.folder_sizes().items():
        if count > MOST_FILES:
            yield f"src/{folder}: {count} files; more than {MOST_FILES} are no longer seen at a glance"


def head_of(path):
    match = re.match(r"(//.*\n)*", house.read(path))
    return " ".join(match.group(0).replace("//", " ").split())


def check_tests():
    tests = house.files("tests", ".c")
    named = {re.sub(r"(_slow)?\.c$", "", os.path.basename(path)[len("test_") :]) for path in tests}
    for path in house.sources():
        stem, ending = os.path.splitext(path)
        name = re.sub(r"(_kernel)?_(base|avx2)$", r"\1", os.path.basename(stem))
        has_source = os.path.exists(os.path.join(house.ROOT, stem + ".c"))
        if ending == ".h" and (has_source or not re.search(r"^\{$", house.read(path), re.MULTILINE)):
            continue  # tested with its source file, or no functions to be tested
        told = re.findall(r"tests/[\w/.…-]*[\w…]", head_of(path))
        for test in told:
            if not os.path.exists(os.path.join(house.ROOT, test)):
                yield f"{path}: says it is tested by {test}, which does not exist"
        if name not in named and not told:
            yield f'{path}: no test_{name}.c below tests/, and no "Tested by tests/…" in its head'


def main():
    checks = [check_rooms_are_known, check_includes, check_outside, check_names, check_sizes, check_tests]
    complaints = [complaint for check in checks for complaint in check()]
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"{len(house.sources())} files of src/, {len(house.includes())} includes: {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
