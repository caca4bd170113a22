/* Races that lockstep meets: RTL and model agree, as both act in the order of commits, but another
 * order may give something else.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A shadow of memory knows of each word who wrote it last and which two warps read it last.  What
 * another warp does there now is a race unless something came between.  It is looked for so that
 * what is said is true; much is not seen:
 *
 * - Only plain loads and stores count (image.h, strong): volatile, relaxed, acquire and release
 *   accesses and atomics are what programs order others by.
 * - A warp that reads by one of them, gets the old value of an atomic, or passes a fence may have
 *   learned of all that happened so far: it races with what comes later alone.  So may its block
 *   after the next block barrier.  A block barrier orders what its own block did before.
 * - Lanes of one warp act in the order of its instructions.
 * - A store of what is there already changes nothing for those who read; and its own warp, which
 *   reads that value in any order. */
#include "harness/lockstep/race.h"
#include "harness/report/report.h"
#include <stdlib.h>
#include <string.h>

enum what { NOTHING, LOAD, STORE, LEARNS, UNLOADS, BARRIER };
enum { LANE = 31, SILENT = 128 };                    /* of a store of what was there */
enum { PAGE = 4096, WORDS = PAGE / 4, PAGES = 2048, HASH = 2 * PAGES };

struct who { uint32_t seq, block, pc; uint16_t warp; uint8_t lane, bytes; };
/* seq 0: nobody; also: warps of the writer's block that have stored the same since, by bits */
struct word { struct who writer, reader[2]; uint32_t also; };
struct page { uint64_t number; struct word *word; };

struct resident { uint32_t block, learned; bool used; };
struct runs {
    uint32_t block;
    uint16_t warp;
    bool lives, at_barrier;
    uint32_t mine, all;        /* what its block, what anybody did up to then is ordered before */
};

struct race {
    uint8_t *text;                                   /* the code that `what' is of */
    uint32_t text_size, nstrong;
    uint8_t *what;                                   /* of each instruction */
    bool any, looks;                                 /* store that counts; and no race found yet */
    uint32_t seq, begin, pages;
    struct page page[HASH];
    struct runs slot[LAUNCH_WARPS];
    struct resident block[LAUNCH_WARPS];             /* by block slot */
    struct word *shared;                             /* of the whole core */
    struct { struct who now, then; uint64_t addr; bool found, shared, writes, wrote; } met;
};

/* ---- the code ---- */

static uint8_t what_of(const struct hd_image *img, uint32_t pc, bool strong)
{
    struct hd_word w;
    struct hd_insn in;
    memcpy(&w, img->text + pc, sizeof w);
    if (!hd_decode(&w, img->stack_mode, &in))
        return NOTHING;
    const char *o = hd_ops[in.op].operands;
    if (in.op == OP_BAR)
        return BARRIER;
    if (in.op == OP_MEMBAR)
        return LEARNS;
    if (hd_ops[in.op].unit != UNIT_LSU || in.op == OP_LDC || in.op == OP_LDL || in.op == OP_STL)
        return NOTHING;
    if (strchr(o, 'V'))                              /* atomic */
        return in.rd == HD_RZ ? UNLOADS : LEARNS;
    if (strchr(o, 'S'))
        return strong ? UNLOADS : STORE;
    return strong ? LEARNS : LOAD;
}

static void look_at_code(struct race *r, const struct hd_image *img)
{
    uint32_t n = img->text_size / HD_INSN_BYTES, next = 0;
    if (r->what && r->text_size == img->text_size && r->nstrong == img->nstrong &&
        !memcmp(r->text, img->text, img->text_size))
        return;
    free(r->what);
    free(r->text);
    r->what = calloc(n + 1, 1);
    r->text = malloc(img->text_size + 1);
    r->text_size = r->what && r->text ? img->text_size : 0;
    r->nstrong = img->nstrong;
    r->any = false;
    if (!r->text_size)
        return;
    memcpy(r->text, img->text, img->text_size);
    for (uint32_t i = 0; i < n; i++) {
        bool strong = next < img->nstrong && img->strong[next] == i * HD_INSN_BYTES;
        next += strong;
        r->what[i] = what_of(img, i * HD_INSN_BYTES, strong);
        r->any |= r->what[i] == STORE;
    }
}

static void forget(struct race *r)
{
    for (unsigned i = 0; i < HASH; i++) {
        free(r->page[i].word);
        r->page[i] = (struct page){ 0 };
    }
    r->pages = 0;
}

void race_begin(struct race **at, const hd_device *d)
{
    struct race *r = *at ? *at : (*at = calloc(1, sizeof *r));
    if (!r)
        return;
    if (d->image->has_strong)
        look_at_code(r, d->image);
    r->looks = d->image->has_strong && r->any;
    if (r->seq > UINT32_MAX / 2) {                   /* once in a day */
        forget(r);
        r->seq = 0;
    }
    r->begin = ++r->seq;
    memset(r->slot, 0, sizeof r->slot);
    memset(r->block, 0, sizeof r->block);
    memset(&r->met, 0, sizeof r->met);
}

void race_free(struct race *r)
{
    if (!r)
        return;
    forget(r);
    free(r->shared);
    free(r->what);
    free(r->text);
    free(r);
}

/* ---- places ---- */

/* NULL: nothing is known of it; for one that is to be known, no memory is left. */
static struct word *global_word(struct race *r, uint64_t addr, bool to_know)
{
    uint64_t number = addr / PAGE + 1;
    unsigned h = (unsigned)(number * 0x9e3779b97f4a7c15ull >> 52) % HASH;
    while (r->page[h].number && r->page[h].number != number)
        h = (h + 1) % HASH;
    struct page *p = &r->page[h];
    if (!p->number && !to_know)
        return NULL;
    if (!p->number) {
        if (r->pages == PAGES) {                     /* too much to know all of it */
            forget(r);
            return global_word(r, addr, true);
        }
        p->word = calloc(WORDS, sizeof *p->word);
        if (!p->word)
            return NULL;
        p->number = number;
        r->pages++;
    }
    return &p->word[addr % PAGE / 4];
}

static struct resident *block_of(struct race *r, const hd_device *d, const struct hd_commit *c)
{
    return &r->block[c->slot % LAUNCH_WARPS / (d->launch.warps_block ? d->launch.warps_block : 1)];
}

/* The warp in a slot, and its block; both may have come with this commit. */
static struct runs *runs(struct race *r, const hd_device *d, const struct hd_commit *c)
{
    struct runs *w = &r->slot[c->slot % LAUNCH_WARPS];
    struct resident *b = block_of(r, d, c);
    if (!w->lives || w->block != c->block || w->warp != c->warp)
        *w = (struct runs){ c->block, c->warp, true, false, r->begin, r->begin };
    if (!b->used || b->block != c->block)
        *b = (struct resident){ c->block, 0, true };
    return w;
}

/* Where the block's shared memory begins in the core's. */
static uint64_t shared_base(const hd_device *d, const struct hd_commit *c)
{
    return c->slot % LAUNCH_WARPS / d->launch.warps_block * (uint64_t)d->launch.shared_size;
}

static struct word *word_of(struct race *r, bool shared, uint64_t at, bool to_know)
{
    if (!shared)
        return at < HD_ADDR_END ? global_word(r, at, to_know) : NULL;
    if (!r->shared)
        r->shared = calloc(RTL_SHARED / 4, sizeof *r->shared);
    return r->shared && at < RTL_SHARED ? &r->shared[at / 4] : NULL;
}

/* ---- one access ---- */

static bool meets(const struct who *then, const struct who *now, const struct runs *w, bool shared)
{
    if (!then->seq || !(then->bytes & now->bytes) ||
        (then->block == now->block && then->warp == now->warp))
        return false;
    if (shared && then->block != now->block)
        return false;                                /* of a block that was there before */
    return then->seq >= w->all && (then->block != now->block || then->seq >= w->mine);
}

static void found(struct race *r, const struct who *then, const struct who *now, bool shared,
                  uint64_t addr, bool wrote, bool writes)
{
    r->met.now = *now;
    r->met.then = *then;
    r->met.addr = addr;
    r->met.shared = shared;
    r->met.wrote = wrote;
    r->met.writes = writes;
    r->met.found = true;
    r->looks = false;
}

/* So many bytes of a word, and whether they get another value. */
static void touch(struct race *r, const struct runs *w, struct word *x, const struct who *now,
                  bool shared, uint64_t addr, bool store, bool changes)
{
    struct who *old = store ? &x->writer : &x->reader[0];
    const uint32_t me = x->writer.block == now->block ? 1u << now->warp % 32 : 0;
    if ((store ? changes : !(x->writer.lane & SILENT) && !(x->also & me)) &&
        meets(&x->writer, now, w, shared))
        found(r, &x->writer, now, shared, addr, true, store);
    for (int k = 0; k < 2 && store && changes; k++)
        if (meets(&x->reader[k], now, w, shared))
            found(r, &x->reader[k], now, shared, addr, false, true);
    if (store && !changes && old->seq) {
        x->also |= old->bytes & ~now->bytes ? 0 : me;
        return;
    }
    x->also = store ? 0 : x->also;
    bool same = old->seq && old->block == now->block && old->warp == now->warp;
    if (!store && !same && old->seq) {
        x->reader[1] = *old;
        same = false;
    }
    uint8_t bytes = same ? old->bytes | now->bytes : now->bytes;
    *old = *now;
    old->bytes = bytes;
    if (store && !changes)
        old->lane |= SILENT;
}

static void lane(struct race *r, const hd_device *d, const struct runs *w,
                 const struct hd_commit *c, unsigned l, enum what what)
{
    const bool generic = c->shared_m || c->local_m,
               shared = generic ? c->shared_m >> l & 1 : c->space == SPACE_SHARED;
    const uint8_t *memory = shared ? model_shared(d->model) : model_memory(d->model);
    const uint64_t base = shared ? shared_base(d, c) : 0;
    if ((c->local_m >> l & 1) || (!generic && c->space != SPACE_GLOBAL && !shared))
        return;
    for (unsigned done = 0; done < c->size; done += 4) {
        const uint64_t addr = c->addr[l] + done;
        const unsigned n = c->size < 4 ? c->size : 4;
        struct who now = { r->seq, c->block, c->pc, c->warp, (uint8_t)l,
                           (uint8_t)(((1u << n) - 1) << addr % 4) };
        const bool counts = what == LOAD || what == STORE;
        struct word *x = word_of(r, shared, base + addr, counts);
        if (x && !counts)
            *x = (struct word){ 0 };
        else if (x)
            touch(r, w, x, &now, shared, addr, what == STORE,
                  what == STORE && memcmp(memory + base + addr, &c->wdata[done / 4][l], n));
    }
}

void race_commit(struct race *r, const hd_device *d, const struct hd_commit *c)
{
    if (!r || !r->looks || c->fault || c->pc >= r->text_size)
        return;
    const enum what what = (enum what)r->what[c->pc / HD_INSN_BYTES];
    struct runs *w = &r->slot[c->slot % LAUNCH_WARPS];
    r->seq++;
    if (w->at_barrier && what != BARRIER) {
        w->at_barrier = false;
        w->mine = r->seq;
        const struct resident *b = block_of(r, d, c);
        if (b->used && b->block == w->block && b->learned > w->all)
            w->all = b->learned;
    }
    if (what == NOTHING && w->lives && w->block == c->block && w->warp == c->warp) {
        w->lives = c->live;
        return;
    }
    w = runs(r, d, c);
    if (what == BARRIER)
        w->at_barrier = true;
    else if (c->mem)
        for (uint32_t m = c->exec; m && r->looks; m &= m - 1)
            lane(r, d, w, c, (unsigned)__builtin_ctz(m), what);
    if (what == LEARNS && c->exec) {
        w->all = r->seq;
        block_of(r, d, c)->learned = r->seq;
    }
    w->lives = c->live;
}

/* ---- what is said ---- */

static void name(const hd_device *d, const struct who *x, char *buf, size_t n)
{
    char source[160];
    const struct hd_dim3 g = d->launch.grid, b = d->launch.block;
    uint32_t t = x->warp * (uint32_t)HD_LANES + (x->lane & LANE);
    report_source(d, x->pc, source, sizeof source);
    snprintf(buf, n, "block (%u,%u,%u) thread (%u,%u,%u) at %s%sPC 0x%x", x->block % g.x,
             x->block / g.x % g.y, x->block / g.x / g.y, t % b.x, t / b.x % b.y, t / b.x / b.y,
             source, source[0] ? ", " : "", x->pc);
}

bool race_said(const struct race *r, const hd_device *d, char *text, size_t n)
{
    char now[300], then[300];
    if (!r || !r->met.found)
        return false;
    name(d, &r->met.now, now, sizeof now);
    name(d, &r->met.then, then, sizeof then);
    snprintf(text, n,
             "a race: RTL and model agree, another order may not: %s %s 0x%llx%s, which %s %s, and "
             "nothing orders them",
             now, r->met.writes ? "writes" : "reads", (unsigned long long)r->met.addr,
             r->met.shared ? " of shared memory" : "", then, r->met.wrote ? "wrote" : "read");
    return true;
}
