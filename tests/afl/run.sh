#!/bin/sh
# One AFL++ campaign: runs, minimizes what was found, and fails when an input broke the program.
# SPDX-License-Identifier: Apache-2.0
# use: run.sh PROGRAM CORPUS SECONDS; everything is written beside PROGRAM.
program=$1 corpus=$2 seconds=$3
export AFL_ALLOW_TMP=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_QUIET=1
# Sanitizers must abort, so that AFL++ notices; they need address space, so memory is limited by
# what is resident.
export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0:hard_rss_limit_mb=1500:allocator_may_return_null=1
export UBSAN_OPTIONS=abort_on_error=1:halt_on_error=1:symbolize=0
rm -rf "$program.out" "$program.min"
afl-fuzz -i "$corpus" -o "$program.out" -t 2000 -m none -x "$program.dict" -V "$seconds" -- "$program" > "$program.log" 2>&1
stats=$program.out/default/fuzzer_stats
[ -s "$stats" ] || { tail -n 20 "$program.log"; exit 4; }
afl-cmin -e -i "$program.out/default/queue" -o "$program.min" -t 5000 -m none -- "$program" > "$program.cmin" 2>&1
of() { sed -n "s/^$1 *: *//p" "$stats"; }
crashes=$(of saved_crashes) hangs=$(of saved_hangs)
echo "afl: $(basename "$program") executions $(of execs_done), crashes $crashes, hangs $hangs, corpus $(ls "$program.min" | wc -l)"
[ "$(of execs_done)" -gt 0 ] && [ "$(ls "$program.min" | wc -l)" -gt 0 ] || { echo "afl: nothing was run"; tail -n 5 "$program.cmin"; exit 4; }
[ "$crashes" = 0 ] && [ "$hangs" = 0 ] || { echo "inputs: $program.out/default/crashes and hangs"; exit 1; }
