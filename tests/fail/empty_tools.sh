#!/bin/sh
# Scripts that judge, on nothing: the tool under each prints nothing, ends at once, or has no case to look at.
# Each must end with an exit status that is not 0, and say why.
# SPDX-License-Identifier: Apache-2.0
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
# tool NAME 'COMMANDS': a program of that name in $tmp
tool() {
    printf '#!/bin/sh\n%s\n' "$2" > "$tmp/$1"
    chmod +x "$tmp/$1"
}

# ---- campaigns of random kernels ----
line() { echo "echo 'fuzz: kernels $1, equal $1, races 0, failed $2, seed 1, shard 0/1'"; }
tool good "$(line 5 0)"
refuse 0 'races 0, failed 0, through the compiler' tests/farm/campaign.sh "$tmp/good" "$tmp/campaign" 1 1 2
tool silent ''
refuse 1 'slices gave no count' tests/farm/campaign.sh "$tmp/silent" "$tmp/campaign" 1 1 2
tool none "$(line 0 0)"
refuse 1 'machine barrier 1 4: no kernel ran' tests/farm/campaign.sh "$tmp/none" "$tmp/campaign" 1 1 2
tool some "case \"\$*\" in *ptx*--lanes\\ 4*) $(line 0 0); exit 1 ;; *) $(line 5 0) ;; esac"
refuse 1 'ptx.stack.4.16.0.out: exit 1' tests/farm/campaign.sh "$tmp/some" "$tmp/campaign" 1 1 2
tool crash "[ \"\$2\" = --help ] || { $(line 5 0); kill -SEGV \$\$; }"
refuse 1 'machine.barrier.1.4.0.out: exit 139' tests/farm/campaign.sh "$tmp/crash" "$tmp/campaign" 1 1 2
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

echo "empty tools: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
