# What yosys counted, memories.txt and cells.txt, as one line a unit.  Exit status 1: of the core it
# counted nothing.
# SPDX-License-Identifier: Apache-2.0
/^=== / { m = $2; sub(/^\$paramod(\$[0-9a-f]+)?\\/, "", m); sub(/\\.*/, "", m) }
/Number of memory bits:/ { if (FILENAME ~ /memories/) { bits[m] += $5; memory += $5 } }
/Number of cells:/ { if (FILENAME ~ /cells/) { cells[m] += $4; logic += $4 } }
END {
    for (m in cells)
        printf "synth: %-14s cells %7d memory bits %8d\n", m, cells[m], bits[m] | "sort"
    close("sort")
    if (!logic || !memory) {
        print "synth: the core has no cells or no memories"
        exit 1
    }
}
