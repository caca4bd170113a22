#!/bin/sh
# Bugs planted in the translation: random kernels that run both ways must find each.
# SPDX-License-Identifier: Apache-2.0
# usage: planted.sh BUILD CC LIBRARIES      (CC: the compile command)
build=$1 cc=$2 libraries=$3
passed=0 failed=0
# plant FILE SED [WHAT]: the file after that edit in its place; WHAT: what fuzz must say.
fuzz=true
plant() {
    dir=$build/planted/native
    rm -rf "$dir" && mkdir -p "$dir" || exit 1
    sed "$2" "$1" > "$dir/planted.c"
    cmp -s "$1" "$dir/planted.c" && { echo "planted: $2 changes nothing of $1"; failed=$((failed + 1)); return; }
    # The edited object comes before the library, which then need not bring its own.
    $cc -o "$dir/heddle" "$dir/planted.c" "$build/harness/main.o" $libraries || exit 1
    if ! $fuzz; then
        if BUILD=$dir tests/native/native.sh > "$dir/log" 2>&1; then
            failed=$((failed + 1)) && echo "planted: $2: not found"
        else
            passed=$((passed + 1)) && echo "planted: $2: found by $(grep -c '^FAIL' "$dir/log") launches"
        fi
        return
    fi
    XDG_CACHE_HOME=$dir/cache timeout 120 "$dir/heddle" fuzz --native --on model --seed 3 --count 60 --first \
        --shrink 0 --out "$dir/out" > "$dir/log" 2>&1
    if [ $? = 1 ] && grep -q "native: $3 differs" "$dir/log"; then
        passed=$((passed + 1))
        echo "planted: $2: found after $(sed -n 's/^fuzz: kernels \([0-9]*\),.*/\1/p' "$dir/log") kernels"
    else
        failed=$((failed + 1))
        echo "planted: $2: not found:"; tail -3 "$dir/log"
    fi
}
emit=cmodel/native/emit.c step=cmodel/machine/step.c
plant $emit '/^static void put_write/,/^}/s/if (guarded(i))/if (0)/' '.*'
plant $emit '/^static void put_end/,/^}/s/guard\[k\].not ? "~" : ""/guard[k].not ? "" : "~"/' 'a counter'
plant $emit '/^static void put_end/,/^}/s/& ~on)/\& ~0u)/' '.*'
plant $emit 's/if (exec && exec != active)/if (0)/' '.*'
quick=cmodel/machine/quick.c sweep=cmodel/machine/sweep.c
plant $quick 's/q->shared ? 0 : met/q->shared ? 1 : met/' 'a counter'
plant $quick 's/met += !\*mark/met++/' 'a counter'
plant $step 's/left -= s->region.done;/left -= s->region.done - 1;/' '.*'
# What few random kernels do, the launches of native.sh do.
fuzz=false
plant $step 's/m->count.loads += s->constants;//'
plant $quick '/^static inline u32 whole_row_sectors/,/^}/s/!= 0/== 0/'
plant $sweep 's/b->warps_live--/b->warps_live -= 0/'
plant $sweep 's/b->lanes_live -= /b->lanes_live -= 0 \& /'
plant $sweep 's/memcpy(w->p, s->w->p/memcpy(s->w->p, s->w->p/'
echo "native-planted: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed = 12 ]
