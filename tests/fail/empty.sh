#!/bin/sh
# Every checker on nothing: an empty folder, an empty or cut-off file, a misspelt key, no file at
# all.  Each must end with an exit status that is not 0, and say why.
# SPDX-License-Identifier: Apache-2.0
heddle=${BUILD:-build}/heddle
. tests/fail/begin.sh || exit 4

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
refuse 2 'bare.s:2: this RUN has no EXPECT, HASH, PRINTS or MESSAGE' "$heddle" check "$tmp/bare.s"
sed '3,4s/.*/\/\/ EXIT: 0/' "$tmp/good.s" > "$tmp/bare.s"
refuse 2 'bare.s:2: this RUN has no EXPECT, HASH, PRINTS or MESSAGE' "$heddle" check "$tmp/bare.s"
# An exit status alone is no expectation: whatever goes wrong has one.
sed '4s/.*/\/\/ EXIT: 1/' "$tmp/good.s" > "$tmp/bare.s"
refuse 2 'bare.s:2: this RUN has exit status 1, but no MESSAGE that says why' "$heddle" check "$tmp/bare.s"
sed '4s/.*/\/\/ EXIT: 3\n\/\/ RUN: --grid 1 --block 32 out:u32[32]\n\/\/ MESSAGE: none/' "$tmp/good.s" > "$tmp/bare.s"
refuse 2 'bare.s:2: this RUN has exit status 3, but no MESSAGE that says why' "$heddle" check "$tmp/bare.s"

# ---- heddle silicon: a small folder, one file of it changed at a time ----
sil=tests/silicon
good=$tmp/silicon
mkdir -p "$good/kernels" "$good/traces" "$good/ops"
cp $sil/kernels/trace.h $sil/kernels/p_if_else.cu "$good/kernels"
cp $sil/traces/p_if_else.txt "$good/traces"
cp $sil/input.u32 "$good"
cp $sil/ops/in*.u64 "$good/ops"
echo p_if_else > "$good/no_yield.txt"
printf 'p_if_else\t01234567\n' > "$good/ordered.tsv"
head -3 $sil/ops/ops.tsv | sed 's/#.*/# two/' > "$good/ops/ops.tsv"
awk '/^\.visible \.entry / { n++ } n < 3' $sil/ops/ops.ptx > "$good/ops/ops.ptx"
zcat $sil/ops/expected.u64.gz | head -c 32768 | gzip > "$good/ops/expected.u64.gz"
# good 'LAST LINE' COMMAND...
good() {
    want=$1
    shift
    if "$@" > "$tmp/out" 2>&1 && tail -1 "$tmp/out" | grep -qF -- "$want"; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAIL $*:"; cat "$tmp/out"
    fi
}
good 'kernels 1/1 equal, outputs 1/1 equal, sequences 8/8 equal, of these without yield 8/8, operations 2/2 exact, approx 0/0' \
    "$heddle" silicon --model "$good"
# Where the PTX that the GPU ran is there, it is the program, with or without its source.
mkdir "$tmp/ptx" && cp -r "$good"/* "$tmp/ptx" && cp $sil/kernels/p_if_else.ptx "$tmp/ptx/kernels"
echo '#error' > "$tmp/ptx/kernels/p_if_else.cu"
good 'kernels 1/1 equal, outputs 1/1 equal, sequences 8/8 equal' "$heddle" silicon --model "$tmp/ptx"
rm "$tmp/ptx/kernels/p_if_else.cu"
good 'kernels 1/1 equal, outputs 1/1 equal, sequences 8/8 equal' "$heddle" silicon --model "$tmp/ptx"
# spoilt 'MESSAGE' 'COMMAND', which changes the copy it runs in
spoilt() {
    rm -rf "$tmp/spoilt"
    cp -r "$good" "$tmp/spoilt"
    (cd "$tmp/spoilt" && eval "$2")
    refuse "${3:-2}" "$1" "$heddle" silicon --model "$tmp/spoilt"
}
spoilt 'kernels: is empty' 'rm kernels/*'
spoilt 'kernels: holds 1 to' 'rm kernels/*.cu'
spoilt 'kernels: is no folder' 'rm -r kernels; : > kernels'
spoilt 'p_if_else.txt: has no kernel' 'mv kernels/p_if_else.cu kernels/p_if.cu; cp traces/p_if_else.txt traces/p_if.txt'
spoilt 'p_if_else.txt: cannot be read' 'rm traces/*'
spoilt 'p_if_else.txt: is no whole trace' ': > traces/p_if_else.txt'
spoilt 'p_if_else.txt: is no whole trace' 'head -8 traces/p_if_else.txt > t; mv t traces/p_if_else.txt'
spoilt 'p_if_else.txt: is no whole trace' 'head -c -1 traces/p_if_else.txt > t; mv t traces/p_if_else.txt'
spoilt 'p_if_else.txt: is no whole trace' 'sed 1d traces/p_if_else.txt > t; mv t traces/p_if_else.txt'
spoilt 'input.u32: cannot be read, or is not of 1024 bytes' 'head -c 1020 input.u32 > t; mv t input.u32'
spoilt 'no_yield.txt: there is no kernel p_if_esle' 'echo p_if_esle > no_yield.txt'
spoilt 'no_yield.txt: is empty, or' ': > no_yield.txt'
spoilt 'ordered.tsv: is empty, or' ': > ordered.tsv'
spoilt "warp 3 no longer runs its lanes in the H200's order" "sed -i '/^3 /s/1:/2:/' traces/p_if_else.txt" 1
spoilt 'more warps than in ordered.tsv are in order' 'sed -i s/7// ordered.tsv' 1
spoilt 'out hashes to' 'sed -i "1s/.*/outhash 1/" traces/p_if_else.txt' 1
spoilt 'ops: is empty' 'rm ops/*'
spoilt 'ops.tsv: cannot be read' 'rm ops/ops.tsv'
spoilt 'ops.tsv: is empty' 'echo "# name" > ops/ops.tsv'
spoilt 'ops.tsv: is empty, or its last line is cut off' 'head -c -1 ops/ops.tsv > t; mv t ops/ops.tsv'
spoilt 'is no operation' 'echo "add.s32 op_add_s32" >> ops/ops.tsv'
spoilt 'ops.ptx: lacks op_' 'awk "/^.visible .entry /{n++} n<2" ops/ops.ptx > t; mv t ops/ops.ptx'
spoilt 'ops.ptx: cannot be read, or has no entry' ': > ops/ops.ptx'
spoilt 'in32_a.u64: cannot be read, or is not of' ': > ops/in32_a.u64'
spoilt 'expected.u64.gz: cannot be read, or is not of' ': > ops/expected.u64.gz'
spoilt 'expected.u64.gz: cannot be read, or is not of' 'head -c 1000 ops/expected.u64.gz > t; mv t ops/expected.u64.gz'
spoilt 'expected.u64.gz: cannot be read, or is not of' 'head -c -4 ops/expected.u64.gz > t; mv t ops/expected.u64.gz'
spoilt 'expected.u64.gz: cannot be read, or is not of' 'head -2 ops/ops.tsv > t; mv t ops/ops.tsv'
spoilt 'inexact.tsv: there is no operation add.s23' 'printf "add.s23\tno\n" > ops/inexact.tsv'
spoilt 'is exact, but stands in inexact.tsv' 'printf "add.s32\tno\n" > ops/inexact.tsv' 1
# Recorded states: the first three programs, each of its parts changed at a time.
mkdir "$good/states"
echo none > "$good/states/differs.txt"
zcat $sil/states/fitted.txt.gz | awk '{ print } /^end$/ && ++n == 3 { exit }' | gzip -n > "$good/states/few.txt.gz"
n=$(zcat "$good/states/few.txt.gz" | grep -c '^[0-9]')
good 'kernels 1/1 equal' "$heddle" silicon --model "$good"
if grep -q "^silicon: states $n/$n equal" "$tmp/out"; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo "FAIL states:"; cat "$tmp/out"
fi
# states 'MESSAGE' 'SED PROGRAM' [STATUS], which changes the recording
states() { spoilt "$1" "zcat states/few.txt.gz | sed '$2' | gzip > t; mv t states/few.txt.gz" "${3:-2}"; }
states 'is not as the rules have it' 's/ n=12$/ n=13/' 1
states 'is not as the rules have it' 's/^YIELD$/NOP/' 1
states 'few.txt.gz:1: `program NAME LANES` is expected' '1s/ 32//'
states 'few.txt.gz:2: is no instruction' '2s/.*/BRANCH 3/'
states 'few.txt.gz:2: is no instruction' '2s/.*/BSSY 16/'
states 'is no state' 's/ n=12$/ n=/'
states 'is no state' 's/ n=12$/ q=12/'
states 'the program has no states' '/^[0-9]/d'
states 'the file is cut off' '$d'
spoilt 'few.txt.gz: holds no program' ': | gzip > states/few.txt.gz'
spoilt 'states: holds no states' 'rm states/few.txt.gz'
spoilt 'all its states are equal' 'zcat states/few.txt.gz | sed -n "1s/program \([^ ]*\).*/\1/p" > states/differs.txt' 1
# The recipe that makes them has no GPU here, but compiles.
if ${CC:-cc} -std=gnu11 -Wall -Wextra -Wshadow -Werror -o "$tmp/record" $sil/record/record.c -ldl; then
    refuse 2 'record: cannot open: ' "$tmp/record" "$tmp/nowhere" "$tmp/nothing"
else
    failed=$((failed + 1))
fi
refuse 2 'there is no kernel p_fi' "$heddle" silicon --model --kernel p_fi "$good"
refuse 2 'is no folder' "$heddle" silicon --model "$tmp/nowhere"
# A folder given by SILICON= may lack a part.
rm -r "$good/ops" "$good/states"
good 'kernels 1/1 equal, outputs 1/1 equal, sequences 8/8 equal, of these without yield 8/8, operations 0/0 exact, approx 0/0' \
    "$heddle" silicon --model "$good"

# ---- heddle fuzz: a campaign that ran nothing, or too little ----
refuse 1 'too few: 0 kernels ran, --at-least 1' "$heddle" fuzz --on model --count 3 --shard 4/5
refuse 1 'too few: 2 kernels ran, --at-least 3' "$heddle" fuzz --on model --count 2 --at-least 3
refuse 2 'is not a number from 1' "$heddle" fuzz --at-least 0
refuse 2 'cannot be read' "$heddle" fuzz --replay "$tmp/nothing.s"
refuse 2 'cut off' "$heddle" fuzz --replay "$tmp/nothing"
refuse 2 'is no coverage file' "$heddle" coverage "$tmp/nothing"

echo "empty: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
