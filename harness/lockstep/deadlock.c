/* Proves that a grid is deadlocked: every lane waits, and what it waits for cannot come.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Model and RTL may share a mistake that loses lanes, so neither is believed: from where each lane
 * stands and what it waits for (npc and wait, which every commit record holds and lockstep
 * compares) the rules of docs/convergence.md and docs/stack.md are asked once more.  A condition
 * depends on where lanes stand alone; so if no lane runs and no condition holds, none ever will. */
#include "harness/lockstep/deadlock.h"
#include "cmodel/base/counted.h"
#include "cmodel/isa/waits.h"
#include "harness/device/device.h"
#include <stdarg.h>
#include <string.h>

struct proof { const struct deadlock_grid *g; char *why; size_t n; };

__attribute__((format(printf, 2, 3)))
static bool refuted(const struct proof *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(p->why, p->n, fmt, ap);
    va_end(ap);
    return false;
}

/* The lanes that wait so. */
static uint32_t waiting(const struct warp_view *v, unsigned how)
{
    uint32_t m = 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        m |= (uint32_t)(v->wait[l] == how) << l;
    return m;
}

static bool at_block_barrier(unsigned wait)
{
    return wait >= HD_WAIT_BLOCK && wait < HD_WAIT_EXITED;
}

static uint32_t at_any_block_barrier(const struct warp_view *v)
{
    uint32_t m = 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        m |= (uint32_t)at_block_barrier(v->wait[l]) << l;
    return m;
}

/* Something of it can be executed next, its lanes' instruction or the pop of an empty group. */
static bool runs(const struct deadlock_grid *g, const struct warp_view *v)
{
    return v->active || (g->stack_mode && v->depth &&
                         !(waiting(v, HD_WAIT_WARPSYNC) | at_any_block_barrier(v)));
}

static bool warpsync_open(const struct proof *p, unsigned slot, unsigned lane)
{
    const struct warp_view *v = &p->g->warp[slot];
    if (!(v->sync[lane] & v->live & ~waiting(v, HD_WAIT_WARPSYNC)))
        return refuted(
            p,
            "warp slot %u: the WARPSYNC of lane %u is complete: each live lane of %08x waits "
            "at one",
            slot, lane, v->sync[lane]);
    return true;
}

/* Lanes of the block that live (n < 0), or wait at block barrier n. */
static unsigned of_block(const struct deadlock_grid *g, unsigned first, int n)
{
    unsigned sum = 0;
    for (unsigned s = first; s < first + g->warps_block; s++)
        if (g->warp[s].used)
            sum += (unsigned)__builtin_popcount(
                n < 0 ? g->warp[s].live : waiting(&g->warp[s], HD_WAIT_BLOCK + (unsigned)n));
    return sum;
}

/* The count wanted is one that a waiting lane asked for, and fewer are there. */
static bool block_barrier_open(const struct proof *p, unsigned first, unsigned n)
{
    const struct deadlock_grid *g = p->g;
    unsigned there = of_block(g, first, (int)n), live = of_block(g, first, -1);
    bool asked = !g->asks;
    for (unsigned s = first; s < first + g->warps_block; s++) {
        const struct warp_view *v = &g->warp[s];
        for (uint32_t m = v->used ? waiting(v, HD_WAIT_BLOCK + n) : 0; m; m &= m - 1) {
            uint32_t count = v->needed[n];
            if (there >= count)
                return refuted(
                    p, "block barrier %u of block %u is complete: %u %s there, %u %s needed", n,
                    v->block, there, BY_COUNT(there, "lane is", "lanes are"), count,
                    BY_COUNT(count, "is", "are"));
            if (g->asks && g->asks(g->user, s, (unsigned)__builtin_ctz(m), &count))
                asked |= v->needed[n] == (count ? count : live);
        }
    }
    return there == 0 || asked ||
           refuted(p, "warp slot %u: no lane asked block barrier %u for so many lanes", first, n);
}

/* A lane's own wait: that it is one, and that its instruction says so. */
static bool lane_waits(const struct proof *p, unsigned slot, unsigned lane)
{
    const struct deadlock_grid *g = p->g;
    const struct warp_view *v = &g->warp[slot];
    unsigned wait = v->wait[lane];
    uint32_t mask;
    if (g->stack_mode && wait_in_token(wait))
        return true;                     /* in a token, or a pop has dropped it: it is not active */
    if (!g->stack_mode && wait >= HD_WAIT_BARRIER && wait < HD_WAIT_BLOCK)
        return refuted(p, "warp slot %u: lane %u waits in BSYNC, and its barrier must give way "
                       "(rule 8)", slot, lane);
    if (wait != HD_WAIT_WARPSYNC && !at_block_barrier(wait))
        return refuted(p, "warp slot %u: lane %u does not wait, it can go on at PC 0x%x", slot,
                       lane, v->npc[lane]);
    if (g->asks && !g->asks(g->user, slot, lane, &mask))
        return refuted(p,
                       "warp slot %u: lane %u waits, but the instruction before PC 0x%x is not why",
                       slot, lane, v->npc[lane]);
    return wait != HD_WAIT_WARPSYNC || warpsync_open(p, slot, lane);
}

static bool warp_waits(const struct proof *p, unsigned slot)
{
    const struct warp_view *v = &p->g->warp[slot];
    if (!v->live)
        return refuted(p, "warp slot %u: all its lanes have exited, but it has not ended", slot);
    if (runs(p->g, v))
        return p->g->circles || refuted(p, "warp slot %u can run at PC 0x%x", slot, v->pc);
    for (unsigned l = 0; l < HD_LANES; l++)
        if ((v->live >> l & 1) && !lane_waits(p, slot, l))
            return false;
    return true;
}

bool deadlock_proved(const struct deadlock_grid *g, char *why, size_t n)
{
    const struct proof p = { g, why, n };
    bool any = false;
    for (unsigned first = 0; first < g->slots; first += g->warps_block) {
        bool used = false;
        for (unsigned s = first; s < first + g->warps_block; s++) {
            used |= g->warp[s].used;
            if (g->warp[s].used && !warp_waits(&p, s))
                return false;
        }
        for (unsigned b = 0; b < HD_BARRIERS && used; b++)
            if (!block_barrier_open(&p, first, b))
                return false;
        if (!used && g->unstarted)
            return refuted(&p, "block slot %u is empty, and %llu %s not started",
                           first / g->warps_block, (unsigned long long)g->unstarted,
                           BY_COUNT(g->unstarted, "block has", "blocks have"));
        any |= used;
    }
    return any || refuted(&p, "every block has ended");
}

/* ---- of a device ---- */

/* The operand of BAR and WARPSYNC is a register or a number; lanes that wait keep their
 * registers. */
static bool asks(const void *user, unsigned slot, unsigned lane, uint32_t *what)
{
    const hd_device *d = user;
    struct warp_view v;
    struct hd_word word;
    struct hd_insn i;
    model_view(d->model, slot, &v);
    uint32_t pc = v.npc[lane] - HD_INSN_BYTES;
    if (pc % HD_INSN_BYTES || pc >= d->image->text_size)
        return false;
    memcpy(word.w, model_memory(d->model) + LAUNCH_CODE + pc, sizeof word.w);
    if (!hd_decode(&word, d->image->stack_mode, &i))
        return false;
    unsigned wait = v.wait[lane];
    *what = i.bi ? i.imm : model_register(d->model, slot, i.rb, lane);
    return wait == HD_WAIT_WARPSYNC ? i.op == OP_WARPSYNC
                                    : i.op == OP_BAR && i.bx == wait - HD_WAIT_BLOCK;
}

bool deadlock_holds(hd_device *d, char *why, size_t n)
{
    struct warp_view v[LAUNCH_WARPS];
    int slot;
    struct deadlock_grid g = { .warp = v, .slots = d->launch.block_slots * d->launch.warps_block,
                               .warps_block = d->launch.warps_block, .stack_mode = d->launch.mode,
                               .circles = fast_spins(d->model), .asks = asks, .user = d,
                               .unstarted = model_unstarted(d->model, &slot) };
    for (unsigned s = 0; s < g.slots; s++)
        model_view(d->model, s, &v[s]);
    return deadlock_proved(&g, why, n) && (!g.circles || deadlock_circles(d, why, n));
}
