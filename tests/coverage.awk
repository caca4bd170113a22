# Verilator's coverage data as a table: lines and toggles of each file, all instances of a module
# together.
# SPDX-License-Identifier: Apache-2.0
# A point is a line  C '<1>key<2>value...' count  with the keys f file, l line, t type, o what, h
# instance. holes: file that gets the lines that were not reached.
/^C / {
    n = split($0, part, /\001/)
    f = l = t = o = s = n2 = ""
    for (i = 2; i <= n; i++) {
        split(part[i], kv, /\002/)
        sub(/' [0-9]+$/, "", kv[2])
        if (kv[1] == "f") f = kv[2]
        if (kv[1] == "l") l = kv[2]
        if (kv[1] == "page") t = kv[2]
        if (kv[1] == "o") o = kv[2]
        if (kv[1] == "n") n2 = kv[2]
        if (kv[1] == "S") s = kv[2]
    }
    sub(/^v_/, "", t); sub(/\/.*/, "", t)
    sub(/.*\//, "", f)
    if (f ~ /_table\.vh$/) next                      # a table of numbers has no lines to cover
    if (t == "branch") t = "line"
    key = f SUBSEP t SUBSEP l SUBSEP n2 SUBSEP o
    span[key] = s
    if (!(key in hits)) { points[f, t]++; files[f] = 1 }
    if (!hits[key] && $NF > 0) met[f, t]++
    hits[key] += $NF
}
function share(f, t) { return points[f, t] ? sprintf("%6d/%6d %6.1f%%", met[f, t], points[f, t], 100 * met[f, t] / points[f, t]) : sprintf("%21s", "-") }
END {
    printf "%-20s %21s %21s\n", "file", "lines", "toggles"
    sort = "sort"
    for (f in files) {
        printf "%-20s %s %s\n", f, share(f, "line"), share(f, "toggle") | sort
        for (i = split("line toggle", types, " "); i; i--) {
            met["all", types[i]] += met[f, types[i]]
            points["all", types[i]] += points[f, types[i]]
        }
    }
    close(sort)
    if (!points["all", "line"] || !points["all", "toggle"]) { print "coverage: there are no data of lines or toggles"; exit 1 }
    printf "%-20s %s %s\n", "all", share("all", "line"), share("all", "toggle")
    printf "" > holes
    close(holes)
    sort = "sort -t: -k1,1 -k2,2n > " holes
    for (k in hits) {
        split(k, p, SUBSEP)
        if (!hits[k] && p[2] == "line") printf "%s:%s: %s %s %s\n", p[1], p[3], p[2], p[5], span[k] | sort
    }
    close(sort)
}
