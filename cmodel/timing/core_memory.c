/* The memory, and what is on its way there: harness/core/axi_mem.c without a seed,
 * rtl/mem/lsu_sectors.v.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads are answered in order, a beat a cycle, the first after a fixed time.  A write's data are
 * taken in the cycle after its address; from then on the same time passes until its answer. */
#include "cmodel/timing/core_state.h"

u64 memory_read(struct core *c, u64 at)
{
    c->read_end = later(at + c->of[CORE_memory], c->read_end + 1);
    c->asked[c->nasked % ASKED].at = at;
    c->asked[c->nasked++ % ASKED].end = c->read_end;
    return c->read_end;
}

u64 memory_read_between(struct core *c, u64 at, u32 beats)
{
    u32 k = 1;
    while (k <= ASKED && k <= c->nasked && c->asked[(c->nasked - k) % ASKED].at >= at)
        k++;
    u64 before = k <= ASKED && k <= c->nasked ? c->asked[(c->nasked - k) % ASKED].end : 0;
    u64 first = later(at + c->of[CORE_memory], later(before, c->between_end) + 1);
    u64 end = c->between_end = first + beats - 1;
    if (k == 1) {
        c->read_end = later(c->read_end, end);
        return end;
    }
    c->read_end += beats;                       /* the later ones come later */
    while (--k)
        c->asked[(c->nasked - k) % ASKED].end += beats;
    for (u32 i = c->result; i != c->walk; i++)
        if (c->access[i % SLOTS].load && c->access[i % SLOTS].through > end)
            c->access[i % SLOTS].through += beats;
    return end;
}

u64 memory_write(struct core *c, u64 at)
{
    c->send_end = later(at, c->send_end + 1);
    return c->write_end = later(c->send_end + 1 + c->of[CORE_memory], c->write_end + 1);
}

static u32 residue(u64 sector)
{
    return (u32)((sector ^ sector >> 9) % RESIDUES);
}

static void turn(struct on_way *w)
{
    w->generation++;
    w->old = w->young;
    w->young = 0;
}

/* What has ended before the cycle `at`. */
static void advance(struct on_way *w, u64 at)
{
    while (w->get != w->put && w->end[w->get % ON_WAY] < at) {
        w->get++;
        if (w->old)
            w->old--;
        else
            w->young--;
        if (!w->old)
            turn(w);
    }
}

u64 on_way_free(struct on_way *w, u64 at, u64 sector)
{
    const u32 *mark = &w->mark[residue(sector)];
    advance(w, at);
    while (w->get != w->put && (*mark == w->generation || *mark == w->generation + 1)) {
        at = w->end[w->get % ON_WAY] + 1;
        advance(w, at);
    }
    return at;
}

u64 on_way_room(struct on_way *w, u64 at, u32 most)
{
    for (advance(w, at); w->put - w->get >= most; advance(w, at))
        at = w->end[w->get % ON_WAY] + 1;
    return at;
}

void on_way_put(struct on_way *w, u64 sector, u64 at, u64 end)
{
    advance(w, at);
    w->mark[residue(sector)] = w->generation + 1;
    w->young++;
    w->end[w->put++ % ON_WAY] = end;
    if (!w->old)
        turn(w);
}
