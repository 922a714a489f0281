#!/usr/bin/env bash
# Builds the fuzz targets and runs each for SECONDS (default 20), from the corpora in tests/fuzz/corpus. What they find on the way
# goes to build/fuzz/corpus; a finding ends the run and is left in build/fuzz. Usage: tools/fuzz.sh [SECONDS] [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-20}
shift || true
targets=${*:-scene mesh snapshot geometry world recording}
flags="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -DSN_MAX_ENTRIES=2000"
cmake -S . -B build/fuzz -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="$flags" \
    -DCMAKE_C_FLAGS_RELEASE="-O1 -g" -DSINEW_BUILD_TESTS=OFF -DSINEW_BUILD_BENCH=OFF -DSINEW_BUILD_FUZZ=ON >/dev/null
cmake --build build/fuzz --target $(printf 'fuzz_%s ' $targets)
for target in $targets; do
    mkdir -p "build/fuzz/corpus/$target"
    dictionary=tests/fuzz/fuzz_$target.dict
    echo "fuzz_$target, $seconds s"
    (cd build/fuzz && ASAN_OPTIONS=detect_leaks=1 "tests/fuzz/fuzz_$target" "corpus/$target" "../../tests/fuzz/corpus/$target" \
        -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 -verbosity=0 \
        $([ -f "../../$dictionary" ] && echo "-dict=../../$dictionary") 2>&1 | grep -E 'executed_units|ERROR|SUMMARY|runtime error' || true
        exit "${PIPESTATUS[0]}")
done
