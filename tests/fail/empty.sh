#!/bin/sh
# Every checker on nothing: an empty folder, an empty or cut-off file, a misspelt key, no file at all.
# Each must end with an exit status that is not 0, and say why.
# SPDX-License-Identifier: Apache-2.0
heddle=${BUILD:-build}/heddle
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
passed=0 failed=0

# refuse STATUS 'MESSAGE' COMMAND...
refuse() {
    want=$1 message=$2
    shift 2
    "$@" > "$tmp/out" 2>&1
    got=$?
    if [ $got -eq "$want" ] && grep -qF -- "$message" "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $*: exit status $got, expected $want with \`$message\`:"
        sed 's/^/    /' "$tmp/out"
    fi
}

# ---- heddle check: one line of a good file changed at a time ----
cat > "$tmp/good.s" << 'EOF'
// LANES: none
// RUN: --grid 1 --block 32 out:u32[32]
// EXPECT: out[0:2] = 0 0
// HASH: out 00000000
.text
.kernel k
.regs 16
.barriers 1
.param out u64 8
    EXIT
EOF
if "$heddle" check "$tmp/good.s" > "$tmp/out" 2>&1; then passed=$((passed + 1)); else
    failed=$((failed + 1)); cat "$tmp/out"
fi
# line LINE 'NEW TEXT' STATUS 'MESSAGE'
line() {
    awk -v n="$1" -v text="$2" 'NR == n { print text; next } { print }' "$tmp/good.s" > "$tmp/bad.s"
    refuse "$3" "$4" "$heddle" check "$tmp/bad.s"
}
mkdir "$tmp/folder"
: > "$tmp/nothing"
refuse 2 'no input file' "$heddle" check
refuse 2 'folder: cannot be read' "$heddle" check "$tmp/folder"
refuse 2 'missing.s: cannot be read' "$heddle" check "$tmp/good.s" "$tmp/missing.s"
refuse 2 'nothing: has no RUN line' "$heddle" check "$tmp/nothing"
line 2 '// nobody runs' 2 'bad.s:3: EXPECT belongs to the RUN before it'
for word in EXPCT EXPECTS Expect expect EXPEC XEXPECT; do
    line 3 "// $word: out[0:2] = 0 0" 2 "bad.s:3: \`$word\`: a key is written \`// EXPECT: \`"
done
line 3 '//EXPECT: out[0:2] = 0 0' 2 'bad.s:3: `EXPECT`: a key is written'
line 3 '// EXPECT out[0:2] = 0 0' 2 'bad.s:3: `EXPECT`: a key is written'
line 3 '// WANT: out[0:2] = 0 0' 2 'bad.s:3: `WANT` is no key'
line 4 '// HASHS: out 00000000' 2 'bad.s:4: `HASHS`: a key is written'
line 4 '// MESAGE: fault' 2 'bad.s:4: `MESAGE`: a key is written'
line 1 '// MODES: barrier' 2 'bad.s:1: `MODES`: a key is written'
line 1 '// MODE: stacks' 2 'bad.s:1: MODE: `stacks` says nothing'
line 1 '// LANES:' 2 'bad.s:1: LANES: `` says nothing'
line 1 '// LANES: all' 2 'bad.s:1: LANES: `all` says nothing'
line 1 '// LANES: 4 5' 2 'bad.s:1: LANES: `4 5` says nothing'
line 3 '// EXIT: one' 2 'bad.s:3: EXIT: `one` says nothing'
line 2 '// RUN: --grid 1 --blocks 32 out:u32[32]' 2 'bad.s:2: RUN: no launch'
line 3 '// EXPECT:' 2 'bad.s:3: EXPECT: `` says nothing'
line 3 '// EXPECT: out[0:2] = 0 1' 1 'expected out[0:2] = 0 1'
line 3 '// EXPECT: out[2:2] =' 1 'no such elements'
line 3 '// EXPECT: tuo[0:2] = 0 0' 1 'no such elements'
line 4 '// HASH: tuo 00000000' 1 'no such buffer of words'
line 4 '// HASH: out' 1 'no such buffer of words'
sed '3,4d' "$tmp/good.s" > "$tmp/bare.s"
refuse 2 'bare.s:2: this RUN has no EXPECT, HASH or MESSAGE' "$heddle" check "$tmp/bare.s"
sed '3,4s/.*/\/\/ EXIT: 0/' "$tmp/good.s" > "$tmp/bare.s"
refuse 2 'bare.s:2: this RUN has no EXPECT, HASH or MESSAGE' "$heddle" check "$tmp/bare.s"

echo "empty: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
