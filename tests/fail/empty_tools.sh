#!/bin/sh
# Scripts that judge, on nothing: the tool under each prints nothing, ends at once, or has no case
# to look at.  Each must end with an exit status that is not 0, and say why.
# SPDX-License-Identifier: Apache-2.0
. tests/fail/begin.sh || exit 4

# refuse STATUS 'MESSAGE' COMMAND...     STATUS `no': any but 0; who dies in perl has that of errno
refuse() {
    want=$1 message=$2
    shift 2
    "$@" > "$tmp/out" 2>&1
    got=$?
    [ "$want" = no ] && [ $got -ne 0 ] && [ $got -ne 127 ] && want=$got
    if [ $got = "$want" ] && grep -qF -- "$message" "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $*: exit status $got, expected $want with \`$message\`:"
        sed 's/^/    /' "$tmp/out"
    fi
}
# tool NAME 'COMMANDS': a program of that name in $tmp
tool() {
    printf '#!/bin/sh\n%s\n' "$2" > "$tmp/$1"
    chmod +x "$tmp/$1"
}

# ---- campaigns of random kernels ----
line() { echo "echo 'fuzz: kernels $1, equal $1, races 0, failed $2, seed 1, shard 0/1'"; }
tool good "$(line 5 0)"
refuse 0 'races 0, failed 0, through the compiler' tests/farm/campaign.sh "$tmp/good" "$tmp/campaign" 60 1 2
tool silent ''
refuse 1 'slices gave no count' tests/farm/campaign.sh "$tmp/silent" "$tmp/campaign" 60 1 2
tool none "$(line 0 0)"
refuse 1 'machine barrier 1 4: no kernel ran' tests/farm/campaign.sh "$tmp/none" "$tmp/campaign" 60 1 2
tool some "case \"\$*\" in *ptx*--lanes\\ 4*) $(line 0 0); exit 1 ;; *) $(line 5 0) ;; esac"
refuse 1 'ptx.stack.4.16.0.out: exit 1' tests/farm/campaign.sh "$tmp/some" "$tmp/campaign" 60 1 2
tool crash "[ \"\$2\" = --help ] || { $(line 5 0); kill -SEGV \$\$; }"
refuse 1 'machine.barrier.1.4.0.out: exit 139' tests/farm/campaign.sh "$tmp/crash" "$tmp/campaign" 60 1 2
mkdir "$tmp/farm"
refuse 1 'farm: shards 0 of 2, kernels 0' tests/farm/total.sh "$tmp/farm" 2
"$tmp/good" > "$tmp/farm/1.out"
refuse 1 'farm: shards 1 of 2' tests/farm/total.sh "$tmp/farm" 2
refuse 0 'farm: shards 1 of 1, kernels 5, equal 5' tests/farm/total.sh "$tmp/farm" 1
"$tmp/none" > "$tmp/farm/2.out"
refuse 1 'farm: 1 shards ran no kernel' tests/farm/total.sh "$tmp/farm" 2
refuse 1 "no program's predictions were placed" tests/fuzz/predicted.sh "$tmp/good"
refuse 1 "no program's predictions were placed" tests/fuzz/predicted.sh "$tmp/silent"
tool predicted "echo 'with predictions 3, placed in 15 more ways'; $(line 5 0)"
refuse 0 'placed in 15' tests/fuzz/predicted.sh "$tmp/predicted"
refuse 1 "fuzz: kernels 0" tests/fuzz/predicted.sh sh -c "$(line 0 0); exit 1"

# ---- pages ----
docs=$(pwd)/tests/docs.pl pages=$tmp/pages
# judge STATUS 'MESSAGE' 'LINE': the check of pages, with the line added to a page that is right
judge() {
    rm -rf "$pages" && mkdir -p "$pages/docs" "$pages/compiler" "$pages/cuda" && git -C "$pages" init -q
    touch "$pages/compiler/a.c" "$pages/cuda/c.c" && echo 'all: a' > "$pages/Makefile"
    printf '# A\n`compiler/`, `cuda/`, `docs/`: [pages](docs/README.md)\n' > "$pages/README.md"
    printf '# Pages\n[one](one.md#one-page), [A](../README.md)\n' > "$pages/docs/README.md"
    printf '# One page\n`compiler/a.c`, `a.c`, `make all`\n%s\n' "$3" > "$pages/docs/one.md"
    refuse "$1" "$2" sh -c "cd '$pages' && $4 '$docs'"
}
judge 0 'docs: 3 pages, 17 words by hand, 3 links, 5 paths, 1 targets: 0 wrong' ''
judge 1 'words in all pages, at most' "$(seq -s ' ' 100000)"
judge 0 ' 17 words by hand' '' 'printf "\n<!-- units -->\n| a | table |\n" >> docs/one.md;'
judge 0 ' 19 words by hand' 'two words'
judge 1 'docs/one.md: no two.md' '[two](two.md)'
judge 1 'docs/README.md has no heading #nix' '[pages](README.md#nix)'
judge 1 'docs/one.md: no compiler/b.c' '`compiler/b.c`'
judge 1 'docs/one.md: no file b.c' '`b.c`'
judge 0 ': 0 wrong' '`b.c`' 'rm -r cuda;'         # who leaves out cuda/ has pages that name it
judge 1 'docs/one.md: make has no target nix' '`make nix`'
judge 1 'docs/one.md: 101 lines of text, at most 100' "$(seq 99)"
judge 1 "docs/one.md:3: say it without \`nobody'" 'nobody knows'
judge 1 "compiler/a.c:2: say it without \`behind the'" '' 'printf "int a;\n/* behind the end */\n" > compiler/a.c;'
judge 0 'targets: 0 wrong' '' 'printf "char *a = \"behind the end\";\n" > compiler/a.c;'
judge 1 'docs/README.md: no way from it to docs/two.md' '' 'echo x > docs/two.md;'
judge 1 'README.md: does not name rtl/' '' 'mkdir rtl; touch rtl/a.v;'
judge 1 'no pages, links, paths or targets' '' 'rm -r *; echo > README.md;'

# ---- speculative reconvergence beside an H200 ----
head='pattern,expensive_fma,prolog_fma,placement,cycles_one_warp,us_one_warp,us_33792_threads,us_270336_threads'
mkdir "$tmp/spec" "$tmp/work"
specrec() { refuse "$1" "$2" tests/silicon/specrec.pl "$tmp/heddle" "$tmp/spec" "$tmp/work" $3; }
# Stores 1000 as each lane's clock, and $1 as all other words.
heddle() { tool heddle "perl -e 'print pack(\"V*\", map { \$_ % 4 ? $1 : 1000 } 0 .. $2)' > '$tmp/work/po.bin'"; }
heddle 7 127
specrec no 'h200.csv: No such file'
: > "$tmp/spec/h200.csv"
specrec no 'h200.csv: has no kernel'
echo "$head" > "$tmp/spec/h200.csv"
specrec no 'h200.csv: has no kernel'
for p in base dyn; do echo "merge,48,8,$p,1000,1,1,1" >> "$tmp/spec/h200.csv"; done
specrec no 'h200.csv: has no static of merge_48_8'
printf 'merge,48,8,static,1000,1,1,1' >> "$tmp/spec/h200.csv"
specrec no 'h200.csv:4: is no measurement, or cut off'
echo >> "$tmp/spec/h200.csv"
specrec 0 'specrec: 1 kernels: winners as on the H200'
specrec no "has no kernel \`delay'" delay
heddle 0 127
specrec no 'specrec: merge_48_8 stores nothing'
heddle 7 63
specrec no 'specrec: merge_48_8 stores nothing'
tool heddle ''
specrec no 'po.bin: No such file'
tool heddle 'exit 1'
specrec 1 'specrec: failed: '

# ---- placements of predictions ----
mkdir "$tmp/predict"
echo 'KERNEL one' > "$tmp/one.cu"
: > "$tmp/none.cu"
printf '    $ heddle says\n    something\n' > "$tmp/page.md"
placements() { refuse "$1" "$2" tests/predict/placements.pl "$tmp/heddle" "$tmp/$3" "$tmp/$4" "$tmp/predict"; }
tool heddle "[ \"\$1\" = says ] && { echo something; exit; }; echo one > '$tmp/predict/out.bin'"
placements 0 'predict: 1 commands' one.cu page.md
placements 1 'predict: 0 kernels' none.cu page.md
placements 1 'predict: 0 commands' one.cu none.cu
tool heddle "[ \"\$1\" = says ] && { echo something; exit; }; head -c 384 /dev/zero > '$tmp/predict/out.bin'"
placements no 'predict: one stores nothing' one.cu page.md

# ---- planted bugs ----
refuse 1 'mutants: there is no bug' tests/mutants/bugs.pl check
: > "$tmp/empty.bugs"
refuse 1 'mutants: there is no bug' tests/mutants/bugs.pl check "$tmp/empty.bugs"
bug() { printf 'bug %s\ncheck: int\n%s\n' "$1" "$2" > "$tmp/one.bugs"; }
apply() { refuse "$1" "$2" tests/mutants/bugs.pl check "$tmp/one.bugs"; }
bug one 'in rtl/front/pick.v'; apply no 'one changes nothing'
bug one '- a'; apply no 'one.bugs:3: an edit without a line'
bug one 'in rtl/front/pick.v
+ a'; apply no 'one.bugs:4: an edit begins with what is there'
bug one 'in rtl/front/pick.v
- endmodule
+ endmodule'; apply 1 'nothing is changed'
bug one 'in rtl/front/pick.v
- no such text
+ a'; apply 1 'its text is in rtl/front/pick.v 0 times, not once'
bug one 'in rtl/front/pick.v
- ;
+ ,'; apply 1 'times, not once'
bug one 'in rtl/front/pick.v
- module   pick /* white space and comments do not count */
+ module pock'; apply 0 'mutants: 1 planted bugs apply'
cat "$tmp/one.bugs" "$tmp/one.bugs" > "$tmp/two.bugs"
refuse no 'two.bugs:6: one stands twice' tests/mutants/bugs.pl check "$tmp/two.bugs"
mkdir "$tmp/tree"
sed -n 's/^bug //p' tests/mutants/curated/*.bugs | sort > "$tmp/tree/mutants.list"
refuse no 'mutants: no mutant is chosen' tests/mutants/campaign.pl "$tmp/tree" --only nobody
refuse no 'mutants: no mutant is chosen' tests/mutants/campaign.pl "$tmp/tree" --only yield-head --shard 1/2
refuse no 'mutants: no check is chosen' tests/mutants/campaign.pl "$tmp/tree" --checks nothing
: > "$tmp/results"
refuse 1 'have no result' tests/mutants/campaign.pl "$tmp/tree" --merge "$tmp/results"
mkdir "$tmp/tree/operators"
: > "$tmp/tree/operators.list"
refuse no 'no mutant is chosen' tests/mutants/operators_run.pl "$tmp/tree"
: > "$tmp/tree/list"
refuse no 'holds no mutant' tests/mutants/netlist.pl conv "$tmp/tree"
echo 'mutate -mode inv' > "$tmp/tree/list"
tool tree/core_smoke ''
refuse no 'compares nothing' tests/mutants/netlist.pl conv "$tmp/tree"
echo '1 equal' > "$tmp/tree/results"
refuse 1 '1 made, 1 proved equal; of the other 0, 0 caught' tests/mutants/netlist.pl conv "$tmp/tree" --report

# ---- coverage, synthesis, proofs ----
: > "$tmp/all.dat"
refuse 1 'there are no data' awk -v holes="$tmp/holes" -f tests/coverage.awk "$tmp/all.dat"
: > "$tmp/cells.txt"
refuse 1 'the core has no cells' awk -f tests/synth.awk "$tmp/cells.txt" "$tmp/cells.txt"
mkdir -p "$tmp/proof/formal" "$tmp/proof/rtl" "$tmp/proof/build"
prove() { (cd "$tmp/proof" && "$here/formal/prove" --build build "$@"); }
here=$PWD
echo 'module unit(input clk, input d_i, output reg q_o); always @(posedge clk) q_o <= d_i; endmodule' > "$tmp/proof/rtl/unit.v"
# proof ASSERTION COVER
proof() {
    cat > "$tmp/proof/formal/p.v" << END
// UNIT: unit
// RTL: unit.v
// PROVE: bmc 4
// COVER: 4
// BUG: unit.v: s/<= d_i/<= !d_i/ -- the wrong value
module p(input clk, input d_i);
    wire q_o;
    reg d_q, was_q = 0;
    unit u(clk, d_i, q_o);
    always @(posedge clk) begin
        d_q <= d_i;
        was_q <= 1;
        $1
        $2
    end
endmodule
END
}
good='if (was_q) assert(q_o == d_q);' reach='if (was_q) cover(q_o);'
proof "$good" "$reach"
refuse 0 'proved for 4 cycles' prove p
proof '' "$reach"
refuse no 'no assertion: there is nothing to prove' prove p
proof "$good" ''
refuse no 'no cover statement: nothing to reach' prove p
proof "$good" 'cover(0);'
refuse 1 'NOT covered' prove p
proof 'assert(1);' "$reach"
refuse 1 'NOT found: the wrong value' prove p
proof "$good" 'end always @* begin assume(d_i); assume(!d_i);'
sed -i '1i // ENGINE: abc' "$tmp/proof/formal/p.v"
refuse no 'what is assumed contradicts itself' prove p
# RTL that was edited: what cannot be read, and what the harness names that is gone.
proof "$good" "$reach"
cp "$tmp/proof/rtl/unit.v" "$tmp/proof/unit.v"
sed -i 's/endmodule/endmodul/' "$tmp/proof/rtl/unit.v"
refuse no 'formal/p.v: rtl/unit.v:' prove p
cp "$tmp/proof/unit.v" "$tmp/proof/rtl/unit.v"
sed -i 's/wire q_o;/& (* hierconn *) wire \\u.gone_q ;/' "$tmp/proof/formal/p.v"
refuse no 'names what the unit does not have, or no longer: gone_q' prove p
refuse 2 'usage: formal/prove' prove
refuse 2 'usage: formal/prove' prove nobody
for jobs in 0 00 '' -1 two 99999999999999999999999; do refuse 2 'usage: formal/prove' prove --jobs "$jobs" p p; done
# What ends a group of processes, as Ctrl-C does, ends the solvers too.
proof "$good" "$reach"
mkdir "$tmp/solvers"
tool solvers/yosys-smtbmc 'echo > "$0.$$"; exec sleep 60'
sed 's/module p/module q/' "$tmp/proof/formal/p.v" > "$tmp/proof/formal/q.v"
(cd "$tmp/proof" && PATH=$tmp/solvers:$PATH exec setsid "$here/formal/prove" --build build --jobs 2 p q > said 2>&1) & group=$!
solvers() { find "$tmp/solvers" -name 'yosys-smtbmc.*' | sed 's/.*\.//'; }
for i in $(seq 60); do [ "$(solvers | wc -l)" = 2 ] && break; sleep 0.5; done
kill -- -$group
for i in $(seq 20); do
    left=$(for s in $(solvers); do ps -o stat= -p "$s"; done | grep -vc '^Z')
    [ "$left" = 0 ] && break
    sleep 0.1
done
[ "$(solvers | wc -l)" = 2 ] && [ "$left" = 0 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL solvers: $left of $(solvers | wc -l) go on"; }

echo "empty tools: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
