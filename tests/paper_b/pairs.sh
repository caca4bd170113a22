#!/bin/sh
# Paper A's placement and regrouping together: what each gains alone, what both gain, and whether the pair that is
# predicted to be fastest is.  On the model with the core's profile.
# SPDX-License-Identifier: Apache-2.0
# use: pairs.sh HEDDLE FOLDER_A FOLDER_B WARPS     folders: of `paper_a write` and `paper_b write`
heddle=$1 a=$2 b=$3 warps=$4
off='--predict off'
user='--predict user --deconflict dynamic'
# Predicted and measured cycles, of the original order and of `best`: four numbers; nothing: it can't be regrouped.
cycles() {
    "$heddle" regroup "$@" --warps "$warps" --time 0 --by best --apply redirect --json 2> /dev/null | tr '{' '\n' | sed -n \
        's/.*"in_loops": \([0-9]*\).*"cycles": \([0-9]*\).*/\1 \2/p' | tr '\n' ' '
}
printf '| kernel | placement | best | both | product | predicted fastest | fastest | slower by |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n'
for k in rsbench xsbench mcb pathtracer mcgpu mummer meiyamd5 optix mcml mum; do
    dir=$a source=tests/paper_a/$k.cu
    [ $k != mum ] || dir=$b source=tests/paper_b/mum.cu
    # shellcheck disable=SC2086
    echo "$k $(cycles $source "@$dir/$k.args" $off) $(cycles $source "@$dir/$k.args" $user)"
done | awk '
    NF != 9 { print "pairs: " $1 ": no answer" > "/dev/stderr"; wrong = 1; next }
    {
        split("off;off, best;user;user, best", name, ";")
        guess = real = 1
        for (i = 2; i <= 4; i++) {
            if ($(2 * i) < $(2 * guess)) guess = i
            if ($(2 * i + 1) < $(2 * real + 1)) real = i
        }
        place = $3 / $7; order = $3 / $5; both = $3 / $9
        printf "| %s | %.2f | %.2f | %.2f | %.2f | %s | %s | %.0f%% |\n", $1, place, order, both, place * order, name[guess], name[real],
               100 * ($(2 * guess + 1) / $(2 * real + 1) - 1)
        n++
        multiply += both > 0.95 * place * order && both < 1.05 * place * order
        found += guess == real
    }
    END {
        printf "\npairs: gains multiply within 5%% in %d of %d, the fastest pair is predicted in %d\n", multiply, n, found
        exit wrong || !n
    }'
