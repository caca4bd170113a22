#!/bin/sh
# Bugs planted in the fast ways of the model: the test of that way must fail for each.
# SPDX-License-Identifier: Apache-2.0
# usage: fast_planted.sh BUILD CC LIBRARIES EVERY SEED     (CC: the compile command)
# Every EVERY-th is built and run, from one on that the seed chooses; that each changes something is always checked.
build=$1 cc=$2 libraries=$3 every=$4 seed=$5 unit=$1/tests/unit
passed=0 failed=0 n=0
# plant TEST FILE SED: the file after that edit in its place.
plant() {
    dir=$build/planted/fast
    rm -rf "$dir" && mkdir -p "$dir" || exit 1
    sed "$3" "$2" > "$dir/planted.c"
    cmp -s "$2" "$dir/planted.c" && { echo "planted: $3 changes nothing of $2"; failed=$((failed + 1)); return; }
    n=$((n + 1))
    [ $(((n + seed) % every)) = 0 ] || return 0
    case $1 in
    fast) objects="$unit/test_fast.o $unit/model_same.o" also="$libraries -Wl,--wrap=fast_run" ;;
    repeat_key | alone | border) objects="$unit/test_$1.o $unit/one_insn.o" also="$build/libcmodel.a" ;;
    *) objects=$unit/test_$1.o also=$build/libcmodel.a ;;
    esac
    # The edited object comes before the library, which then need not bring its own.
    $cc -o "$dir/test" "$dir/planted.c" $objects $also -lcmocka -lm || exit 1
    COUNT=${COUNT:-60} NATIVE=${NATIVE:-4} timeout 300 "$dir/test" > "$dir/log" 2>&1
    if grep -q 'FAILED' "$dir/log" && ! grep -q 'ecution timed out' "$dir/log"; then
        passed=$((passed + 1))
        echo "planted: $1: $3: $(grep -aE 'differs|must|decides|futures|exception|read what|own memory|may lead|apart: fault' "$dir/log" | head -1 | cut -c 1-150)"
    else
        failed=$((failed + 1))
        echo "planted: $1: $3: not found:"; tail -3 "$dir/log"
    fi
}
quick=cmodel/fast/quick.c calls=cmodel/fast/region_calls.c
repeat=cmodel/fast/repeat.c meet=cmodel/fast/meet.c alone=cmodel/fast/alone.c
plant meet $meet 's/(a\[i\] == b\[i\] \&\& (a\[i\] \& CLASS) == ATOM)/((a[i] \& CLASS) == ATOM \&\& (b[i] \& CLASS) == ATOM)/'
plant meet $meet 's/return !w ? mine : (w \& CLASS) == READ \&\& w != mine ? MANY : w;/return !w ? mine : w;/'
plant meet $meet 's/k < (x->size + 3) \/ 4/k < x->size \/ 4 + !(x->size \/ 4) - (x->size > 8)/'
plant meet $meet '/^static bool may_write/,/^}/s/(w == (block << 2 | READ))/((w \& CLASS) == READ)/'
plant meet $meet 's/return write || !differ;/return true;/;s/return \*w == mine ? NULL : unwritten;/return NULL;/'
plant meet $alone 's/return aop <= AOP_XOR;/return aop <= AOP_EXCH;/'
plant alone $alone 's/i->op == OP_RETT;/false;/'
plant border $quick 's/UINT32_MAX - HD_LANES \* 4 /UINT32_MAX - HD_LANES * 2 /'
plant repeat_key $repeat 's/, preds = sizeof w->p\[0\] \* PRED_TRUE;/, preds = sizeof w->p[0] * 1;/'
plant repeat_key $repeat 's/u32 waits = c->rdy | c->blocked | c->yld | c->wsync | c->bar;/u32 waits = c->rdy | c->blocked | c->wsync | c->bar;/'
plant repeat_key $repeat 's/out->sync\[l\] = c->wsync >> l & 1 ? c->sync\[l\] : 0;/out->sync[l] = 0;/'
plant repeat_key $repeat 's/out->alt_pc = c->alt ? c->alt_pc : 0;/out->alt_pc = 0;/'
plant repeat_key $repeat 's/    out->steps = 0;/    out->steps = 0, out->again = false;/'
plant repeat_key $repeat 's/    out->steps = 0;/    out->steps = 0, out->ptr = 0;/'
plant fast $quick 's/m->count.mem_transactions += !q.shared;/m->count.mem_transactions += 1;/'
plant fast $quick 's/((before + sum - part) \& acts) | (old \& ~acts)/before + sum - part/'
plant fast $calls '/^static u32 region_leap/,/^}/s/    w->conv.again = false;//'
echo "fast-planted: $passed passed, $failed failed, of $n"
[ $failed = 0 ] && [ $passed -ge $((n / every)) ] && [ $n = 17 ]
