#!/bin/sh
# Bugs planted in the translation: random kernels that run both ways must find each.
# SPDX-License-Identifier: Apache-2.0
# usage: planted.sh BUILD CC LIBRARIES EVERY SEED     (CC: the compile command)
# Every EVERY-th is built and run, from one on that the seed chooses; that each changes something is always checked.
build=$1 cc=$2 libraries=$3 every=$4 seed=$5
passed=0 failed=0 n=0
# plant FILE SED [WHAT]: the file after that edit in its place; WHAT: what fuzz must say.
fuzz=true by=native
plant() {
    dir=$build/planted/native
    rm -rf "$dir" && mkdir -p "$dir" || exit 1
    sed "$2" "$1" > "$dir/planted.c"
    cmp -s "$1" "$dir/planted.c" && { echo "planted: $2 changes nothing of $1"; failed=$((failed + 1)); return; }
    n=$((n + 1))
    [ $(((n + seed) % every)) = 0 ] || return 0
    # The edited object comes before the library, which then need not bring its own.
    $cc -o "$dir/heddle" "$dir/planted.c" "$build/harness/main.o" $libraries || exit 1
    if ! $fuzz; then
        if case $by in affine) tests/native/affine.pl "$dir/heddle" "$dir/out" 1 80 ;; *) BUILD=$dir tests/native/$by.sh ;; esac > "$dir/log" 2>&1; then
            failed=$((failed + 1)) && echo "planted: $2: not found"
        else
            found=$(grep -c '^FAIL' "$dir/log")
            [ $found -gt 0 ] && passed=$((passed + 1)) || failed=$((failed + 1))
            echo "planted: $2: found by $found launches"
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
emit=cmodel/native/emit.c loop=cmodel/native/loop.c dispatch=cmodel/fast/dispatch.c calls=cmodel/fast/region_calls.c
plant $loop '/^static void put_write/,/^}/s/if (guarded(i))/if (0)/' '.*'
plant $loop '/^static void put_end/,/^}/s/guard\[k\].not ? "~" : ""/guard[k].not ? "" : "~"/' 'a counter'
plant $loop '/^static void put_end/,/^}/s/& ~on)/\& ~0u)/' '.*'
plant $emit 's/if (exec && exec != active)/if (0)/' '.*'
quick=cmodel/fast/quick.c sweep=cmodel/fast/sweep.c
plant $quick 's/q.shared ? 0 : sectors/sectors/' 'a counter'
plant $quick 's/sectors += \*met != mark/sectors++/' 'a counter'
plant $dispatch 's/left -= s->region.done;/left -= s->region.done - 1;/' '.*'
plant cmodel/native/straight.c 's/: (unsigned)size;/: 4;/' 'a counter'
plant cmodel/native/straight.c 's/one ? size : size \* REGION/one ? 4 : 4 * REGION/' '.*'
plant harness/api/native.c 's/.text = model_text(d->model)/.text = (const void *)l->image->text/' '.*'
plant $emit 's/s->tally\[k\].lanes != active/0/' "a block's count"
plant $emit '/^static void put_branch/,/^}/{s/    put_entered(c, index);//;s/    put_exec(out, i);/put_entered(c, index);&/}' "a block's count"
plant $sweep 's/if (ended \&\& f->bbv)/if (0)/' "a block's count"
plant $calls 's/m->count.divergent_branches += part;/(void)part;/' 'a counter'
plant $calls 's/(s->done + 1 - s->since)/(s->done - s->since)/' 'a counter'
plant $dispatch 's/left - s->region.since/left/' 'a counter'
plant $calls 's/s->active = c->active;//' '.*'
plant $emit 's/        ENTERED(block);/        ;/' "a block's count"
plant $calls 's/if (differ || /if (/' '.*'
plant $calls 's/count_move(m, c);//' 'a counter'
plant $emit 's/(index + 1) \* HD_INSN_BYTES/index * HD_INSN_BYTES/' '.*'
# What few random kernels do, the launches of native.sh do.
fuzz=false
plant $quick 's/if (!++k->mark)/if (++k->mark, 0)/'
plant $loop 's/l->at, i->imm == SREG_CLOCKHI/0u, i->imm == SREG_CLOCKHI/'
plant $dispatch 's/m_->seq + (s->budget - left);/m_->seq;/'
plant $calls 's/s->constants + //'
plant $quick '/^static inline u32 whole_row_sectors/,/^}/s/!= 0/== 0/'
plant $sweep 's/b->warps_live--/b->warps_live -= 0/'
plant $sweep 's/b->lanes_live -= /b->lanes_live -= 0 \& /'
plant $sweep 's/memcpy(w->p, s->w->p/memcpy(s->w->p, s->w->p/'
plant $quick 's/!fast_of(m)->scatter.columns ||/0 ||/'
plant $quick 's/ || differ % ROW_BYTES//'
plant $quick 's/n > MOST_COLUMNS/0/'
plant $quick 's/most + high + 3/most + 3/'
plant $quick 's/before + sum - part/before + sum/'
plant $emit 's/s->barrier\[%u\] |= exec/s->barrier[%u] |= active/'
plant $quick 's/!(up & 3) \&\& //'
plant $quick 's/k->high + up < 32 || /1 || /'
plant $emit 's/if (ran <= %u \&\& /if (0 \&\& ran <= %u \&\& /'
by=counts
plant $emit 's/ \&\& !is_entry(c, first + n)//'
plant $emit '/^static void put_exit/,/^}/s/    put_entered(c, index);//'
by=straight straight=cmodel/native/straight.c
plant $straight 's/VARIES && fits)/VARIES \&\& 0)/'
plant $straight '/^static void put_pair/,/^}/s/if (!FITS/if (0 \&\& !FITS/'
plant $straight 's/bool fits = %s/bool fits = 1 || %s/'
plant $straight 's/fits && first == (pd & 1)/fits/'
plant $straight 's/    t ? fprintf/    0 ? fprintf/'
plant $straight 's/: (unsigned)size;/: 4;/'
plant $straight 's/one ? size : size \* REGION/one ? 4 : 4 * REGION/'
plant $straight 's/REGION_LANES, size, !load/REGION_LANES, 4, !load/'
plant $straight 's/k < hd_insn_width(&w->insn\[at\], 2)/k < 1/'
plant $straight 's/access, 4 \* words, 4 \* k/access, 4 * words, 0/'
plant $loop 's/l->steps\[l->row\], 4 \* k/l->steps[l->row], 0/'
plant $straight 's/l->dead\[r\] = !read/l->dead[r] = !settled/'
plant $straight 's/l.zero\[r\] = !set\[r\]/l.zero[r] = true/'
plant $straight 's/w->insn\[at\].op != OP_STG &&/true \&\&/'
plant $straight 's/at.step != size/false/'
plant $sweep 's/k->block.x % HD_LANES == 0 ||/true ||/'
plant $quick 's/r->limit - r->base - bytes + 1/r->limit - r->base/'
by=affine
plant $straight 's/(a.shape == STEPS \&\& b.shape == STEPS) || //'
echo "native-planted: $passed passed, $failed failed, of $n"
[ $failed = 0 ] && [ $passed -ge $((n / every)) ] && [ $n = 58 ]
