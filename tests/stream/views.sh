#!/bin/bash
# Timeline, profile and exports of a stream say of lanes what they say of the launch that wrote it;
# they draw a core that is not ours; and what a view cannot show is refused with the reason.
# SPDX-License-Identifier: Apache-2.0
# use: views.sh BUILD FOLDER
build=$1 dir=$2
heddle=$build/heddle
rm -rf "$dir" && mkdir -p "$dir" || exit 4
passed=0 failed=0
want() { # STATUS WORDS COMMAND...
    local status=$1 words=$2
    shift 2
    "$@" > "$dir/out" 2>&1
    local got=$?
    if [ $got -eq "$status" ] && { [ -z "$words" ] || grep -qF -- "$words" "$dir/out"; }; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $*: exit status $got, expected $status with \`$words\`:"
        sed 's/^/    /' "$dir/out"
    fi
}
same() { # WHAT IS SHOULD
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $1: $2, expected $3"
    fi
}
# Letters name places by their line, which a stream does not know.
lanes() { "$heddle" timeline "$@" --text > "$dir/text" && sed -n '/^ *[0-9][0-9]* [^ ]/p' "$dir/text" | tr 'A-Za-z' x; }
sums() { "$heddle" profile "$@" > "$dir/text" && sed -n '/^SIMT/p; /^Where/p; /^branch/,$s/^\(0[0-9a-f]*\) .* \([0-9.]*%\)/\1 \2/p' "$dir/text"; }
for mode in barrier stack; do
    launch="tests/kernels/divergent.cu --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=128 --mode $mode"
    want 0 ended "$heddle" run $launch --stream "$dir/$mode.hst"
    lanes $launch > "$dir/launch" && lanes "$dir/$mode.hst" > "$dir/stream"
    want 0 same sh -c "test \$(wc -l < '$dir/launch') -gt 30 && diff '$dir/launch' '$dir/stream' && echo same"
    sums $launch > "$dir/launch" && sums "$dir/$mode.hst" > "$dir/stream"
    want 0 same sh -c "test \$(wc -l < '$dir/launch') -gt 3 && diff '$dir/launch' '$dir/stream' && echo same"
done
# A stream of four lanes, whose instructions have four bytes.
cp tests/stream/good.txt "$dir/good.hst"
want 0 'of lanes run' "$heddle" timeline "$dir/good.hst" --text
"$heddle" timeline "$dir/good.hst" --text > "$dir/good.text"
want 0 'commits of' "$heddle" timeline "$dir/good.hst" -o "$dir/good.html"
want 1 '' grep -q '^   4 ' "$dir/good.text"
want 0 'of 44 lane-slots' "$heddle" profile "$dir/good.hst"
want 0 '"lanes": 4,' cat "$dir/good.html"
for format in perfetto speedscope; do
    want 0 '' "$heddle" export "$dir/good.hst" --format $format -o "$dir/$format"
    want 0 right perl -MJSON::PP -e 'local $/; decode_json(<STDIN>); print "right"' < "$dir/$format"
done
# Of a core that is not ours: where its lanes go on says what a branch is, and where they part.
want 0 '' "$heddle" profile "$dir/good.hst"
same 'branches of a foreign core' "$(awk '$1 == "branch" { on = 1; next } on { print $1, $4, $5 }' "$dir/out")" '000108 2 1
00010c 1 0
000120 1 0'
# An instruction set of several sizes says where each instruction goes on.
sed '/^step/d; s/^\(issue cycle=26.*\)/&\nnext cycle=26 warp=0 pc=148 mask=f/' tests/stream/good.txt > "$dir/sizes.hst"
want 0 'commits of' "$heddle" timeline "$dir/sizes.hst" -o "$dir/sizes.html"
want 0 'of 44 lane-slots' "$heddle" profile "$dir/sizes.hst"
# 40 warps of 64 lanes: each lane of each is drawn as it was written.
tests/stream/wide.pl > "$dir/wide.hst"
want 0 'stream: ok; 320 instructions' "$heddle" stream check "$dir/wide.hst"
for w in $(seq 0 39); do
    "$heddle" timeline "$dir/wide.hst" --text --warp $((w / 8)).$((w % 8)) > "$dir/text"
    for l in $(seq 0 63); do
        [ "$l" -ge $((24 + w)) ] && echo "$w $l AB:.EFGH" || { [ $((l % 2)) = 0 ] && echo "$w $l ABCD:.GH" || echo "$w $l ABcD:.GH"; }
    done >> "$dir/expected"
    sed -n "s/^ *\([0-9][0-9]*\) \([A-H][^ ]*\)\$/$w \1 \2/p" "$dir/text" >> "$dir/drawn"
done
want 0 same sh -c "diff '$dir/expected' '$dir/drawn' && test \$(wc -l < '$dir/drawn') = 2560 && echo same"
want 0 'SIMT efficiency 75.0% over 320 warp instructions' "$heddle" profile "$dir/wide.hst"
same 'branches of 64 lanes' "$(awk '$1 == "branch" { on = 1; next } on { print $1, $4, $5, $7 }' "$dir/out")" '80000004 40 40 5120
8000000c 40 0 0'
want 0 '320 commits' "$heddle" export "$dir/wide.hst" --format perfetto -o "$dir/wide.json"
want 0 '40 tracks of lane 63, 40 of ffffffffffffffff, 40 part' perl -MJSON::PP -e 'local $/; my $t = decode_json(<STDIN>)->{traceEvents};
    printf "%d tracks of lane 63, %d of ffffffffffffffff, %d part\n", scalar grep({ $_->{name} eq "thread_name" && $_->{args}{name} eq "lane 63" } @$t),
        scalar grep({ ($_->{args}{pc} // 0) == 0x80000018 && $_->{args}{active} eq "f" x 16 } @$t), scalar grep({ $_->{name} eq "diverge" } @$t)' < "$dir/wide.json"
want 0 '320 commits' "$heddle" export "$dir/wide.hst" --format speedscope -o "$dir/wide.speed"
want 0 '320 commits' "$heddle" timeline "$dir/wide.hst" --svg --warp 4.7 -o "$dir/wide.svg"
want 0 '' grep -q '>56</text>' "$dir/wide.svg"
tests/stream/wide.pl stuck > "$dir/stuck.hst"
"$heddle" timeline "$dir/stuck.hst" --text --warp 4.7 > "$dir/text"
want 0 '' grep -q '^  63 AB:.EFGH|:$' "$dir/text"
refused() { # WORDS EDIT
    sed "$2" tests/stream/good.txt > "$dir/bad.hst"
    want 2 "$1" "$heddle" timeline "$dir/bad.hst" --text
    want 2 "$1" "$heddle" profile "$dir/bad.hst"
    want 2 "$1" "$heddle" export "$dir/bad.hst" --format perfetto -o "$dir/none"
}
refused 'its core does not report `wake'"'"', which a view needs' '/^reports wake/d; /^wake/d'
refused 'no instruction can lie at ffffff00: a view shows 8 MiB from 0 on' 's/^\(issue .*n=9 pc=\)[0-9a-f]*/\1ffffff00/'
refused 'warps 0 and 1 are both warp 0 of block 0' 's/ index=1//'
refused 'no instruction in it' '/^[a-z]* cycle=/d'
refused 'is cut off' '/^end-of-stream/d'
want 2 'a commit log has neither' "$heddle" profile "$dir/good.hst" --save "$dir/none"
echo "views of streams: $passed passed, $failed failed"
[ $failed -eq 0 ]
