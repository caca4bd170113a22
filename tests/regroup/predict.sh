#!/bin/sh
# Predicted speed-ups beside those of runs: the shared-port schedule within 5% for every order.
# SPDX-License-Identifier: Apache-2.0
# use: predict.sh HEDDLE KERNEL LAUNCH...
heddle=$1
shift
"$heddle" regroup "$@" --by all --apply redirect --json | tr '{' '\n' | awk -v what="$*" '
    function value(name) { return match($0, "\"" name "\": [0-9.]+") ? substr($0, RSTART + length(name) + 4, RLENGTH) + 0 : 0 }
    /"cycles"/ {
        port = value("shared_port"); cycles = value("cycles")
        if (!n++) { port0 = port; cycles0 = cycles; next }
        error = (port0 / port) / (cycles0 / cycles) - 1
        if (error < 0) error = -error
        if (error > worst) worst = error
        if (cycles0 / cycles > best) best = cycles0 / cycles
    }
    END {
        printf "regroup: %s: %d orders, speed-up %.2f, worst error of its prediction %.1f%%\n", what, n - 1, best, 100 * worst
        exit !(n == 5 && best > 1.2 && worst < 0.05)
    }'
