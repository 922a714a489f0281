#!/usr/bin/env bash
# Can a stranger use the installed library?
#
#   tools/check_install.sh [build folder, default build/release]
#
# Installs into a temporary prefix, moves that elsewhere (a package must not care where it lies), and then, as
# an outsider: compiles every header by itself in C and C++; sees that the shared library exports every
# function of the API and nothing else; builds and runs examples/consumer with CMake and with pkg-config,
# static and shared; builds and runs the programs in README and docs.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${1:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step() {
    echo "-- $*"
}
fail() {
    echo "check_install: $*" >&2
    exit 1
}

step "install"
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
prefix=$work/prefix
library_dir=$(dirname "$(find "$prefix" -name libsinew.a)")
export PKG_CONFIG_PATH=$library_dir/pkgconfig
unset LD_LIBRARY_PATH # programs find the library by themselves
read -ra compile_flags < <(pkg-config --cflags sinew)
read -ra shared_flags < <(pkg-config --libs sinew)
read -ra static_flags < <(pkg-config --static --libs sinew)

step "headers by themselves"
warnings=(-Wall -Wextra -Wpedantic -Werror)
for header in "$prefix"/include/sinew/*.h; do
    include="#include <sinew/$(basename "$header")>"
    echo "$include" | cc -std=c17 -fsyntax-only "${warnings[@]}" "${compile_flags[@]}" -x c -
    echo "$include" | c++ -std=c++17 -fsyntax-only "${warnings[@]}" "${compile_flags[@]}" -x c++ -
done

step "exported symbols"
nm -D --defined-only "$library_dir/libsinew.so" | awk '{ print $3 }' | sort >"$work/exported"
cat "$prefix"/include/sinew/*.h | tr '\n' ' ' | grep -oE 'SN_API [^(;]*\(' |
    grep -oE 'sn_[a-z0-9_]+\($' | tr -d '(' | sort >"$work/declared"
comm -23 "$work/declared" "$work/exported" >"$work/undefined"
comm -13 "$work/declared" "$work/exported" >"$work/undeclared"
if [ -s "$work/undefined" ]; then
    fail "declared but not in the library: $(tr '\n' ' ' <"$work/undefined")"
fi
if [ -s "$work/undeclared" ]; then
    fail "in the library but not declared: $(tr '\n' ' ' <"$work/undeclared")"
fi

step "find_package"
cmake -S examples/consumer -B "$work/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/consumer" >/dev/null
"$work/consumer/consumer_static"
"$work/consumer/consumer_shared"
uses_shared() {
    readelf -d "$1" | grep 'NEEDED.*libsinew' >/dev/null
}
uses_shared "$work/consumer/consumer_shared" || fail "sinew::shared linked statically"
! uses_shared "$work/consumer/consumer_static" || fail "sinew::sinew linked the shared library"

step "pkg-config"
cc "${compile_flags[@]}" examples/consumer/main.c "${shared_flags[@]}" -o "$work/shared"
"$work/shared"
cc -static "${compile_flags[@]}" examples/consumer/main.c "${static_flags[@]}" -o "$work/static"
"$work/static"

step "scenes, schema and pages"
for file in share/sinew/scenes/tower.json share/sinew/scene.schema.json share/doc/sinew/index.md bin/sinew; do
    [ -e "$prefix/$file" ] || fail "$file was not installed"
done
"$prefix/bin/sinew" check "$prefix/share/sinew/scenes/tower.json" >/dev/null

step "programs of examples/, and their pictures"
read -ra scene_flags < <(pkg-config --cflags --libs sinew-scene)
for source in "$prefix"/share/sinew/examples/*.c; do
    name=$(basename "$source" .c)
    cc -std=c17 "${warnings[@]}" "$source" "${scene_flags[@]}" -pthread -o "$work/$name"
    (cd "$work" && "./$name" >"$name.txt")
    [ ! -e "$work/$name.state" ] || "$prefix/bin/sinew" check "$work/$name.state" >/dev/null
    [ ! -e "$work/$name.recording" ] || "$prefix/bin/sinew" run "$work/$name.recording" >"$work/replay.txt" ||
        fail "$name.recording does not replay: $(cat "$work/replay.txt")"
done

for page in README.md docs/deformables.md docs/integrators.md docs/exact.md docs/adding-a-constraint.md docs/adding-a-shape.md; do
    step "the program in $page"
    awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" >"$work/page.c"
    [ -s "$work/page.c" ] || fail "$page shows no program"
    cc -std=c17 "${warnings[@]}" "${compile_flags[@]}" "$work/page.c" "${shared_flags[@]}" -o "$work/page"
    "$work/page"
done
