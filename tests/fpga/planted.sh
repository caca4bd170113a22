#!/bin/sh
# The check of areas must fail when a unit is larger than accepted, and when nothing is accepted.
# SPDX-License-Identifier: Apache-2.0
# use: planted.sh BUILD UNIT
set -u
small=$1/fpga/planted.csv
awk -F, -v OFS=, -v unit="$2" '$1 == "small" && $2 == "ecp5" && $3 == unit { $5 = int($5 * 0.9); print }' \
    tests/fpga/accepted.csv > "$small"
for accepted in "$small" /dev/null; do
    if tests/fpga/area --build "$1" --check --accepted "$accepted" "$2" > "$1/fpga/planted.said"; then
        echo "FAIL tests/fpga/area --check --accepted $accepted passes"
        exit 1
    fi
    grep -q '^FAIL ' "$1/fpga/planted.said" || { echo "FAIL no FAIL is said"; exit 1; }
done
