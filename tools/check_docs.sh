#!/usr/bin/env bash
# Do the command lines of README and docs work when typed?
#
#   tools/check_docs.sh [build folder, default build/release]
#
# Commands are the lines of indented blocks. Those that begin with `sinew` are run, page by page, in a scratch
# folder that has the project's scenes/ beside it. `make` targets are looked up (running them is what
# continuous integration does); what else may stand there is listed below with the test that runs it. A command
# of any other kind is an error, so that none stays untried.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

build=$(cd "${1:-build/release}" && pwd)
export PATH=$build/apps:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "check_docs: $*" >&2
    exit 1
}

# Lines of indented blocks that look like commands, without their comments.
commands_of() { # <page>
    sed -nE 's/^ {4}((sinew|make|cmake|ctest|cc|git|build\/[^ ]*|tools\/[^ ]*) [^#]*[^# ]).*/\1/p; s/^ {4}(make)$/\1/p' "$1"
}

count=0
for page in README.md CONTRIBUTING.md docs/*.md; do
    scratch=$work/$(basename "$page" .md)
    mkdir -p "$scratch"
    ln -s "$root/scenes" "$scratch/scenes"
    while IFS= read -r command; do
        case $command in
        sinew\ *)
            echo "-- $page: $command"
            # `|| true` is never added: every command shown must succeed.
            (cd "$scratch" && bash -euo pipefail -c "$command" </dev/null >"$work/output" 2>&1) ||
                { cat "$work/output" >&2; fail "$page: \`$command\` failed"; }
            count=$((count + 1))
            ;;
        make | make\ *)
            target=$(echo "$command" | awk '{ print $2 }')
            make --dry-run ${target:+"$target"} >/dev/null 2>&1 || fail "$page: \`$command\`: no such target"
            ;;
        cmake\ --preset*) ;;  # what `make test` is made of
        cc\ *) ;;             # tools/check_install.sh compiles with pkg-config
        ctest\ * | tools/*) ;; # a test or a check by itself
        *) fail "$page: \`$command\` is of a kind this script does not try" ;;
        esac
    done < <(commands_of "$page")
done
[ "$count" -ge 10 ] || fail "only $count commands found: is the pattern still right?"
echo "$count commands work"
