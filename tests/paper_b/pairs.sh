#!/bin/sh
# Paper A's placement, the convergence mechanism and regrouping together: what each gains alone,
# whether gains of two multiply, and whether the choice that is predicted to be fastest is.  On the
# model with the core's profile.
# SPDX-License-Identifier: Apache-2.0
# use: pairs.sh HEDDLE FOLDER_A FOLDER_B WARPS MOST [KERNEL]..
#      folders: of `paper_a write` and `paper_b write`; MOST: per cent by which what is predicted to be fastest may be slower
heddle=$1 a=$2 b=$3 warps=$4 most=$5
shift 5
[ $# -gt 0 ] || set -- rsbench xsbench mcb pathtracer mcgpu mummer meiyamd5 optix mcml mum
# Predicted and measured cycles, of the original order and of `best`: four numbers; nothing: it
# can't be regrouped.
cycles() {
    said=$("$heddle" regroup "$@" --warps "$warps" --time 0 --by best --apply redirect --json 2> /dev/null) || return
    echo "$said" | tr '{' '\n' | sed -n 's/.*"in_loops": \([0-9]*\).*"cycles": \([0-9]*\).*/\1 \2/p' | tr '\n' ' '
}
printf '| kernel | placement | stack | best | placement and best | product | stack and best | product | predicted fastest | fastest | slower by |\n'
printf '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n'
for k; do
    dir=$a source=tests/paper_a/$k.cu
    [ "$k" != mum ] || dir=$b source=tests/paper_b/mum.cu
    echo "$k $(cycles "$source" "@$dir/$k.args" --predict off)" \
        "$(cycles "$source" "@$dir/$k.args" --predict user --deconflict dynamic)" \
        "$(cycles "$source" "@$dir/$k.args" --mode stack)"
done | awk -v most="$most" '
    NF != 13 { print "pairs: " $1 ": no answer" > "/dev/stderr"; wrong = 1; next }
    {
        split("off;off, best;user;user, best;stack;stack, best", name, ";")
        guess = real = 1
        for (i = 2; i <= 6; i++) {
            if ($(2 * i) < $(2 * guess)) guess = i
            if ($(2 * i + 1) < $(2 * real + 1)) real = i
        }
        place = $3 / $7; order = $3 / $5; mode = $3 / $11; both = $3 / $9; stacked = $3 / $13
        slower = 100 * ($(2 * guess + 1) / $(2 * real + 1) - 1)
        printf "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %s | %s | %.0f%% |\n", $1, place, mode, order, both, place * order,
               stacked, mode * order, name[guess], name[real], slower
        n++
        multiply += both > 0.95 * place * order && both < 1.05 * place * order
        with_mode += stacked > 0.95 * mode * order && stacked < 1.05 * mode * order
        found += guess == real
        worst = slower > worst ? slower : worst
    }
    END {
        printf "\npairs: gains multiply within 5%%: placement and best in %d of %d, stack and best in %d; the fastest is predicted in %d, " \
               "the worst prediction is %.1f%% slower\n", multiply, n, with_mode, found, worst
        exit wrong || !n || worst > most
    }'
