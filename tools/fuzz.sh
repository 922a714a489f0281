#!/usr/bin/env bash
# Builds the fuzz targets and runs each for SECONDS (default 20), from the corpora in tests/fuzz/corpus. What they find on the way
# goes to build/fuzz/corpus; a finding is left in build/fuzz and told in the end, with how many inputs were tried.
# Usage: tools/fuzz.sh [SECONDS] [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-20}
shift || true
targets=${*:-mesh scene recording geometry world snapshot}
flags="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -DSN_MAX_ENTRIES=2000"
cmake -S . -B build/fuzz -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="$flags" \
    -DCMAKE_C_FLAGS_RELEASE="-O2 -g1" -DSINEW_BUILD_TESTS=OFF -DSINEW_BUILD_BENCH=OFF -DSINEW_BUILD_FUZZ=ON >/dev/null
cmake --build build/fuzz --target $(printf 'fuzz_%s ' $targets)
# Freed memory is kept from use for a while, but not so much of it that every input has fresh pages.
export ASAN_OPTIONS=detect_leaks=1:quarantine_size_mb=4:malloc_context_size=0
# Short inputs are quick; scenes and lists of changes to a snapshot need some room.
declare -A longest=([mesh]=256 [scene]=1024 [recording]=256 [geometry]=512 [world]=256 [snapshot]=512)
total=0 findings=0
for target in $targets; do
    mkdir -p "build/fuzz/corpus/$target"
    log=build/fuzz/$target.log dictionary=$PWD/tests/fuzz/fuzz_$target.dict
    (cd build/fuzz && "tests/fuzz/fuzz_$target" "corpus/$target" "../../tests/fuzz/corpus/$target" \
        -max_total_time="$seconds" -max_len="${longest[$target]}" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 \
        -verbosity=0 -entropic=0 $([ -f "$dictionary" ] && echo "-dict=$dictionary")) >"$log" 2>&1 ||
        { findings=$((findings + 1)) && grep -E 'ERROR|SUMMARY|runtime error|Test unit' "$log" || true; }
    executed=$(awk '/number_of_executed_units/ { print $2 }' "$log")
    echo "fuzz_$target: ${executed:=0} inputs in $seconds s"
    total=$((total + executed))
done
echo "$total inputs in all, $findings findings"
exit $((findings > 0))
