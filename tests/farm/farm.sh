#!/bin/sh
# Runs a list of commands as a Slurm job array, or with GNU parallel where there is no Slurm.
# SPDX-License-Identifier: Apache-2.0
# use: farm.sh DIR auto|slurm|parallel < COMMANDS (one a line)
# FARM_WATCH: a command that shows meanwhile how far they have come (heddle progress).
# Command i leaves what it printed in DIR/i.out and its exit status in DIR/i.rc.
set -e
dir=$(mkdir -p "$1" && cd "$1" && pwd) how=$2
rm -f "$dir"/*.out "$dir"/*.rc
cat > "$dir/tasks"
n=$(wc -l < "$dir/tasks")
[ "$n" -gt 0 ] || { echo "farm: nothing to do"; exit 2; }
cat > "$dir/task.sh" <<END
#!/bin/sh
#SBATCH --output=/dev/null
i=\${1:-\$SLURM_ARRAY_TASK_ID}
cd '$PWD'
sh -c "\$(sed -n "\${i}p" '$dir/tasks')" > '$dir'/\$i.out 2>&1
echo \$? > '$dir'/\$i.rc
END
[ -n "$SLURM_CONF" ] || { [ ! -s "$dir/slurm/slurm.conf" ] || export SLURM_CONF="$dir/slurm/slurm.conf"; }
if [ "$how" = auto ]; then
    how=parallel
    if sinfo > /dev/null 2>&1; then how=slurm; fi
fi
start=$(date +%s)
watch=
if [ -n "$FARM_WATCH" ]; then sh -c "exec $FARM_WATCH" & watch=$!; fi
if [ "$how" = slurm ]; then
    sbatch --quiet --wait --array=1-"$n" "$dir/task.sh" || true
else
    seq 1 "$n" | parallel --will-cite -j "${FARM_JOBS:-$(nproc)}" sh "$dir/task.sh" || true
fi
if [ -n "$watch" ]; then kill $watch 2> /dev/null || true; wait $watch || true; fi
bad=0
for i in $(seq 1 "$n"); do
    if [ "$(cat "$dir/$i.rc" 2> /dev/null)" != 0 ]; then
        bad=$((bad + 1))
        echo "farm: failed: $(sed -n "${i}p" "$dir/tasks")"
        tail -n 5 "$dir/$i.out" 2> /dev/null | sed 's/^/    /'
    fi
done
echo "farm: $how, tasks $n, failed $bad, $(($(date +%s) - start)) s"
[ "$bad" = 0 ]
