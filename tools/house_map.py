#!/usr/bin/env python3
"""Draws the map of the house: rooms of src/ from bottom to top, their folders, and who includes whom.

    tools/house_map.py [--check]      writes docs/pictures/house.svg, or says whether its arcs are still true

Folders are bars, as long as they have lines. Arcs on the left lead from a room to one that it includes, arcs on the
right from a folder to another one of its room; the thicker, the more includes. Everything comes from the files.
"""
import collections
import os
import sys

import house

OUTPUT = "docs/pictures/house.svg"
ROW, GAP, TOP = 22, 14, 56  # height of a folder, space between rooms, space above the first room [px]
LEFT, LABEL, BAR, RIGHT = 210, 150, 400, 150  # widths of arcs, names, bars with their counts, arcs of folders
COLORS = ["#4e79a7", "#59a14f", "#9c755f", "#b07aa1", "#f28e2b", "#edc948", "#e15759", "#76b7b2", "#8cd17d", "#79706e"]


def counts():
    """Includes from room to room and, within rooms, from folder to folder."""
    rooms, folders = collections.Counter(), collections.Counter()
    for path, other in house.includes():
        pair, inner = (house.room(path), house.room(other)), (house.folder(path), house.folder(other))
        if pair[0] != pair[1]:
            rooms[pair] += 1
        elif inner[0] != inner[1]:
            folders[inner] += 1
    return rooms, folders


def summary(between, within):
    """Which arcs there are; in the picture as a comment, so that it can be told whether it is up to date."""
    return "<!-- " + " ".join(sorted(f"{a}:{b}" for a, b in list(between) + list(within))) + " -->"


def arc(x, y_from, y_to, bend, width, color):
    """From one height to another, with a dot where it ends."""
    middle = x + bend
    curve = f'M{x},{y_from:g} C{middle:g},{y_from:g} {middle:g},{y_to:g} {x},{y_to:g}'
    return [
        f'<path d="{curve}" fill="none" stroke="{color}" stroke-width="{width:g}" stroke-opacity="0.65"/>',
        f'<circle cx="{x}" cy="{y_to:g}" r="{1.5 + width / 2:g}" fill="{color}"/>',
    ]


def width_of(count):
    return 0.8 + 0.5 * count**0.5


def text(x, y, words, extra=""):
    return f'<text x="{x:g}" y="{y:g}"{extra}>{words}</text>'


def layout():
    """Rooms from the last one down to the first: (room, top, folders with their heights), and the height of all."""
    sizes, y, rooms = house.folder_sizes(), TOP, []
    for room in reversed(house.ROOMS):
        inside = [name for name in sizes if name.split("/")[0] == room]
        if inside:
            rooms.append((room, y, [(name, y + ROW * (i + 0.5)) for i, name in enumerate(inside)]))
            y += ROW * len(inside) + GAP
    return rooms, y


def draw():
    sizes = house.folder_sizes()
    between, within = counts()
    rooms, height = layout()
    longest = max(lines for _, lines in sizes.values())
    x_name, x_bar = LEFT + 14, LEFT + LABEL
    width, x_right = LEFT + LABEL + BAR + RIGHT, LEFT + LABEL + BAR
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="DejaVu Sans, sans-serif" font-size="12">',
        summary(between, within),
        f'<rect width="{width}" height="{height}" fill="white"/>',
        text(x_name, 20, f"src/: {sum(c for c, _ in sizes.values())} files,"
             f" {round(sum(l for _, l in sizes.values()), -2):,} lines", ' font-size="15" font-weight="bold"'),
        text(x_name, 40, "each room includes rooms below it only; dots are what is included", ' fill="#555"'),
    ]
    heights, room_heights = {}, {}
    for room, top, folders in rooms:
        color = COLORS[house.ROOMS.index(room)]
        tall = ROW * len(folders)
        out.append(f'<rect x="{LEFT}" y="{top - 3}" width="{LABEL + BAR}" height="{tall + 6}" rx="5" fill="{color}"'
                   ' fill-opacity="0.13"/>')
        room_heights[room] = top + tall / 2
        for name, y in folders:
            heights[name] = y
            count, lines = sizes[name]
            length = 240 * lines / longest
            out.append(text(x_name, y + 4, name.split("/")[1] if "/" in name else f"{name}/*.c"))
            out.append(f'<rect x="{x_bar}" y="{y - 7:g}" width="{length:.1f}" height="14" fill="{color}"/>')
            out.append(text(x_bar + length + 6, y + 4, f"{count} files, {round(lines, -2):,} lines", ' fill="#555"'))
        out.append(text(LEFT - 8, room_heights[room] + 4, room, ' font-weight="bold" text-anchor="end"'))
    for (inner, outer), count in sorted(between.items()):
        bend = -0.42 * abs(room_heights[inner] - room_heights[outer]) ** 0.88 - 12
        out += arc(LEFT - 84, room_heights[inner], room_heights[outer], max(bend, -180), width_of(count),
                   COLORS[house.ROOMS.index(inner)])
    for (inner, outer), count in sorted(within.items()):
        bend = 0.9 * abs(heights[inner] - heights[outer]) + 10
        out += arc(x_right, heights[inner], heights[outer], min(bend, RIGHT), width_of(count),
                   COLORS[house.ROOMS.index(inner.split("/")[0])])
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    if sys.argv[1:] == ["--check"]:
        if summary(*counts()) not in house.read(OUTPUT):
            print(f"{OUTPUT} is not what the includes say: run tools/house_map.py", file=sys.stderr)
            return 1
        return 0
    with open(os.path.join(house.ROOT, OUTPUT), "w", encoding="utf-8") as file:
        file.write(draw())
    return 0


if __name__ == "__main__":
    sys.exit(main())
