#!/usr/bin/env bash
# Puts what the page fetches into build/web/public: the engine, every scene as a saved state, thumbnails, and the
# list of them all. Usage: web/prepare.sh SINEW_COMMAND ENGINE.wasm
set -euo pipefail
cd "$(dirname "$0")/.."
command=$1 engine=$2
public=build/web/public
mkdir -p "$public/scenes" "$public/thumbnails"
node web/pack.mjs "$engine" "$public/engine.pack"
for scene in scenes/*.json; do
    name=$(basename "$scene" .json)
    state=$public/scenes/$name.state
    if [ ! -e "$state" ] || [ "$scene" -nt "$state" ] || [ "$command" -nt "$state" ]; then
        "$command" convert "$scene" "$state" >/dev/null
    fi
    cp "docs/pictures/scenes/$name.png" "$public/thumbnails/$name.png"
done
node web/list_scenes.mjs web/gallery.json scenes "$public/gallery.json"
