#!/usr/bin/env python3
"""Do the files and functions that docs/ names exist?

    tools/check_names.py

Looks at words in `backquotes` and at targets of links, in the pages that speak of the inside of the library. A word
with a slash is a path of the project, or ends one (`rows/end.h`); a word that ends in .c or .h is a file anywhere in
it; a word that begins with sn_ or is followed by () is an identifier of the sources. In docs/architecture.md, words in
rows of the table of folders are files without their endings (`hull` in the row of src/geometry/shapes/), and functions
of the walks are defined in the file beside them; constants of docs/constants.md have the value that stands there.
"""
import os
import re
import sys

import house

CODE = ("src", "include", "scene", "apps", "bench", "tests", "examples")
MOST_FUNCTIONS = 12
# Stand for names in general.
PLACEHOLDERS = {"sn_noun_verb", "SN_UPPER_CASE"}
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def pages():
    return ["README.md", "CONTRIBUTING.md"] + house.files("docs", ".md")


def all_files():
    found = []
    for folder in CODE + ("docs", "tools", "scenes", "cmake"):
        found += house.files(folder, "")
    return found + [name for name in os.listdir(house.ROOT) if os.path.isfile(os.path.join(house.ROOT, name))]


def identifiers():
    known = set()
    for folder in CODE:
        for path in house.files(folder, ".c", ".h", ".cpp"):
            known.update(re.findall(r"[A-Za-z_]\w*", house.read(path)))
    return known


def has_path(paths, word):
    """Whether a path is, ends with or begins with the word; * stands for anything."""
    pattern = re.escape(word.rstrip("/")).replace(r"\*", "[^/]*")
    return re.search(rf"(?:^|/){pattern}(?:/|$)", paths, re.MULTILINE) is not None


def check_page(page, paths, known):
    text = FENCED.sub("", house.read(page))
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if not os.path.exists(os.path.join(house.ROOT, os.path.dirname(page), target)):
            yield f"{page}: link to {target}, which does not exist"
    for word in re.findall(r"`([^`\n]+)`", text):
        call = re.fullmatch(r"(\w+)\(\)", word)
        if call or re.fullmatch(r"(sn|SN)_\w+", word):
            name = call.group(1) if call else word
            if name not in known | PLACEHOLDERS:
                yield f"{page}: `{word}` is not in the sources"
        elif re.fullmatch(r"[\w./*-]+", word) and re.search(r"\.[ch]$|^(src|tests|tools|bench|cmake)/", word):
            if not has_path(paths, word):
                yield f"{page}: `{word}` does not exist"


def check_rooms(page):
    """Rows of tables that begin with a folder of src/: single words in them are names of files of the folder."""
    for line in house.read(page).splitlines():
        row = re.match(r"\| `(src/[\w/]+)/` \|", line)
        if row:
            names = {os.path.splitext(os.path.basename(path))[0] for path in house.sources(row.group(1))}
            for word in re.findall(r"`([a-z]\w*\*?)`", line):
                pattern = re.escape(word).replace(r"\*", r"\w*")
                if not any(re.fullmatch(pattern, name) for name in names):
                    yield f"{page}: `{word}` is no file of {row.group(1)}/"


def check_folders(page):
    """The table of rooms leaves out no folder of src/."""
    text = house.read(page)
    for folder in house.folder_sizes():
        if f"`src/{folder}/`" not in text:
            yield f"{page}: src/{folder}/ is missing"


def check_walks(page):
    """Tables of functions with their files: each is defined there, and no table is longer than MOST_FUNCTIONS."""
    count = 0
    for line in house.read(page).splitlines() + [""]:
        row = re.match(r"\| `(\w+)\(\)` \| `(src/[\w/.]+)` \|", line)
        if row is None:
            if count > MOST_FUNCTIONS:
                yield f"{page}: a walk of {count} functions; at most {MOST_FUNCTIONS}"
            count = 0
            continue
        count += 1
        function, path = row.groups()
        exists = os.path.exists(os.path.join(house.ROOT, path))
        if exists and not re.search(rf"^\w[^;=\n]*\b{function}\([^;]*?\)\n\{{", house.read(path), re.MULTILINE):
            yield f"{page}: {function}() is not defined in {path}"


def check_constants(page):
    """Tables of constants: the file has the name, and a number of that value."""
    places = {os.path.basename(path): path for path in house.sources()}
    for line in house.read(page).splitlines():
        row = re.match(r"\| `(\w+)` \| `([\w.]+)` \| ([\d.e-]+)", line)
        if row and row.group(2) in places:
            text, value = house.read(places[row.group(2)]), float(row.group(3).rstrip(".,"))
            numbers = [float(number) for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?=f?\b)", text)]
            if not re.search(rf"\b{row.group(1)}\b", text) or value not in numbers:
                yield f"{page}: {row.group(1)} is not {row.group(3)} in {row.group(2)}"


def main():
    paths, known = "\n".join(all_files()), identifiers()
    complaints = [complaint for page in pages() for complaint in check_page(page, paths, known)]
    complaints += check_rooms("docs/architecture.md")
    complaints += check_folders("docs/architecture.md")
    complaints += check_walks("docs/architecture.md")
    complaints += check_constants("docs/constants.md")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"{len(pages())} pages: {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
