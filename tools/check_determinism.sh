#!/usr/bin/env bash
# Are results bit-identical however the library is compiled and however many threads run it?
#
#   tools/check_determinism.sh [work folder [arguments of hash_scenes]]
#
# The work folder is build/determinism by default. Without --steps, scenes run for 1000 steps, and all this
# takes minutes.
#
# Compiles the library and tests/determinism/hash_scenes.c, which prints a line "name hash" for each scene,
# by gcc -O3, clang -O3 and gcc -O0; runs it with 1, 2 and 4 threads, and once with the wide kernels switched
# off; fails unless all print the same. A program that was built by gcc -O3 already may be given in HASH_SCENES.
set -euo pipefail
cd "$(dirname "$0")/.."

work=${1:-build/determinism}
arguments=("${@:2}")
program=tests/determinism/hash_scenes.c
flags=(-std=c17 -ffp-contract=off -fno-math-errno -fvisibility=hidden -DNDEBUG -pthread)
flags+=(-Wno-psabi -Iinclude -Isrc -Itests)
cores=$(nproc 2>/dev/null || echo 2)

if [ ! -e "$program" ]; then
    echo "$program is missing" >&2
    exit 1
fi
for compiler in gcc clang; do
    if ! command -v "$compiler" >/dev/null; then
        echo "$compiler is missing: tools/setup.sh installs it" >&2
        exit 1
    fi
done

shopt -s nullglob
shopt -s globstar
sources=(src/**/*.c tests/support/*.c "$program")
wide_sources=(src/**/*_avx2.c)
if [ ${#wide_sources[@]} -gt 0 ] && [ "$(uname -m)" = x86_64 ]; then
    flags+=(-DSN_HAS_AVX2_KERNELS=1)
else
    wide_sources=()
    mapfile -t sources < <(printf '%s\n' "${sources[@]}" | grep -v '_avx2\.c$')
fi

# Everything but the program goes into an archive, from which the linker takes what it needs. `-g0` stands for
# nothing: it is the default.
build() { # <name> <compiler> <optimisation>
    local folder=$work/$1 compiler=$2 optimisation=$3 source extra
    rm -rf "$folder"
    mkdir -p "$folder"
    for source in "${sources[@]}"; do
        extra=-g0
        if [[ $source == *_avx2.c ]]; then
            extra=-mavx2
        fi
        printf '%s\0' "$source" "-o$folder/${source//\//_}.o" "$extra"
    done | xargs -0 -n 3 -P "$cores" "$compiler" "$optimisation" "${flags[@]}" -c
    ar rcs "$folder/library.a" "$folder"/src_*.o "$folder"/tests_support_*.o
    "$compiler" -pthread "$folder/${program//\//_}.o" "$folder/library.a" -lm -o "$folder/hash_scenes"
}

reference=
failures=0
run() { # <name> <title> <threads> <wide kernels: on or off>
    local output="$work/$1/threads_$3_wide_$4.txt" start=$SECONDS switch=(-u SINEW_NO_AVX2) verdict
    if [ "$4" = off ]; then
        switch=(SINEW_NO_AVX2=1)
    fi
    if ! env "${switch[@]}" "$work/$1/hash_scenes" --threads "$3" "${arguments[@]}" >"$output"; then
        verdict='FAILED TO RUN'
    elif [ ! -s "$output" ]; then
        verdict='PRINTED NOTHING'
    elif [ -z "$reference" ]; then
        reference=$output
        verdict=reference
    elif cmp -s "$reference" "$output"; then
        verdict=equal
    else
        verdict=DIFFERS
    fi
    printf '%-10s %8s %6s %6ss  %s\n' "$2" "$3" "$4" $((SECONDS - start)) "$verdict"
    case $verdict in
    equal | reference) ;;
    DIFFERS)
        failures=$((failures + 1))
        diff "$reference" "$output" || true
        ;;
    *) failures=$((failures + 1)) ;;
    esac
}

if [ -n "${HASH_SCENES:-}" ]; then
    rm -rf "$work/gcc_O3"
    mkdir -p "$work/gcc_O3"
    cp "$HASH_SCENES" "$work/gcc_O3/hash_scenes"
else
    build gcc_O3 gcc -O3
fi
build gcc_O0 gcc -O0
build clang_O3 clang -O3

printf '%-10s %8s %6s %7s  %s\n' build threads wide time result
for threads in 1 2 4; do
    run gcc_O3 'gcc -O3' "$threads" on
done
run gcc_O3 'gcc -O3' 1 off
for threads in 1 2 4; do
    run clang_O3 'clang -O3' "$threads" on
done
# Nine times slower, so run once: that it equals the optimised run on one thread settles both questions.
run gcc_O0 'gcc -O0' 4 on

if [ -n "$reference" ]; then
    printf '\nhashes of the reference:\n'
    cat "$reference"
fi
if [ "$failures" -ne 0 ]; then
    echo "$failures of the runs above are wrong" >&2
    exit 1
fi
