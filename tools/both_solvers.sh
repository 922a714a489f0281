#!/usr/bin/env bash
# Films the ten mixed scenes that both solvers are compared by, side by side: velocities left, positions right.
#
#   tools/both_solvers.sh [build folder, default build/release] [film, default out/both_solvers.mp4] [seconds of each, default 3]
#
# Needs ffmpeg. Scenes that do not come out the same in `bench --only position_agree` can be looked at here.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(cd "${1:-build/release}" && pwd)
film=${2:-out/both_solvers.mp4}
seconds=${3:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! command -v ffmpeg >/dev/null; then
    echo "both_solvers: ffmpeg is not installed" >&2
    exit 1
fi
mkdir -p "$(dirname "$film")"
"$build/tests/record_mixed" "$work" "$seconds"

number=0
while read -r name; do
    for solver in velocity position; do
        "$build/apps/sinew" render "$work/${number}_$solver.recording" -o "$work/${number}_$solver.mp4" \
            --seconds "$seconds" --fps 30 --size 640x480 >/dev/null
    done
    echo "$name" >"$work/$number.txt" # a file, so that no name needs quotes
    ffmpeg -nostdin -loglevel error -y -i "$work/${number}_velocity.mp4" -i "$work/${number}_position.mp4" -filter_complex \
        "hstack,drawtext=textfile=$work/$number.txt:x=20:y=20:fontsize=28:fontcolor=black,
         drawtext=text=velocity:x=20:y=h-44:fontsize=24:fontcolor=black,
         drawtext=text=position:x=w/2+20:y=h-44:fontsize=24:fontcolor=black" "$work/$number.mp4"
    echo "file '$work/$number.mp4'" >>"$work/list.txt"
    number=$((number + 1))
done <"$work/names.txt"
ffmpeg -nostdin -loglevel error -y -f concat -safe 0 -i "$work/list.txt" -c copy "$film"
echo "$film"
