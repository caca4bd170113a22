#!/bin/sh
# tests/passes.pl finds what it is for: a comment without its line, a list in another order, nothing
# to look at.
# SPDX-License-Identifier: Apache-2.0
. tests/fail/begin.sh || exit 4

# refuse 'MESSAGE' FILE 'SED PROGRAM': the compiler with that edit is refused
refuse() {
    rm -rf "$tmp/compiler"
    cp -r compiler "$tmp"
    file=$(find "$tmp/compiler" -name "$2")
    before=$(cksum < "$file")
    sed -i "$3" "$file"
    if [ "$before" != "$(cksum < "$file")" ] && ! tests/passes.pl "$tmp" > "$tmp/out" && grep -qF "$1" "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $2 after \`$3\` is not refused with \`$1\`"
    fi
}
refuse "place.c: its first comment has no line \`Ensures:'" place.c 's/^ \* Ensures:/ * Gives:/'
refuse "wait.c: its first comment has no line \`Requires:'" wait.c '1,20s/Requires://'
refuse 'all.h lists ifconv.c before switch.c, which cc.c runs first' all.h '/^\/\* switch.c/,/^$/{H;d};/^\/\* wait.c/{x;G}'
refuse 'all.h lists place.c before place_waits.c, which cc.c runs first' cc.c '/^        place_waits/d;s/^        place_postdom/        place_waits(f);\n&/'
refuse 'minsn.h lists peephole.c before frame.c, which backend.c runs first' backend.c 's/^    peephole_run(mf);//;s/^    frame_run(mf);/&\n    peephole_run(mf);/'
refuse 'cc.c calls no pass of all.h' cc.c 's/^struct hd_image \*hd_compile(/&int dummy, /;/^struct hd_image .hd_compile(/,$d'
printf 'passes: %d planted mistakes found, %d not\n' $passed $failed
[ $failed = 0 ] && [ $passed != 0 ]
