#!/usr/bin/env bash
# A stranger's path: README from top to bottom, typed as it stands, in a fresh clone and a home of its own.
#
#   tools/check_stranger.sh
#
# Takes the time of a whole build. What is committed counts, as a stranger gets nothing else. Lines that are left out,
# each for its reason, are listed below; a line of another kind is an error, so that none stays untried.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/sinew"
cd "$work/sinew"
export HOME=$work/home
mkdir -p "$HOME"
unset LD_LIBRARY_PATH PKG_CONFIG_PATH

fail() {
    echo "check_stranger: $*" >&2
    exit 1
}

# The program that README tells to save.
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >crate.c
[ -s crate.c ] || fail "README shows no program"

count=0
while IFS= read -r line; do
    command=${line%%#*}
    case $command in
    'make test'* | 'make figures'*) continue ;; # what continuous integration runs; minutes each
    'make view'*) continue ;;                   # opens a browser; make web-test looks at the page
    'make run'* | 'make install'* | 'sinew '* | 'cc '*) ;;
    'export '*)
        eval "$command"
        continue
        ;;
    *) fail "\`$command\` is of a kind this script does not try" ;;
    esac
    echo "-- $command"
    bash -euo pipefail -c "$command" </dev/null >"$work/output" 2>&1 || { cat "$work/output" >&2; fail "\`$command\` failed"; }
    count=$((count + 1))
done < <(awk '/^```/ { inside = !inside } !inside' README.md | sed -nE 's/^ {4}([a-z].*)$/\1/p')
[ "$count" -ge 10 ] || fail "only $count commands found: is the pattern still right?"

[ "$(command -v sinew)" = "$HOME/.local/bin/sinew" ] || fail "sinew is $(command -v sinew), not the one installed"
./crate | grep 'the crate lies at' || fail "the program says something else"
for file in out/jelly_chocolate_dish.mp4 out/jelly_chocolate_dish.png marbles.png pendulum.svg parcels.png figures/index.html; do
    [ -s "$file" ] || fail "$file is missing"
done

# The programs of examples/, as README says, and the film of what one did.
read -ra flags < <(pkg-config --cflags --libs sinew-scene)
for source in examples/*.c; do
    cc -std=c17 "$source" "${flags[@]}" -o "$work/program" || fail "$source does not compile"
    "$work/program" >/dev/null || fail "$source does not run"
done
sinew render rope_bridge.recording -o bridge.mp4 >/dev/null
[ -s bridge.mp4 ] || fail "bridge.mp4 is missing"
echo "$count commands of README work in a fresh clone"
