#!/bin/sh
# Bugs that only two things at once show, planted in model and compiler: the host's values, or other ways to
# compile the same, must find each.
# SPDX-License-Identifier: Apache-2.0
# usage: pairs_planted.sh BUILD CC LIBRARIES EVERY SEED     (CC: the compile command)
# Every EVERY-th is built and run, from one on that the seed chooses; that each changes something is always checked.
build=$1 cc=$2 libraries=$3 every=$4 seed=$5
passed=0 failed=0 n=0
# Who includes the header of which bugs are planted.
lanes_in="cmodel/machine/step.c cmodel/fast/dispatch.c cmodel/fast/region_calls.c"
# plant LEVEL FILE SED: the file after that edit in its place.
plant() {
    dir=$build/planted/pairs
    rm -rf "$dir" && mkdir -p "$dir/${2%/*}" || exit 1
    edited=$dir/$2 sources=$dir/$2
    [ "${2%.h}" = "$2" ] || sources=$lanes_in
    sed "$3" "$2" > "$edited"
    cmp -s "$2" "$edited" && { echo "planted: $3 changes nothing of $2"; failed=$((failed + 1)); return; }
    n=$((n + 1))
    [ $(((n + seed) % every)) = 0 ] || return 0
    # The edited object comes before the library, which then need not bring its own.
    $cc -iquote "$dir" -o "$dir/heddle" $sources "$build/harness/main.o" $libraries || exit 1
    case $1 in
    ways) tests/ptx/ways.pl "$dir/heddle" "$dir/out" "$seed" 24 > "$dir/log" 2>&1 ;;
    *) timeout 300 "$dir/heddle" fuzz --level "$1" --on model --stack-depth 4 --seed "$seed" --first --shrink 0 \
        --out "$dir/out" > "$dir/log" 2>&1 ;;
    esac
    if [ $? = 1 ] && grep -qE '^kernel|differs$' "$dir/log"; then
        passed=$((passed + 1))
        echo "planted: $1: $3: $(sed -nE 's/^(kernel|FAIL:) //p' "$dir/log" | head -1)"
    else
        failed=$((failed + 1))
        echo "planted: $1: $3: not found:"; tail -3 "$dir/log"
    fi
}
model=cmodel/machine/model.c lanes=cmodel/machine/lanes.h blocks=cmodel/machine/blocks.c
plant operands $model 's/op->k\[HD_LANES + l\] = word\[1\]/op->k[HD_LANES + l] = word[0]/'
plant operands $model 's/i->na | i->aa | i->nb | i->ab | i->nc/i->na | i->aa | i->nb | i->nc/'
plant operands $model 's/(s32)v < 0 ? ~0u : 0/0/'
plant operands $lanes 's/c ^= flip_c;/;/'
plant operands $lanes 's/b = (b & keep_b) ^ flip_b;/b = (b ^ flip_b) \& keep_b;/'
plant operands $lanes 's/source = w->p\[m.ps\] ^ op->sn/source = w->p[m.ps]/'
plant operands $lanes 's/if (HAS(operands, .p.)) \\/if (HAS(operands, '"'p'"') \&\& op->rd != ROW_SINK) \\/'
plant operands cmodel/fast/dispatch.c 's/(ra\[l\] & keep) ^ flip);/ra[l] ^ flip);/'
plant operands cmodel/machine/warpops.c 's/exec >> (j & 31) & 1 ? a\[j & 31\] : 0/a[j \& 31]/'
plant features $blocks 's/linear \/ k->grid.x % k->grid.y/linear \/ k->grid.x/'
plant features $blocks 's/w->number = s % l->warps_block/w->number = s/'
plant features compiler/select/layout.c 's/if (any) be->shared_common = be->reduce_at + 16 \* 4;/(void)any;/'
plant features compiler/select/select_ctl.c 's/if (in->sub == BR_AND) p.neg = !p.neg;/;/'
plant features compiler/select/select_ctl.c 's/int k = 1; k < in->ntargets; k++) layout_const/int k = 1; k < in->ntargets - 1; k++) layout_const/'
plant features compiler/opt/switch.c 's/x->targets\[c->value\[k\] - low\] = c->to\[k\]/x->targets[n - (c->value[k] - low)] = c->to[k]/'
plant features cmodel/machine/memory.c 's/(u32)(s32)(int16_t)half/half/'
plant ways compiler/backend/spill.c 's/out->i.pn = m->i.pn;/out->i.pn = 0;/'
plant ways compiler/select/constants.c 's/\[FCMP_LEU\] = FCMP_GEU,/[FCMP_LEU] = FCMP_GTU,/'
plant ways compiler/opt/switch.c 's/x->targets\[c->value\[k\] - low\] = c->to\[k\];/if (x->targets[c->value[k] - low] == c->other) &/'
echo "pairs-planted: $passed passed, $failed failed, of $n"
[ $failed = 0 ] && [ $passed -ge $((n / every)) ] && [ $n = 19 ]
