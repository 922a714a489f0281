#!/usr/bin/env bash
# Sees to it that what the build needs is installed; says nothing if it is.
#
#   tools/setup.sh --run      what `make run` needs: a compiler, CMake, and what the sinew command uses
#   tools/setup.sh --web      what `make page`, `make view` and `make site` need
#   tools/setup.sh            what `make test` and `make bench` need as well
#   tools/setup.sh --develop  what `make format`, `make lint` and `make coverage` need as well
#
# On Debian and its relatives missing packages are installed if we are root or may become it without a
# password; otherwise they are named, with the command for an administrator. Elsewhere nothing is installed:
# what is missing is named.
set -euo pipefail

# One line a package: its Debian name, and how to recognise what it brings, however it was installed: a
# command on the PATH, a module known to pkg-config, a header, a library of the loader, a file.
run_packages='
make            command make
cmake           command cmake
ninja-build     command ninja
gcc             command gcc
libc6-dev       header  stdio.h
pkg-config      command pkg-config
libjansson-dev  module  jansson
libepoxy-dev    module  epoxy
libegl-dev      module  egl
libegl1         library libEGL.so.1
libegl-mesa0    library libEGL_mesa.so.0
libgl1-mesa-dri library libEGL_mesa.so.0
libstb-dev      module  stb
libmicrohttpd-dev module libmicrohttpd
ffmpeg          command ffmpeg
fonts-dejavu-core file /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
'
test_packages='
g++             command g++
clang           command clang
libcmocka-dev   module  cmocka
libqhull-dev    module  qhull_r
libccd-dev      module  ccd
libbullet-dev   module  bullet
libassimp-dev   module  assimp
gnuplot-nox     command gnuplot
python3         command python3
'
# WebAssembly, the page, and a browser to test it in.
web_packages='
clang           command clang
lld             command wasm-ld
binaryen        command wasm-opt
zopfli          command zopfli
wasi-libc       file    /usr/include/wasm32-wasi/stdio.h
libclang-rt-dev-wasm32 file /usr/lib/llvm-14/lib/clang/14.0.6/lib/wasi/libclang_rt.builtins-wasm32.a
nodejs          command node
npm             command npm
chromium        command chromium
'
develop_packages='
clang-format    command clang-format
clang-tidy      command clang-tidy
cppcheck        command cppcheck
gcovr           command gcovr
libclang-rt-14-dev file /usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.fuzzer-x86_64.a
'

is_present() { # <how> <what>
    case $1 in
    command) command -v "$2" >/dev/null 2>&1 ;;
    module) pkg-config --exists "$2" >/dev/null 2>&1 ;;
    library) ldconfig -p 2>/dev/null | grep -q "$2" ;;
    file) [ -e "$2" ] ;;
    header) echo "#include <$2>" | gcc -E - >/dev/null 2>&1 ;;
    esac
}

is_debian() {
    command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1
}

is_installed() { # <package>
    is_debian && [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

install_packages() { # <prefix command or empty> <package>…
    local as_root=$1
    shift
    echo "Installing: $*"
    # A stale list of packages may still do, so a failing update alone is no reason to stop.
    $as_root apt-get -qq update || echo "apt-get update failed; going on with the lists there are" >&2
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends "$@" >/dev/null
}

case ${1:-} in
--run) wanted=$run_packages ;;
--web) wanted=$run_packages$web_packages ;;
'') wanted=$run_packages$test_packages ;;
--develop) wanted=$run_packages$test_packages$web_packages$develop_packages ;;
*)
    echo "usage: $0 [--run | --web | --develop]" >&2
    exit 2
    ;;
esac

missing=()
missing_things=()
while read -r package how what; do
    if [ -z "$package" ] || is_installed "$package" || is_present "$how" "$what"; then
        continue
    fi
    missing+=("$package")
    missing_things+=("$how $what")
done <<<"$wanted"

if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

if ! is_debian; then
    echo "Missing, and not to be installed by this script on this system:" >&2
    printf '    %s\n' "${missing_things[@]}" >&2
    echo "Install them with your package manager (modules are those known to pkg-config)." >&2
    exit 1
fi

by_hand="apt-get update && apt-get install --no-install-recommends ${missing[*]}"
if [ "$(id -u)" -eq 0 ]; then
    as_root=''
elif sudo -n true 2>/dev/null; then
    as_root='sudo -n'
else
    echo "These packages are missing: ${missing[*]}" >&2
    echo "They cannot be installed without root. Ask an administrator to run" >&2
    echo "    $by_hand" >&2
    exit 1
fi
if ! install_packages "$as_root" "${missing[@]}"; then
    echo "Could not install: ${missing[*]}. As root, try" >&2
    echo "    $by_hand" >&2
    exit 1
fi
