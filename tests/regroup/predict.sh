#!/bin/sh
# Predicted speed-ups beside those of runs, of every order: the worst error of paper B's weighted metric, of the
# shared-port schedule and of that with executions inside loops, which must be at most MOST per cent (in stack
# mode: of `units`, which has what tokens take); of divergences (in
# stack mode also pushes and spills), per cent of the original order's, which must be at most 10 where MOST is below
# that, or MOST is two numbers: the other one is of divergences.  "not played" where guesses of ways fail.
# SPDX-License-Identifier: Apache-2.0
# use: predict.sh MOST HEDDLE KERNEL LAUNCH...
most=$1
heddle=$2
shift 2
said=$("$heddle" regroup "$@" --by all --apply redirect --json) || exit 1
echo "$said" | tr '{' '\n' | awk -v what="$*" -v most="$most" '
    function value(name) { return match($0, "\"" name "\": [0-9.]+") ? substr($0, RSTART + length(name) + 4, RLENGTH) + 0 : 0 }
    function error(name,    e) { e = (first[name] / value(name)) / speed - 1; return e < 0 ? -e : e }
    function note_play(name, real,    e) {
        if (!/"divergences"/) { unplayed = 1; return }
        if (!n) base[name] = value(real)
        e = base[name] ? (value(name) - value(real)) / base[name] : value(name) > 0
        e = e < 0 ? -e : e
        if (e > worst[name]) worst[name] = e
    }
    function note(name) { if (error(name) > worst[name]) worst[name] = error(name) }
    /"cycles"/ {
        note_play("divergences", "divergent"); note_play("pushes", "pushed"); note_play("spills", "spilled")
        if (!n++) {
            first["weighted"] = value("weighted"); first["shared_port"] = value("shared_port")
            first["in_loops"] = value("in_loops"); first["units"] = value("units"); cycles = value("cycles")
            next
        }
        speed = cycles / value("cycles")
        note("weighted"); note("shared_port"); note("in_loops"); note("units")
        if (speed > best) best = speed
    }
    END {
        played = split(most, limit, ",") > 1 ? limit[2] : limit[1] < 10 ? 10 : 1e9
        printf "regroup: %s: %d orders, speed-up %.2f, worst error weighted %.1f%%, shared port %.1f%%, in loops %.1f%%\n",
               what, n - 1, best, 100 * worst["weighted"], 100 * worst["shared_port"], 100 * worst["in_loops"]
        if (unplayed) printf "regroup: divergences: not played\n"
        else printf "regroup: divergences %d, worst error %.1f%%%s\n", base["divergences"], 100 * worst["divergences"],
               base["pushes"] ? sprintf("; with what tokens take %.1f%%; pushes %d, %.1f%%; spills %d, %.1f%%",
                                        100 * worst["units"], base["pushes"], 100 * worst["pushes"],
                                        base["spills"], 100 * worst["spills"]) : ""
        for (name in base) if (100 * worst[name] > played) exit 1
        exit !(n == 5 && 100 * worst[base["pushes"] ? "units" : "in_loops"] <= limit[1])
    }'
