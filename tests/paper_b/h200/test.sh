#!/bin/sh
# The recipe up to the GPU itself, for which a program that always answers stands in: every row is there, and is read.
# SPDX-License-Identifier: Apache-2.0
# use: test.sh FOLDER, made by make paper-b-gpu
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
cp -r "$1/." "$tmp" || exit 4
"$1/gpu" time > /dev/null 2>&1 && { echo "test: gpu takes wrong words"; exit 1; }
cat > "$tmp/gpu" <<'END'
#!/bin/sh
case $1 in
latencies) echo 'insn = 2 4 # made up' ;;
time) for f in "$2" "$4"; do [ -s "$f" ] || exit 2; done
      [ "$6" = - ] || [ "$(stat -c %s "$6")" -gt 4000 ] || exit 2
      ls "$5".* > /dev/null && echo '1.5 1' ;;
esac
END
SIZE=rtl "$(dirname "$0")/run.sh" "$tmp" > "$tmp/h200.csv" || { echo "test: the recipe fails"; exit 1; }
# the original once, four orders redirected, and moved where elements can: 7 + 7 * 4 + MOVED * 4
moved=$(cat "$tmp"/*.moved | grep -c :)
rows=$(grep -c '^[a-z]*,[a-z]*,[a-z-]*,1.5,[0-9]*,[0-9]*,[0-9]*,1,[0-9.e+-]*$' "$tmp/h200.csv")
[ "$moved" -ge 4 ] && [ "$rows" -eq $((35 + 4 * moved)) ] || { echo "test: $rows rows, $moved workloads with elements that move"; cat "$tmp/h200.csv"; exit 1; }
"$1/paper_b" h200 "$tmp/h200.csv" > "$tmp/claims" || { echo "test: what the recipe writes is not read"; exit 1; }
grep -q "^paper-b: h200.memory, the host's in $rows of $rows rows, .*, ok\$" "$tmp/claims" &&
    [ "$(grep -c '^paper-b: h200[.].*, \(ok\|differs\)$' "$tmp/claims")" -eq 9 ] || { echo "test: other claims:"; cat "$tmp/claims"; exit 1; }
echo 'mc,none,original,1.5' >> "$tmp/h200.csv"
"$1/paper_b" h200 "$tmp/h200.csv" > "$tmp/claims" 2>&1 && { echo "test: half a line is read"; exit 1; }
"$1/paper_b" h200 "$tmp/none.csv" | grep -q '^paper-b: h200, not measured' || { echo "test: a file that is not there"; exit 1; }
echo "paper-b: the recipe for a GPU writes $rows rows"
