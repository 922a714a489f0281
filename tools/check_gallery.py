#!/usr/bin/env python3
"""Every scene of scenes/ is in a group of the page's gallery (web/gallery.json), once, and has a small picture."""
import json
import sys
from collections import Counter
from pathlib import Path

root = Path(__file__).resolve().parent.parent
scenes = {path.stem for path in (root / "scenes").glob("*.json")}
gallery = json.loads((root / "web" / "gallery.json").read_text(encoding="utf-8"))
shown = Counter(name for group in gallery["groups"] for name in group["scenes"])
pictures = {path.stem for path in (root / "docs" / "pictures" / "scenes").glob("*.png")}

complaints = [f"web/gallery.json: {name}: in no group" for name in sorted(scenes - shown.keys())]
complaints += [f"web/gallery.json: {name}: there is no scenes/{name}.json" for name in sorted(shown.keys() - scenes)]
complaints += [f"web/gallery.json: {name}: {count} times" for name, count in sorted(shown.items()) if count > 1]
complaints += [f"scenes/{name}.json: no docs/pictures/scenes/{name}.png; see tools/pictures.sh" for name in sorted(scenes - pictures)]
if gallery["start"] not in shown:
    complaints.append(f"web/gallery.json: start: {gallery['start']} is in no group")

print("\n".join(complaints) or f"{len(scenes)} scenes, all in the gallery")
sys.exit(1 if complaints else 0)
