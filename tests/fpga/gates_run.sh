#!/bin/sh
# Random programs on a core whose units are netlists: equal as they are, different with a planted bug.
# SPDX-License-Identifier: Apache-2.0
# use: gates_run.sh CORE_SMOKE COUNT
set -eu
smoke=$1 count=$2
run() { HEDDLE_GATE=$1 "$smoke" --lanes 4 --warps 4 --first --kind "$2" --count "$3" --commits 1500 --seed 1 --depth 4; }
for kind in conv lone fault yield stack stack-wide stack-conv stack-fault; do
    run 0 $kind "$count"
done
# An inverted table can be one that a program rarely reads; most are noticed.
noticed=0
for gate in 1 2 3 4 5 6 7 8; do
    if [ $gate -le 4 ]; then kind=conv; else kind=stack; fi
    status=0
    timeout 60 sh -c 'HEDDLE_GATE=$0 "$@" > /dev/null 2>&1' $gate "$smoke" --lanes 4 --warps 4 --first --kind $kind \
        --count 5 --commits 1500 --seed 1 --depth 4 || status=$?
    echo "gates: table $gate inverted: $([ $status = 1 ] && echo noticed || echo "not noticed ($status)")"
    [ $status != 1 ] || noticed=$((noticed + 1))
done
[ $noticed -ge 5 ] || { echo "gates: of 8 planted bugs only $noticed were noticed"; exit 1; }
echo "gates: equal as they are; $noticed of 8 planted bugs noticed"
