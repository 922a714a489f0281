#!/usr/bin/env python3
"""Are names, comments, messages and docs free of words that only their authors knew?

    tools/check_words.py

Each pattern below once stood for something the field has a word for. Patterns are matched as whole words, within
identifiers too (weak_push). The glossary of docs/architecture.md may name them.
"""
import re
import sys

import house

# Pattern, the field's word, where it is looked for.
EVERYWHERE = ("src", "include", "scene", "apps", "bench", "examples", "tests", "docs", "tools")
LIBRARY = ("src",)
WORDS = [
    (r"riders?", "attached node", EVERYWHERE),
    (r"carriers?", "parent body", EVERYWHERE),
    (r"ridden", "attached", EVERYWHERE),
    (r"rides?", "is attached to", LIBRARY),
    (r"foot|feet", "closest point", EVERYWHERE),
    (r"wholes", "bodies with rigid-mode correction", EVERYWHERE),
    (r"encounters?", "broad-phase pair", EVERYWHERE),
    (r"stray(s|ed)?", "node that left its skin", EVERYWHERE),
    (r"near lists?", "Verlet list", EVERYWHERE),
    (r"ingredients?", "row builder", EVERYWHERE),
    (r"weak push(es|ed)?", "multirate force", EVERYWHERE),
    (r"soft ways?", "displacements", EVERYWHERE),
    (r"renewals?", "detecting contacts again", EVERYWHERE),
    (r"no numbers?", "non-finite", EVERYWHERE),
    (r"bonds?|bonded", "collision exclusion", EVERYWHERE),
    (r"heal(s|ed|ing)?", "inversion recovery", EVERYWHERE),
    (r"fade[sd]?", "warm-start scale", LIBRARY),
]
# Words of the solver that pages for users may use only if they lead to docs/words.md, which explains them. What is
# for those who read the source explains itself.
EXPLAINED = re.compile(r"\b(?:rows?|sweeps?|chords?|islands?|warm starts?)\b")
FOR_USERS = ("README.md", "docs/command.md", "docs/deformables.md", "docs/exact.md", "docs/integrators.md", "docs/limitations.md",
             "docs/long-range.md", "docs/page.md", "docs/position-solver.md", "docs/scenes.md", "docs/solver.md", "docs/tissue.md",
             "docs/tutorial.md")
CODE = re.compile(r"^```.*?^```$|`[^`]*`|^ {4}.*$", re.MULTILINE | re.DOTALL)
GLOSSARY = re.compile(r"^## Glossary$.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def pattern_of(word):
    return re.compile(r"(?<![A-Za-z])(?:%s)(?![a-z])" % word.replace(" ", r"[\s_/*-]+"), re.IGNORECASE)


def texts():
    pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    for folder in EVERYWHERE:
        pages += house.files(folder, ".c", ".h", ".cpp", ".md", ".sh", ".py", ".cmake", ".txt")
    for path in pages:
        if path != "tools/check_words.py":
            text = house.read(path)
            yield path, GLOSSARY.sub(lambda match: "\n" * match.group(0).count("\n"), text)


def unexplained():
    for path in FOR_USERS:
        text = CODE.sub("", house.read(path))
        match = EXPLAINED.search(text)
        if match is not None and "words.md" not in text:
            yield f'{path}: "{match.group(0)}" is not explained: link to words.md'


def main():
    words = [(pattern_of(word), instead, folders) for word, instead, folders in WORDS]
    any_word = pattern_of("|".join(word for word, _, _ in WORDS))
    count = complaints = 0
    for path, text in texts():
        count += 1
        if any_word.search(text) is None:
            continue
        for pattern, instead, folders in words:
            if folders is not EVERYWHERE and not path.startswith(tuple(folder + "/" for folder in folders)):
                continue
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                print(f'{path}:{line}: "{match.group(0)}"; the field says: {instead}', file=sys.stderr)
                complaints += 1
    for complaint in unexplained():
        print(complaint, file=sys.stderr)
        complaints += 1
    print(f"{count} files: {complaints} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
