#!/bin/bash
# A report comes with a link into the page, which the page's own decoder reads under node: the kernel byte for byte, and a launch
# that fails in the same way.
# SPDX-License-Identifier: Apache-2.0
# use: link.sh BUILD PLANTED             PLANTED: a heddle whose model has a bug
build=$1 planted=$2
. "$(dirname "$0")/../view/common.sh"
# The link in the output becomes $tmp/got/source, launch, mode; then the kernel is run as it says.
unpack() { rm -rf "$tmp/got" && mkdir "$tmp/got" && node "$here/../page/unpack.js" "$tmp/got" < "$tmp/said"; }
links() {                       # STATUS VERDICT SUFFIX HEDDLE WORDS...
    status=$1 verdict=$2 suffix=$3 heddle=$4
    shift 4
    expect "$status" "$verdict" "$heddle" "$@" --no-snapshots
    unpack || { fail "$*: its link"; return; }
    case $suffix in cu) ;; *) cmp "$2" "$tmp/got/source" && ok || fail "$*: the kernel is not the same" ;; esac
    again "$status" "$verdict" "$suffix" "$heddle"
}
again() {                       # STATUS VERDICT SUFFIX HEDDLE
    cp "$tmp/got/source" "$tmp/again.${3/#cu/ptx}"
    eval "expect '$1' '$2' '$4' lockstep '$tmp/again.${3/#cu/ptx}' $(cat "$tmp/got/launch") --mode $(cat "$tmp/got/mode") --no-snapshots"
}
command -v node > /dev/null || { echo 'link: node is missing: make deps-node'; exit 1; }

links 3 'deadlock of the program' s "$build/heddle" lockstep tests/fail/deadlock.s --grid 1 --block 2 'out:u32[2]'
links 1 'equal, ended by a fault' ptx "$build/heddle" lockstep page/examples/08-fault.ptx --grid 1 --block 32 'out:u32[16]' --wave "$tmp/w.fst"
links 1 'equal, ended by a fault' cu "$build/heddle" lockstep tests/fail/range.cu --mode=stack --grid=1 --bl 64 'in:u32[40]=iota' \
    'out:u32[64]' -DN=1 -o "$tmp/w.fst" --print 'out[0:4]'
grep -q '^stack$' <(cat "$tmp/got/mode"; echo) && grep -qx -e "--grid 1 --block 64 --print 'out\[0:4\]' 'in:u32\[40\]=iota' 'out:u32\[64\]'" <(cat "$tmp/got/launch"; echo) &&
    ! grep -q '\.loc' "$tmp/got/source" && ok || { fail 'mode and launch'; cat "$tmp/got/launch"; }
# Letters that JSON or an address quotes.
{ cat tests/fail/deadlock.s; printf '// "quoted" \\ \t </script> \303\244\342\202\254 +/=&%%#\n'; } > "$tmp/odd.s"
links 3 'deadlock of the program' s "$build/heddle" lockstep "$tmp/odd.s" --grid 1 --block 2 'out:u32[2]'
expect 3 'deadlock' "$build/heddle" run "$tmp/odd.s" --grid 1 --block 2 'out:u32[2]'
unpack && cmp "$tmp/odd.s" "$tmp/got/source" && ok || fail 'heddle run has a link'

# RTL and model differ; random kernels, shrunk.
links 1 DIFFERENT ptx "$planted" lockstep page/examples/01-divergent.ptx $(sed -n 's|^// RUN: ||p' page/examples/01-divergent.ptx | head -n 1)
# The difference is said in words, and the prompt comes to the commit that differs under the report's number.
commit=$(sed -n 's/^lockstep: difference at cycle [0-9]*, commit \([0-9]*\),.*/\1/p' "$tmp/said")
grep -qE '^lanes? [0-9, -]+: RTL .*, model |^[a-z_.0-9]+(\[[0-9]+\])?( of|:) lanes? [0-9]' "$tmp/said" && ok || { fail 'no lanes in words'; head -n 5 "$tmp/said"; }
printf 'continue\nquit\n' > "$tmp/steps"
"$planted" lockstep "$tmp/again.ptx" $(sed -n 's|^// RUN: ||p' page/examples/01-divergent.ptx | head -n 1) --step < "$tmp/steps" > "$tmp/prompt" 2> /dev/null
[ -n "$commit" ] && grep -B 1 '^the launch has ended: RTL and model differ' "$tmp/prompt" | grep -qE "^ +$commit " && ok ||
    { fail "the prompt does not come to commit ${commit:-}"; tail -n 4 "$tmp/prompt"; }
expect 1 'failed 1' "$planted" fuzz --seed 1 --count 100000 --first --level machine --shrink 3 --out "$tmp/out"
[ "$(grep -c '^  page: ' "$tmp/said")" = 1 ] && ok || fail 'one link for a failing kernel'
unpack && again 1 DIFFERENT s "$planted"
small=$(ls "$tmp"/out/*-small.s)
expect 1 'differs at' "$planted" fuzz --replay "$small" && unpack && again 1 DIFFERENT s "$planted"

# Where the page is; what has no link.
mkdir -p "$tmp/a b#c" "$tmp/prefix/bin" "$tmp/prefix/share/heddle" && cp "$build/heddle" "$tmp/a b#c/" && cp "$build/heddle" "$tmp/prefix/bin/"
: > "$tmp/a b#c/heddle.html"
: > "$tmp/prefix/share/heddle/heddle.html"
stuck="run $tmp/odd.s --grid 1 --block 2 out:u32[2]"
expect 3 "page: file://$tmp/a%20b%23c/heddle.html#" "$tmp/a b#c/heddle" $stuck
expect 3 "page: file://$tmp/prefix/bin/../share/heddle/heddle.html#" "$tmp/prefix/bin/heddle" $stuck
cp "$build/heddle" "$tmp/" && expect 3 'page: make page, and open build/heddle.html#' "$tmp/heddle" $stuck
"$tmp/heddle" $stuck --json > "$tmp/json" 2> /dev/null
[ $? = 3 ] && [ "$(sed -n 's/^"page": "\(.*\)",$/page: \1/p' "$tmp/json")" = "$(sed -n '/^page: /p' "$tmp/said")" ] && ok || fail 'JSON says the same'
{ cat tests/fail/deadlock.s; echo "// $(od -An -tx1 -v -N 9000 "$build/heddle" | cksum)"; for i in $(seq 1500); do echo "// $i $(echo $i | cksum)"; done; } > "$tmp/long.s"
expect 3 'letters, of at most 8000' "$build/heddle" run "$tmp/long.s" --grid 1 --block 2 'out:u32[2]'
printf 'aaaabbbb' > "$tmp/two"
expect 3 'page: no link: a parameter is read from a file' "$build/heddle" run tests/fail/deadlock.s --grid 1 --block 2 "out:u32[2]=@$tmp/two"
expect 3 'page: no link: the page has no --timing' "$build/heddle" run tests/fail/deadlock.s --grid 1 --block 2 'out:u32[2]' --timing kepler
echo "link: $passed passed, $failed failed"
[ $failed = 0 ]
