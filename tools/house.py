"""What the sources are: files, folders, and which file includes which. Read from the tree, by the checks and
the map of the house."""
import collections
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# A room may include itself and the rooms before it.
ROOMS = ["base", "math", "geometry", "matter", "collision", "constraint", "solver", "model", "long_range", "world"]

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def files(folder, *endings):
    """Paths below a folder, relative to the project, in order."""
    found = []
    for where, folders, names in os.walk(os.path.join(ROOT, folder)):
        folders.sort()
        found += [os.path.relpath(os.path.join(where, name), ROOT) for name in names if name.endswith(endings)]
    return sorted(found)


def sources(folder="src"):
    return files(folder, ".c", ".h")


def room(path):
    """src/solver/rows/end.h is of the room "solver"."""
    return path.split("/")[1]


def folder(path):
    """src/solver/rows/end.h is in the folder "solver/rows"."""
    return os.path.dirname(path)[len("src/") :]


def included(path):
    """Files of src/ that a file includes."""
    for name in INCLUDE.findall(read(path)):
        for place in ("src/" + name, os.path.join(os.path.dirname(path), name)):
            if place.startswith("src/") and os.path.exists(os.path.join(ROOT, place)):
                yield place
                break


def includes():
    """(file, included file) for all of src/."""
    return [(path, other) for path in sources() for other in included(path)]


def folder_sizes():
    """By folder of src/: number of files, number of lines."""
    sizes = collections.OrderedDict()
    for path in sources():
        count, lines = sizes.get(folder(path), (0, 0))
        sizes[folder(path)] = (count + 1, lines + read(path).count("\n"))
    return sizes
