# What tests of views share: a folder of their own, counts, and a command that must say something.
# SPDX-License-Identifier: Apache-2.0
# use: . "$(dirname "$0")/common.sh"
here=$(dirname "$0") part=$(basename "$0" .sh)
tmp=$(mktemp -d) || exit 4
screen=                         # a process that goes with the test
trap 'kill $screen 2> /dev/null; rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
passed=0 failed=0
ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAIL $part: $*"; }
expect() {                      # STATUS 'WORDS' command...
    want=$1 words=$2; shift 2
    "$@" > "$tmp/said" 2>&1
    if [ $? -eq "$want" ] && grep -qF -- "$words" "$tmp/said"; then ok; else fail "$* is not $want with \`$words'"; cat "$tmp/said"; fi
}
