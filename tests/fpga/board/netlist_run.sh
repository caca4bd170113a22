#!/bin/sh
# The netlist of a board in lockstep with the model, through its link: the README's kernel, some of tests/kernels, random
# ones.
# SPDX-License-Identifier: Apache-2.0
# use: netlist_run.sh HEDDLE LANES COUNT [SECONDS]      COUNT: of each kind; SECONDS for a kernel, beyond which it is skipped
set -eu
heddle=$1 lanes=$2 count=$3 seconds=${4:-300}
dir=$(dirname "$heddle")/fpga-board
mkdir -p "$dir"
say() { echo "netlist: $1"; }
launch="tests/kernels/divergent.cu --constants loads --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100"
status=0                                   # 2: it needs warps, registers, tokens, units that this core has not
said=$($heddle lockstep $launch --lanes "$lanes" --board netlist: 2>&1) || status=$?
echo "$said" | tail -n 2
[ $status = 0 ] || [ $status = 2 ] || { say "divergent.cu: exit status $status"; exit 1; }
equal=0 unfit=0 slow=0
for k in tests/kernels/*.cu tests/kernels/*.s; do
    [ $equal -lt "$count" ] || break
    run=$(sed -n 's/^[^ ]* RUN: //p' "$k" | head -n 1)
    loads=$([ "${k%.cu}" = "$k" ] || echo --constants loads)
    status=0
    timeout "$seconds" "$heddle" lockstep "$k" $run $loads --lanes "$lanes" --board netlist: > "$dir/said" 2>&1 || status=$?
    case $status in
    0) equal=$((equal + 1)) ;;
    124) slow=$((slow + 1)) ;;
    2) unfit=$((unfit + 1)) ;;
    3) grep -q '^lockstep: equal up to the limit' "$dir/said" || { say "$k: $(tail -n 3 "$dir/said")"; exit 1; }
       equal=$((equal + 1)) ;;             # it runs up to a limit of its own
    *) say "$k: $(tail -n 3 "$dir/said")"; exit 1 ;;
    esac
done
said=$("$heddle" fuzz --mode barrier --lanes "$lanes" --board netlist: --seed 3 --count "$count" --out "$dir/fuzz" 2>&1) || { say "$said"; exit 1; }
random=$(echo "$said" | sed -n 's/^fuzz: kernels \([0-9]*\), equal \([0-9]*\).*/\2\/\1/p')
say "kernels $equal/$count equal, random $random equal; $unfit need more than this core has, $slow more than $seconds s"
[ "$equal" = "$count" ] && [ "$random" = "$count/$count" ]
