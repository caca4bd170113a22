#!/bin/sh
# What the page's examples say of their figures is so.
# SPDX-License-Identifier: Apache-2.0
# use: claims.sh HEDDLE LANES
heddle=$1 lanes=$2
passed=0 failed=0
# The example with its launch, where the words OLD are NEW: `cycles CYCLES divergent BRANCHES'.
figures() {                     # EXAMPLE OLD NEW
    eval "'$heddle' lockstep 'page/examples/$1' $(sed -n 's|^// RUN: ||p' "page/examples/$1" | head -n 1 | sed "s/${2:-^}/$3/; s/[^ ]*\[[^ ]*/'&'/g") --lanes $lanes" 2>&1 |
        awk '/^cycles/ { c = $2 + 0 } /^divergent/ { print c, $3 }'
}
is() {                          # WORDS EXPRESSION
    if [ "$(($2))" = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL page: $1: $2"; fi
}
cycles() { figures "$@" | cut -d' ' -f1; }
soft=$(cycles 03-soft.ptx '' '') all=$(cycles 03-soft.ptx 'soft 16' 'soft 32') few=$(cycles 03-soft.ptx 'soft 16' 'soft 4') none=$(cycles 03-soft.ptx 'predict user --soft 16' 'predict off')
is '--soft 16 takes the fewest cycles' "$soft * 11 / 10 < $all && $soft < $few && $all < $none"
parted=$(figures 01-divergent.ptx '' '' | cut -d' ' -f2) guarded=$(figures 01-divergent.ptx ' --no-ifconv' '' | cut -d' ' -f2)
is 'without --no-ifconv odd and even lanes no longer part' "$guarded * 3 < $parted"
echo "page claims: $passed passed, $failed failed"
[ $failed = 0 ]
