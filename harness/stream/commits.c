/* Our own commit records as a stream of warp events.  SPDX-License-Identifier: Apache-2.0
 *
 * A record says where every lane of its warp is after it; a stream says how lanes move.  So what a
 * warp's lanes were doing is kept for each slot, and compared with the record.  Lanes wait at
 * tokens: in barrier mode the reason for which they wait (enum hd_wait), in stack mode the token
 * of the stack, which gets a number when it is pushed.
 *
 * At which PC lanes in tokens go on follows from the records of pushes and pops: the tokens are
 * kept.  What no record says is which group another warp runs that a block barrier has let go: the
 * model knows it; without one (the RTL alone), the warp's next record does. */
#include "harness/stream/commits.h"
#include "cmodel/isa/isa.h"
#include "cmodel/isa/waits.h"
#include "stream/heddle_stream.h"

/* Where a lane is: OFF, RUN, why it waits (enum hd_wait), or a token of the stack. */
enum { OFF = 0, RUN = 0x80, TOKEN_FIRST = 0x100, INSN = 16, BAR_BITS = 4, BARS = 16 };
#define NO_PC UINT32_MAX
struct lanes {
    uint64_t at[HD_LANES];
    uint32_t pc[HD_LANES], run, live;
};
struct pushed {
    uint64_t name;
    uint32_t mask, pc;
};
struct slot {
    struct lanes l;
    uint8_t wait[HD_LANES];
    uint32_t block, live_before;
    uint16_t warp;
    uint64_t n, names;
    struct pushed *stack;
    size_t depth, room;
};
/* Of each block that has warps here: lanes that have ended, and lanes at each of its barriers, with
 * how many let it go (0: all that live). */
struct block {
    uint32_t number, ended, at[BARS], need[BARS];
    uint64_t generation[BARS];
    bool used;
};
struct commit_stream {
    commit_event_fn *fn;
    void *user;
    bool refused; /* fn wants no more */
    struct hs_event e;
    hd_device *dev;
    struct commit_run run;
    unsigned slots, nblocks;
    struct slot *slot;
    struct block block[HS_WARPS];
    uint64_t cycle;
    bool waits; /* some lanes wait at a block barrier */
    uint32_t bsync; /* the PC of the BSYNC of this record; NO_PC: it has none */
};

static void put(struct commit_stream *s, unsigned kind, unsigned warp)
{
    s->e.kind = kind;
    s->e.cycle = s->cycle;
    s->e.warp = warp;
    s->refused = s->refused || !s->fn(s->user, &s->e);
}

/* The members of an event that are members of the record. */
static inline __attribute__((always_inline)) void copy(struct hs_event *e, unsigned kind,
                                                       const struct hd_commit *c)
{
#define COPY(event, member, field) \
    if (kind == HS_K_##event) \
        e->member = c->field;
#include "harness/stream/commits.def"
}

static struct block *block_of(struct commit_stream *s, uint32_t number)
{
    struct block *free_one = NULL;
    for (unsigned k = 0; k < s->nblocks; k++) {
        if (s->block[k].used && s->block[k].number == number)
            return &s->block[k];
        if (!s->block[k].used)
            free_one = &s->block[k];
    }
    if (!free_one)
        free_one = &s->block[s->nblocks++]; /* at most one a slot */
    *free_one = (struct block){ .number = number, .used = true };
    return free_one;
}

/* The token, from the top, in which a lane waits. */
static const struct pushed *token_with(const struct slot *t, unsigned l)
{
    for (size_t k = t->depth; k--;)
        if (t->stack[k].mask >> l & 1)
            return &t->stack[k];
    return NULL;
}

static void lanes_from(const struct slot *t, struct lanes *to, uint32_t live, uint32_t run,
                       const uint32_t npc[HD_LANES], const uint8_t wait[HD_LANES])
{
    to->live = live;
    to->run = run & live;
    for (unsigned l = 0; l < HD_LANES; l++) {
        const struct pushed *p = wait_in_token(wait[l]) ? token_with(t, l) : NULL;
        to->pc[l] = p ? p->pc : npc[l];
        to->at[l] = !(live >> l & 1)   ? OFF
                    : to->run >> l & 1 ? RUN
                    : p                ? p->name
                    : wait[l]          ? wait[l]
                                       : HD_WAIT_READY;
    }
}

/* The events for lanes of `mask', which go the same way.  Lanes that were blocked at a BSYNC stand
 * there; another lane's BSYNC of this PC takes them past it: they wake where they stood, and go on
 * after it. */
static void moved(struct commit_stream *s, unsigned w, uint64_t from, uint64_t to, uint32_t mask,
                  uint32_t stood, uint32_t pc)
{
    struct hs_event *e = &s->e;
    const bool past = to == RUN && stood == s->bsync && pc == stood + INSN &&
                      from >= HD_WAIT_BARRIER && from < HD_WAIT_BARRIER + HD_BARRIERS;
    e->mask = mask;
    e->pc = past ? stood : pc;
    e->why = to >= TOKEN_FIRST ? HD_WAIT_STACK : to;
    if (to == OFF) {
        put(s, HS_K_end, w);
    } else if (from == RUN) {
        e->token = to;
        put(s, HS_K_park, w);
    } else {
        e->token = from;
        e->to = to;
        put(s, to == RUN ? HS_K_wake : HS_K_move, w);
    }
    if (past) {
        e->pc = pc;
        put(s, HS_K_next, w);
    }
}

/* Lanes that are elsewhere now, in groups; first those that stop running. */
static void moves(struct commit_stream *s, unsigned w, const struct lanes *now, bool stops)
{
    const struct lanes *was = &s->slot[w].l;
    for (uint32_t left = was->live | now->live; left;) {
        const unsigned f = (unsigned)__builtin_ctz(left);
        uint32_t mask = 0;
        for (unsigned l = f; l < HD_LANES; l++)
            if (left >> l & 1 && was->at[l] == was->at[f] && now->at[l] == now->at[f] &&
                was->pc[l] == was->pc[f] && now->pc[l] == now->pc[f])
                mask |= 1u << l;
        left &= ~mask;
        if (was->at[f] != now->at[f] && stops == (was->at[f] == RUN))
            moved(s, w, was->at[f], now->at[f], mask, was->pc[f], now->pc[f]);
    }
}

/* Lanes that ran and run go on at another PC than the next. */
static void jump(struct commit_stream *s, unsigned w, const struct lanes *now, uint32_t behind)
{
    for (uint32_t left = s->slot[w].l.run & now->run; left;) {
        const uint32_t pc = now->pc[__builtin_ctz(left)];
        uint32_t mask = 0;
        for (unsigned l = 0; l < HD_LANES; l++)
            if (left >> l & 1 && now->pc[l] == pc)
                mask |= 1u << l;
        left &= ~mask;
        if (pc == behind)
            continue;
        s->e.mask = mask;
        s->e.pc = pc;
        put(s, HS_K_next, w);
    }
}

static void start(struct commit_stream *s, unsigned w, const struct hd_commit *c)
{
    struct slot *t = &s->slot[w];
    t->block = c->block;
    t->warp = c->warp;
    t->depth = 0;
    t->l = (struct lanes){ .run = c->active, .live = c->active };
    memset(t->wait, 0, sizeof t->wait);
    for (unsigned l = 0; l < HD_LANES; l++)
        if (c->active >> l & 1)
            t->l.at[l] = RUN;
    copy(&s->e, HS_START, c);
    put(s, HS_START, w);
}

static void results(struct commit_stream *s, unsigned w, const struct hd_commit *c)
{
    struct hs_event *e = &s->e;
    for (unsigned k = 0; k < c->nd && c->exec; k++) {
        copy(e, HS_WRITE, c);
        e->reg += k;
        for (unsigned l = 0; l < HD_LANES; l++)
            e->val[l] = c->val[k][l];
        put(s, HS_WRITE, w);
    }
    if (c->npd && c->exec) {
        copy(e, HS_K_pred, c);
        put(s, HS_K_pred, w);
    }
}

/* What a lane loaded is in its destination registers, widened to 32 bits. */
static void memory_data(struct hs_event *e, const struct hd_commit *c)
{
    const bool load = c->mem == 1;
    const uint32_t(*from)[HD_LANES] = load ? c->val : c->wdata;
    const uint32_t keep = c->size == 1 ? 0xff : c->size == 2 ? 0xffff : 0xffffffff;
    e->data = load && c->nd < (c->size + 3) / 4 ? 0 : c->size;
    for (unsigned l = 0; e->data && l < HD_LANES; l++) {
        e->val[l] = (from[0][l] & keep) | (c->size > 4 ? (uint64_t)from[1][l] << 32 : 0);
        e->high[l] = c->size > 8 ? from[2][l] | (uint64_t)from[3][l] << 32 : 0;
    }
}

static void memory(struct commit_stream *s, unsigned w, const struct hd_commit *c)
{
    static const uint8_t spaces[SPACE_COUNT] = { [SPACE_GLOBAL] = 1,
                                                 [SPACE_SHARED] = 2,
                                                 [SPACE_LOCAL] = 3,
                                                 [SPACE_CONST] = 4,
                                                 [SPACE_GENERIC] = 1 };
    struct hs_event *e = &s->e;
    const uint32_t special = c->shared_m | c->local_m;
    const struct {
        uint32_t mask;
        unsigned space;
    } part[] = { { c->exec & ~special, special ? 1 : spaces[c->space] },
                 { c->exec & c->shared_m, 2 },
                 { c->exec & c->local_m, 3 } };
    copy(e, HS_MEM, c);
    for (unsigned l = 0; l < HD_LANES; l++)
        e->addr[l] = c->addr[l];
    memory_data(e, c);
    for (unsigned k = 0; k < 3; k++) {
        if (!part[k].mask)
            continue;
        e->mask = part[k].mask;
        e->space = part[k].space;
        put(s, HS_MEM, w);
    }
}

/* ---- tokens, in stack mode */
static bool push(struct commit_stream *s, unsigned w, const struct hd_token *token)
{
    struct slot *t = &s->slot[w];
    if (t->depth == t->room) {
        struct pushed *more =
            realloc(t->stack, (t->room = t->room ? 2 * t->room : 16) * sizeof *more);
        if (!more)
            return false;
        t->stack = more;
    }
    t->stack[t->depth++] =
        (struct pushed){ TOKEN_FIRST + t->names++, token->mask, token->pc_kind & ~3u };
    s->e.token = t->stack[t->depth - 1].name;
    s->e.why = token->pc_kind & 3;
    put(s, HS_K_open, w);
    return true;
}

/* The name of the token that is popped, to be closed; 0: none. */
static uint64_t pop(struct slot *t, const struct hd_commit *c)
{
    return c->popped && t->depth ? t->stack[--t->depth].name : 0;
}

/* Where both happen in one instruction, what was popped says which came first. */
static bool tokens(struct commit_stream *s, unsigned w, const struct hd_commit *c, uint64_t *closed)
{
    struct slot *t = &s->slot[w];
    const struct pushed *top = t->depth ? &t->stack[t->depth - 1] : NULL;
    const bool pop_first =
        c->popped && top && top->mask == c->pop.mask && top->pc == (c->pop.pc_kind & ~3u);
    *closed = pop_first ? pop(t, c) : 0;
    if (c->pushed && !push(s, w, &c->push))
        return false;
    if (!pop_first)
        *closed = pop(t, c);
    return true;
}

/* ---- block barriers */

/* How many lanes a BAR.SYNC waits for; 0: all that live; NOT_SAID: a register says it, which the
 * RTL alone does not show. */
enum { NOT_SAID = 0x7fffffff };
static uint32_t needed(struct commit_stream *s, const struct hd_commit *c, unsigned *number)
{
    struct hd_word word;
    struct hd_insn i;
    uint32_t value[HD_LANES];
    memcpy(word.w, c->insn, sizeof word.w);
    if (!hd_decode(&word, s->run.stack_mode, &i))
        return 0;
    *number = i.bx % BARS;
    if (i.bi)
        return i.imm;
    if (i.rb == HD_RZ)
        return 0;
    return hd_get_register(s->dev, c->slot, i.rb, value) ? value[__builtin_ctz(c->active)]
                                                         : NOT_SAID;
}

/* As events have it: 0 where it is not said. */
static uint32_t need_of(const struct commit_stream *s, const struct block *b, unsigned n)
{
    return b->need[n] == NOT_SAID ? 0
           : b->need[n]           ? b->need[n]
                                  : s->run.block_threads - b->ended;
}

/* All lanes of a BAR.SYNC arrive, also those that let it go and never wait.  Its number. */
static int arrivals(struct commit_stream *s, unsigned w, const struct hd_commit *c)
{
    unsigned n = 0;
    struct block *b = block_of(s, c->block);
    const uint32_t need = needed(s, c, &n);
    b->need[n] = need;
    copy(&s->e, HS_K_arrive, c);
    s->e.count = (uint32_t)__builtin_popcount(c->active);
    s->e.barrier = (uint64_t)c->block << BAR_BITS | n;
    s->e.generation = b->generation[n];
    s->e.need = need_of(s, b, n);
    b->at[n] += s->e.count;
    s->waits = true;
    put(s, HS_K_arrive, w);
    return (int)n;
}

/* Whether lanes of a slot wait at barrier n, and at none but that one. */
static bool waits_at(const struct slot *t, unsigned n, bool *alone)
{
    bool waits = false;
    for (unsigned l = 0; l < HD_LANES; l++)
        if (t->wait[l] >= HD_WAIT_BLOCK && t->wait[l] < HD_WAIT_BLOCK + BARS) {
            waits |= t->wait[l] == HD_WAIT_BLOCK + n;
            *alone &= t->wait[l] == HD_WAIT_BLOCK + n;
        }
    return waits;
}

/* The warps that the record says were let go, of those at barrier n of a block; false: none.  Where
 * a warp has lanes at two barriers, arrivals say which of them it was. */
static bool let_go(struct commit_stream *s, const struct block *b, unsigned n, unsigned w,
                   const struct hd_commit *c, bool arrives, uint64_t warps[HS_WARPS / 64])
{
    bool sure = need_of(s, b, n) && b->at[n] >= need_of(s, b, n), any = false;
    memset(warps, 0, HS_WARPS / 8);
    for (unsigned k = w / 32 * 32; k < w / 32 * 32 + 32; k++) {
        const struct slot *t = &s->slot[k];
        bool alone = true;
        const bool waits = waits_at(t, n, &alone) || (k == w && arrives);
        if (!t->l.live || t->block != b->number || !waits || !(c->let_go >> k % 32 & 1))
            continue;
        sure |= alone;
        any = true;
        warps[k / 64] |= 1ull << k % 64;
    }
    return any && sure;
}

/* Without a model: the lanes are ready, and the warp's next record says which of them run. */
static void alone_goes_on(struct commit_stream *s, unsigned w, unsigned n)
{
    struct slot *t = &s->slot[w];
    struct lanes l = t->l;
    for (unsigned k = 0; k < HD_LANES; k++)
        if (t->wait[k] == HD_WAIT_BLOCK + n) {
            t->wait[k] = HD_WAIT_READY;
            l.at[k] = HD_WAIT_READY;
        }
    moves(s, w, &l, false);
    t->l = l;
}

/* Without a model: a warp that stood still runs the lanes of its next record. */
static void alone_runs(struct commit_stream *s, unsigned w, const struct hd_commit *c)
{
    struct slot *t = &s->slot[w];
    struct lanes l = t->l;
    if (t->l.run)
        return;
    for (unsigned k = 0; k < HD_LANES; k++)
        if (c->active >> k & 1 && t->l.at[k] == HD_WAIT_READY) {
            l.at[k] = RUN;
            l.run |= 1u << k;
            t->wait[k] = HD_WAIT_NONE;
        }
    moves(s, w, &l, false);
    t->l = l;
}

/* What the warps do that an instruction of another one lets go from barrier n. */
static void go_on(struct commit_stream *s, unsigned w, unsigned n)
{
    struct slot *t = &s->slot[w];
    struct hd_warp now;
    struct lanes l;
    if (s->run.kind == HD_RTL)
        return alone_goes_on(s, w, n);
    if (!hd_get_warp(s->dev, w, &now) || now.block != t->block || now.warp != t->warp)
        return;
    lanes_from(t, &l, now.live, now.active, now.npc, now.wait);
    moves(s, w, &l, true);
    moves(s, w, &l, false);
    t->l = l;
    memcpy(t->wait, now.wait, sizeof t->wait);
}

/* After an instruction that may have been what a block barrier waited for.  arrived: at which one
 * its own lanes are, and then no other is let go; -1: at none. */
static void releases(struct commit_stream *s, unsigned w, const struct hd_commit *c, int arrived)
{
    uint64_t warps[HS_WARPS / 64];
    struct block *b = block_of(s, c->block);
    for (unsigned n = 0; n < BARS; n++) {
        if ((arrived >= 0 && n != (unsigned)arrived) || !b->at[n] ||
            !let_go(s, b, n, w, c, arrived == (int)n, warps))
            continue;
        s->e.barrier = (uint64_t)c->block << BAR_BITS | n;
        s->e.generation = b->generation[n]++;
        s->e.need = need_of(s, b, n);
        memcpy(s->e.warps, warps, sizeof warps);
        put(s, HS_K_release, w);
        b->at[n] = 0;
        for (unsigned k = 0; k < s->slots; k++)
            if (k != w && warps[k / 64] >> k % 64 & 1)
                go_on(s, k, n);
    }
}

static void ended(struct commit_stream *s, unsigned w, uint32_t lanes)
{
    struct block *b = block_of(s, s->slot[w].block);
    b->ended += (uint32_t)__builtin_popcount(lanes);
}

static void instruction(struct commit_stream *s, unsigned w, const struct hd_commit *c)
{
    struct hs_event *e = &s->e;
    copy(e, HS_ISSUE, c);
    e->n = s->slot[w].n;
    for (unsigned k = 0; k < HS_WORD; k++)
        e->word[k] = (uint8_t)(c->insn[k / 4] >> 8 * (k % 4));
    put(s, HS_ISSUE, w);
    if (c->mem && c->exec)
        memory(s, w, c);
    results(s, w, c);
    copy(e, HS_RETIRE, c);
    e->last = 1;
    put(s, HS_RETIRE, w);
    s->slot[w].n++;
}

static bool is_op(const struct hd_commit *c, enum hd_op op)
{
    return !c->unwind && (c->insn[0] & ((1u << ISA_OP_WIDTH) - 1)) == hd_ops[op].opcode;
}

bool commit_stream_add(struct commit_stream *s, const struct hd_commit *c)
{
    const unsigned w = c->slot;
    struct slot *t = &s->slot[w < s->slots ? w : 0];
    struct lanes now;
    uint64_t closed = 0;
    if (w >= s->slots)
        return true;
    s->cycle = c->cycle;
    s->bsync = is_op(c, OP_BSYNC) ? c->pc : NO_PC;
    if (!t->l.live || t->block != c->block || t->warp != c->warp)
        start(s, w, c);
    if (s->run.kind == HD_RTL)
        alone_runs(s, w, c);
    if (!c->unwind)
        instruction(s, w, c);
    if (s->run.stack_mode && !tokens(s, w, c, &closed))
        return false;
    const bool bar = is_op(c, OP_BAR);
    if (!bar && c->next_active == t->l.run && c->live == t->l.live &&
        !memcmp(c->wait, t->wait, sizeof t->wait) && !s->run.stack_mode) {
        memcpy(t->l.pc, c->npc, sizeof t->l.pc); /* the same lanes go on */
        jump(s, w, &t->l, c->pc + INSN);
        return !s->refused;
    }
    lanes_from(t, &now, c->live, c->next_active, c->npc, c->wait);
    moves(s, w, &now, true);
    if (t->l.live & ~c->live)
        ended(s, w, t->l.live & ~c->live);
    jump(s, w, &now, c->pc + INSN);
    const int arrived = bar ? arrivals(s, w, c) : -1;
    if (s->waits)
        releases(s, w, c, arrived);
    moves(s, w, &now, false);
    t->l = now;
    memcpy(t->wait, c->wait, sizeof t->wait);
    struct block *b = block_of(s, c->block);
    b->used = b->ended < s->run.block_threads;
    if (closed) {
        s->e.token = closed;
        put(s, HS_K_close, w);
    }
    return !s->refused;
}

static unsigned slots_of(const struct commit_run *run)
{
    return 32 * (run->cores ? run->cores : 1);
}

void commit_stream_header(hd_device *dev, const struct commit_run *run, char *text, size_t room)
{
    struct hd_core core;
    hd_get_core(dev, &core);
    const bool rtl = run->kind != HD_MODEL;
    int n = snprintf(text, room,
                     "core heddle%s\nisa heddle\nlanes %d\nwarps %u\nstep %d\nword %d\npc "
                     "32\nregisters 32\nmemory ordered\n",
                     rtl ? "" : ", golden model", HD_LANES, slots_of(run), INSN, HS_WORD);
    if (rtl)
        n += snprintf(text + n, room - (size_t)n,
                      "beat %u\nchoice schedule\nchoice placement\nchoice clock\n", core.lanes);
#define PLACE(event, place, when) \
    if (when) \
        n += snprintf(text + n, room - (size_t)n, "reports %s %s\n", #event, place);
#include "harness/stream/commits.def"
}

struct commit_stream *commit_stream_open(hd_device *dev, const struct commit_run *run,
                                         commit_event_fn *fn, void *user)
{
    struct commit_stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->dev = dev;
    s->run = *run;
    s->slots = slots_of(run);
    s->fn = fn;
    s->user = user;
    if (!(s->slot = calloc(s->slots, sizeof *s->slot)))
        return free(s), NULL;
    snprintf(s->e.name, sizeof s->e.name, "%s", run->kernel);
    put(s, HS_RUN, 0);
    return s;
}

bool commit_stream_close(struct commit_stream *s, enum hd_status st)
{
    const struct hd_commit *f = st == HD_FAULT ? hd_get_fault(s->dev) : NULL;
    if (f && f->slot < s->slots) {
        s->cycle = f->cycle;
        copy(&s->e, HS_K_fault, f);
        s->e.n = s->slot[f->slot].n;
        put(s, HS_K_fault, f->slot);
    }
    s->e.busy = st != HD_OK;
    put(s, HS_FINISH, 0);
    const bool good = !s->refused;
    for (unsigned k = 0; k < s->slots; k++)
        free(s->slot[k].stack);
    free(s->slot);
    free(s);
    return good;
}
