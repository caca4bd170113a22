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
refused() { # WORDS EDIT
    sed "$2" tests/stream/good.txt > "$dir/bad.hst"
    want 2 "$1" "$heddle" timeline "$dir/bad.hst" --text
    want 2 "$1" "$heddle" profile "$dir/bad.hst"
    want 2 "$1" "$heddle" export "$dir/bad.hst" --format perfetto -o "$dir/none"
}
refused 'its core does not report `wake'"'"', which a view needs' '/^reports wake/d; /^wake/d'
refused 'warp slots of 64 lanes: a view shows at most 32 of 32' 's/^lanes .*/lanes 64/'
refused '(`step'"'"'): a view needs that' '/^step/d'
refused 'no instruction can lie at' 's/^\(issue .*pc=\)[0-9a-f]*/\1ffffff00/'
refused 'no instruction in it' '/^[a-z]* cycle=/d'
refused 'is cut off' '/^end-of-stream/d'
want 2 'a commit log has neither' "$heddle" profile "$dir/good.hst" --save "$dir/none"
echo "views of streams: $passed passed, $failed failed"
[ $failed -eq 0 ]
