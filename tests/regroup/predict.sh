#!/bin/sh
# Predicted speed-ups beside those of runs, of every order: the worst error of paper B's weighted metric, of the
# shared-port schedule and of that with executions inside loops, which must be at most MOST per cent.
# SPDX-License-Identifier: Apache-2.0
# use: predict.sh MOST HEDDLE KERNEL LAUNCH...
most=$1
heddle=$2
shift 2
"$heddle" regroup "$@" --by all --apply redirect --json | tr '{' '\n' | awk -v what="$*" -v most="$most" '
    function value(name) { return match($0, "\"" name "\": [0-9.]+") ? substr($0, RSTART + length(name) + 4, RLENGTH) + 0 : 0 }
    function error(name,    e) { e = (first[name] / value(name)) / speed - 1; return e < 0 ? -e : e }
    function note(name) { if (error(name) > worst[name]) worst[name] = error(name) }
    /"cycles"/ {
        if (!n++) {
            first["weighted"] = value("weighted"); first["shared_port"] = value("shared_port")
            first["in_loops"] = value("in_loops"); cycles = value("cycles")
            next
        }
        speed = cycles / value("cycles")
        note("weighted"); note("shared_port"); note("in_loops")
        if (speed > best) best = speed
    }
    END {
        printf "regroup: %s: %d orders, speed-up %.2f, worst error weighted %.1f%%, shared port %.1f%%, in loops %.1f%%\n",
               what, n - 1, best, 100 * worst["weighted"], 100 * worst["shared_port"], 100 * worst["in_loops"]
        exit !(n == 5 && 100 * worst["in_loops"] <= most)
    }'
