# A thin front to CMake: every target is a few lines that could be typed by hand. See docs/building.md. What
# CMake says while configuring is dropped unless something is wrong: that comes on stderr.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
WITHOUT_TESTS = -DSINEW_BUILD_TESTS=OFF -DSINEW_BUILD_BENCH=OFF
FLAGSHIP = jelly_chocolate_dish
SOURCES = $(shell find include src scene apps tests bench examples -name '*.[ch]' -o -name '*.cpp')

.PHONY: help run test bench figures both asan tsan clang debug survive random fuzz format lint coverage install clean stranger
.PHONY: setup setup-run setup-web setup-develop wasm page view site web-test

help:
	@echo 'make run       build, run the flagship scene, and leave a film and a picture in out/'
	@echo 'make view      build the page and show the flagship scene in the browser'
	@echo 'make page      the page alone, into build/web/page (make wasm: the engine alone)'
	@echo 'make site      the page and the docs as files for any web server: build/web/site'
	@echo 'make test      build and run all tests'
	@echo 'make bench     build and run the benchmarks'
	@echo 'make figures   the figures and tables of the papers, with their numbers beside: out/figures/index.html'
	@echo 'make both      the ten mixed scenes under both solvers, side by side: out/both_solvers.mp4'
	@echo 'make asan      quick tests with the address and undefined-behaviour sanitizers'
	@echo 'make tsan      tests that use threads, with the thread sanitizer'
	@echo 'make clang     all tests, built with clang'
	@echo 'make debug     quick tests, unoptimised'
	@echo 'make random    COUNT=1000 random worlds from SEED=1 on: nothing freezes, crosses, gains energy or loses a bit'
	@echo 'make fuzz      each fuzz target for SECONDS=3600'
	@echo 'make survive   runs that are killed or find no room, at MOMENTS=1000 random moments: no file is lost'
	@echo 'make stranger  README from top to bottom in a fresh clone and a home of its own'
	@echo 'make format    clang-format all sources in place'
	@echo 'make lint      clang-format (check), clang-tidy, cppcheck'
	@echo 'make coverage  which lines the quick tests reach: build/coverage/report.html'
	@echo 'make install   install below PREFIX (default /usr/local)'
	@echo 'make clean     remove build/'

# Each installs the packages its targets need, if any are missing.
setup:
	@tools/setup.sh
setup-run:
	@tools/setup.sh --run
setup-web:
	@tools/setup.sh --web
setup-develop:
	@tools/setup.sh --develop

run: setup-run
	cmake --preset release $(WITHOUT_TESTS) >/dev/null
	cmake --build --preset release
	@mkdir -p out
	build/release/apps/sinew run $(FLAGSHIP:%=scenes/%.json) --trace $(FLAGSHIP:%=out/%.csv)
	build/release/apps/sinew render $(FLAGSHIP:%=scenes/%.json) --at 0.36 -o $(FLAGSHIP:%=out/%.png)
	build/release/apps/sinew render $(FLAGSHIP:%=scenes/%.json) -o $(FLAGSHIP:%=out/%.mp4)
	@echo
	@echo 'The film is  $(FLAGSHIP:%=out/%.mp4)'
	@echo 'A picture    $(FLAGSHIP:%=out/%.png)'
	@echo 'The trace    $(FLAGSHIP:%=out/%.csv)   (build/release/apps/sinew plot $(FLAGSHIP:%=out/%.csv) -o out/plot.svg)'
	@echo 'To pull at it   make view'

# The engine for the page: build/wasm/web/engine/sinew.wasm.
wasm: setup-web
	cmake --preset wasm >/dev/null
	cmake --build --preset wasm

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --no-progress --loglevel=error
	@touch $@

page: wasm web/node_modules/.package-lock.json
	cmake --preset release >/dev/null
	cmake --build --preset release --target sinew_command
	web/prepare.sh build/release/apps/sinew build/wasm/web/engine/sinew.wasm
	cd web && npm run --silent check && npm run --silent build -- --logLevel warn

view: page
	build/release/apps/sinew view $(FLAGSHIP:%=scenes/%.json)

site: page
	node web/site.mjs build/web/page docs build/web/site
	@echo 'The site is  build/web/site'

# Every scene for so many steps, in node and in the browser. Not a part of `make test`: it takes a browser and minutes.
STEPS ?= 300
web-test: page
	node web/tests/engine_test.mjs build/wasm/web/engine/sinew.wasm build/release/apps/sinew build/web/public/scenes $(STEPS)
	node web/tests/page_test.mjs build/web/page build/release/apps/sinew $(STEPS)

test: setup
	cmake --preset release >/dev/null
	cmake --build --preset release
	ctest --preset release -j $(JOBS)

bench: setup
	cmake --preset release >/dev/null
	cmake --build --preset release --target bench
	build/release/bench/bench $(BENCH_ARGUMENTS)

figures: setup-run
	cmake --preset release $(WITHOUT_TESTS) >/dev/null
	cmake --build --preset release
	@mkdir -p out
	build/release/apps/sinew figures -o out/figures

# Runs killed, ended or without room on the disk at so many random moments.
MOMENTS ?= 1000
survive: setup
	cmake --preset release >/dev/null
	cmake --build --preset release --target test_apps_survival_slow sinew_command
	SINEW_MOMENTS=$(MOMENTS) build/release/tests/test_apps_survival_slow

# Velocities left, positions right.
both: setup
	cmake --preset release >/dev/null
	cmake --build --preset release --target record_mixed sinew_command
	tools/both_solvers.sh

# Each fuzz target for so many seconds.
SECONDS ?= 3600
fuzz: setup
	tools/fuzz.sh $(SECONDS)

# Random worlds, the SEED-th and those after it; those that fail are shrunk to scenes in out/random.
COUNT ?= 1000
SEED ?= 1
random: setup
	cmake --preset release >/dev/null
	cmake --build --preset release --target random_worlds
	@mkdir -p out/random
	build/release/tests/random_worlds $(COUNT) $(SEED) out/random

# As a stranger would: takes a whole build.
stranger: setup-run
	tools/check_stranger.sh

asan tsan clang debug: setup
	cmake --preset $@ >/dev/null
	cmake --build --preset $@
	ctest --preset $@ -j $(JOBS)

format: setup-develop
	clang-format -i $(SOURCES)

# Beyond cppcheck 2.10, hence suppressed: compound literals in a conditional or before a format, vectors written
# lane by lane, two numbers that begin alike, an index compared after its use, memory that goes to a list. Of
# tests it has nothing else to say.
lint: setup-develop
	clang-format --dry-run --Werror $(SOURCES)
	cmake --preset clang >/dev/null
	run-clang-tidy -quiet -j $(JOBS) -p build/clang '/(src|scene|apps|bench|tests)/.*\.c$$'
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
		--suppress=missingIncludeSystem --suppress=internalAstError --suppress=uninitvar:src/base/simd.h \
		--suppress=duplicateAssignExpression --suppress=arrayIndexThenCheck --suppress='varFuncNullUB:apps/figures/*' --suppress='memleak:scene/*' \
		-j $(JOBS) -Iinclude -Isrc -I. src scene apps bench

coverage: setup-develop
	cmake --preset coverage >/dev/null
	cmake --build --preset coverage
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage -j $(JOBS)
	gcovr --root . --filter src/ --filter include/ --exclude-unreachable-branches \
		--html build/coverage/report.html --print-summary build/coverage

install: setup-run
	cmake --preset release $(WITHOUT_TESTS) >/dev/null
	cmake --build --preset release
	cmake --install build/release --prefix $(or $(PREFIX),/usr/local)

clean:
	rm -rf build
