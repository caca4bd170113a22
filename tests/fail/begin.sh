# Sourced by the scripts beside it: a folder that ends with the script, and what it counts.
# SPDX-License-Identifier: Apache-2.0
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
passed=0 failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL $*"; sed 's/^/    /' "$tmp/out"; }
