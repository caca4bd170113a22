/* Recovers the barriers of finished code from its instructions and the registers that they name.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Knows nothing of placement and allocation.  From each BSSY the lanes that joined are followed
 * until they wait or leave; joins that end in one place are one barrier.  A wrong register, a lost
 * instruction or an exchanged guard gives other barriers than were meant, or ends that no lane
 * comes to.  The highest registers, those of barriers that several functions share
 * (predict_calls.c), are left to the proof of the placement (verify.c).
 *
 * Requires: edges of the machine function; barrier registers are numbered.
 * Ensures:  every operation on a barrier belongs to one web, or to none where no lane joins;
 *           changes nothing. */
#include "compiler/backend/webs.h"

/* ---- the instructions that count ------------------------------------------------------------- */

static int what_is(const struct mins *m)
{
    switch (m->i.op) {
    case OP_BSSY: return JOIN;
    case OP_BSYNC: return WAIT;
    case OP_BREAK: return LEAVE;
    case OP_BMOVR: return SAVE;
    case OP_BMOVB: return LOAD;
    case OP_CALL: case OP_CALLR: return CALLS;
    case OP_RET: return RETURNS;
    case OP_NOP: case OP_BRA: case OP_BRX: case OP_EXIT: return -1;
    default: return WORK;
    }
}

/* A guarded BREAK and the branch after it decide alike. */
static int leaves_on(const struct mblk *b, const struct mins *leave)
{
    const struct mins *t = b->last;
    if (leave->p[PR_G] < 0) return ALWAYS;
    if (t->i.op != OP_BRA || t->p[PR_G] != leave->p[PR_G] || b->nsucc < 2) return SOMETIMES;
    for (const struct mins *m = leave->next; m != t; m = m->next) {
        if (m->p[PR_D] == leave->p[PR_G]) return SOMETIMES;
        if (m->i.bx == leave->i.bx && what_is(m) >= JOIN && what_is(m) <= LOAD) return SOMETIMES;
    }
    return t->i.pn == leave->i.pn ? 0 : 1;
}

static void add_events(struct webs *w, int k)
{
    const struct mblk *b = w->mf->blks[k];
    const int top = HD_BARRIERS - w->mf->be->m->nfixed;
    int last = -1;
    for (const struct mins *m = b->first; m; last = what_is(m), m = m->next) {
        int what = what_is(m);
        if (what < 0 || (what == WORK && last == WORK) || (what <= LOAD && m->i.bx >= top))
            continue;
        struct event *e = &w->ev[w->nev++];
        *e = (struct event){ .m = m,
                             .what = (enum what)what,
                             .bar = m->i.bx,
                             .blk = k,
                             .web = -1,
                             .next = -1,
                             .from = -1,
                             .edge = what == LEAVE ? leaves_on(b, m) : ALWAYS };
        if (what == SAVE) w->copied[m->r[R_D]] = w->copied[m->r[R_D]] == -1 ? w->nev - 1 : -2;
    }
}

static void find_copies(struct webs *w)
{
    for (int j = 0; j < w->nev; j++) {
        struct event *e = &w->ev[j];
        int from = e->what == LOAD && e->m->r[R_B] >= 0 ? w->copied[e->m->r[R_B]] : -1;
        if (from < 0 || w->ev[from].blk != e->blk || w->ev[from].bar == e->bar) continue;
        w->ev[from].what = READ;
        e->what = JOIN;
        e->from = from;
    }
}

static struct webs *read_code(struct mfn *mf, struct arena *a)
{
    struct webs *w = arena_alloc(a, sizeof *w);
    size_t n = (size_t)mf->nblks + 1, total = 1;
    for (int k = 0; k < mf->nblks; k++)
        for (const struct mins *m = mf->blks[k]->first; m; m = m->next) total += what_is(m) >= 0;
    w->mf = mf, w->a = a;
    w->ev = arena_alloc(a, total * sizeof *w->ev);
    w->first = arena_alloc(a, (n + 1) * sizeof *w->first);
    w->copied = arena_alloc(a, ((size_t)mf->nregs + 1) * sizeof *w->copied);
    w->must = arena_alloc(a, n * sizeof *w->must);
    w->is = arena_alloc(a, n);
    w->region = arena_alloc(a, n * sizeof *w->region);
    w->stack = arena_alloc(a, n * sizeof *w->stack);
    for (int r = 0; r < mf->nregs; r++) w->copied[r] = -1;
    for (int k = 0; k < mf->nblks; k++) {
        w->first[k] = w->nev;
        add_events(w, k);
    }
    w->first[mf->nblks] = w->nev;
    find_copies(w);
    return w;
}

/* ---- a function that gives back the registers of its callers --------------------------------- */

/* The copies that stand before return j. */
static int loads_before(const struct webs *w, int j)
{
    int from = j;
    while (from > w->first[w->ev[j].blk] && w->ev[from - 1].what == LOAD) from--;
    return from;
}

static bool restores(const struct webs *w, int j, int bar, int reg)
{
    for (int k = loads_before(w, j); k < j; k++)
        if (w->ev[k].bar == bar && w->ev[k].m->r[R_B] == reg) return true;
    return false;
}

/* It begins with copies, and zeros in their places; each return has the copies before it. */
static void find_saved(struct webs *w)
{
    int reg[HD_BARRIERS], k;
    for (k = 0; k < HD_BARRIERS; k++) reg[k] = -1;
    for (k = 0; k < w->first[1] && (w->ev[k].what == SAVE || w->ev[k].what == LOAD); k++) {
        const struct event *e = &w->ev[k];
        uint16_t bit = (uint16_t)(1u << e->bar);
        if (e->what == SAVE && !(w->saved & bit) && w->copied[e->m->r[R_D]] == k)
            reg[e->bar] = e->m->r[R_D];
        if (e->what == LOAD && e->m->r[R_B] < 0 && reg[e->bar] >= 0) w->saved |= bit;
    }
    for (int j = 0; j < w->nev; j++)
        for (int b = 0; w->ev[j].what == RETURNS && b < HD_BARRIERS; b++)
            if (!restores(w, j, b, reg[b])) w->saved &= (uint16_t)~(1u << b);
    for (int j = 0; j < w->nev; j++) {             /* all that is no barrier of this function */
        int from = w->ev[j].what == RETURNS ? loads_before(w, j) : j < k ? j : j + 1;
        for (int i = from; i <= j; i++)
            if (w->ev[i].what <= LOAD && w->saved >> w->ev[i].bar & 1) w->ev[i].what = WORK;
    }
}

/* ---- registers that every lane is in --------------------------------------------------------- */

static uint16_t must_step(const struct event *e, uint16_t must)
{
    uint16_t bit = (uint16_t)(1u << e->bar);
    if (e->what == JOIN && e->from < 0 && e->m->p[PR_G] < 0) return must | bit;
    if (e->what == JOIN) return must & (uint16_t)~bit;           /* others may write it, too */
    if (e->what == WAIT || e->what == LOAD || (e->what == LEAVE && e->edge < 0))
        return must & (uint16_t)~bit;
    return must;
}

static uint16_t must_edge(const struct webs *w, int k, int s, uint16_t must)
{
    for (int j = w->first[k]; j < w->first[k + 1]; j++)
        if (w->ev[j].what == LEAVE && w->ev[j].edge == s) must &= (uint16_t)~(1u << w->ev[j].bar);
    return must;
}

static void find_must(struct webs *w)
{
    for (int k = 1; k < w->mf->nblks; k++) w->must[k] = 0xffff;
    for (bool again = true; again;) {
        again = false;
        for (int k = 0; k < w->mf->nblks; k++) {
            uint16_t must = w->must[k];
            for (int j = w->first[k]; j < w->first[k + 1]; j++) must = must_step(&w->ev[j], must);
            for (int s = 0; s < webs_nsucc(w, k); s++) {
                uint16_t *to = &w->must[webs_succ(w, k, s)], now = *to & must_edge(w, k, s, must);
                again |= now != *to;
                *to = now;
            }
        }
    }
}

uint16_t webs_must_at(const struct webs *w, int j)
{
    int k = w->ev[j].blk;
    uint16_t must = w->must[k];
    for (int i = w->first[k]; i < j; i++) must = must_step(&w->ev[i], must);
    return must;
}

/* ---- lanes that are in a barrier ------------------------------------------------------------- */

int web_of(struct webs *w, int j)
{
    if (w->ev[j].web < 0) return -1;
    while (w->ev[j].web != j) j = w->ev[j].web = w->ev[w->ev[j].web].web;
    return j;
}

/* How lanes of `web` are after event j. */
static int step(struct webs *w, int j, int web, int state)
{
    const struct event *e = &w->ev[j];
    int save = e->what == LOAD && e->m->r[R_B] >= 0 ? w->copied[e->m->r[R_B]] : -1;
    int parked = state & PARKED || state & HELD ? PARKED : 0;
    if (e->bar != w->ev[web].bar) return state;
    switch (e->what) {
    case JOIN: return (state & IN) | parked;
    case WAIT: return state & PARKED;
    case LEAVE: return e->edge == ALWAYS ? state & PARKED : state;
    case SAVE: return (state & ~ANY) | (state & PARKED) | (state & (IN | HELD) ? HELD : 0);
    case LOAD: return save >= 0 && web_of(w, save) == web_of(w, web) ? HELD : (state & IN) | parked;
    default: return state;
    }
}

int web_edge(const struct webs *w, int k, int s, int bar, int state)
{
    for (int j = w->first[k]; j < w->first[k + 1]; j++)
        if (w->ev[j].what == LEAVE && w->ev[j].bar == bar && w->ev[j].edge == s)
            return state & PARKED;
    return state;
}

/* From event j of block k to its successors. */
static void through(struct webs *w, int k, int j, int web, int state, int *top, see_event *see,
                    void *user)
{
    for (; state && j < w->first[k + 1]; j++) {
        see(user, j, web, state);
        state = step(w, j, web, state);
    }
    for (int s = 0; s < webs_nsucc(w, k); s++) {
        int to = webs_succ(w, k, s), there = web_edge(w, k, s, w->ev[web].bar, state);
        if (!(there & ~w->is[to])) continue;
        if (!w->is[to]) w->region[w->n++] = to;
        if (!(w->is[to] & QUEUED)) w->stack[(*top)++] = to;
        w->is[to] |= (unsigned char)(there | QUEUED);
    }
}

static void walk(struct webs *w, int web, bool all, see_event *see, void *user)
{
    int top = 0;
    while (w->n) w->is[w->region[--w->n]] = 0;
    for (int j = web; j >= 0; j = all ? w->ev[j].next : -1)
        through(w, w->ev[j].blk, j + 1, web, IN, &top, see, user);
    while (top) {
        int k = w->stack[--top];
        w->is[k] &= ANY;
        through(w, k, w->first[k], web, w->is[k], &top, see, user);
    }
}

void web_walk(struct webs *w, int web, see_event *see, void *user)
{
    walk(w, web, true, see, user);
}

static void unite(struct webs *w, int j, int web)
{
    int b = web_of(w, web), a = w->ev[j].web < 0 ? b : web_of(w, j), least = a < b ? a : b;
    w->ev[j].web = w->ev[a].web = w->ev[b].web = least;
}

/* What lanes in the register of `web` meet is of the same barrier. */
static void see_web(void *user, int j, int web, int state)
{
    struct webs *w = user;
    const struct event *e = &w->ev[j];
    if (e->bar != w->ev[web].bar || !(state & (IN | HELD))) return;
    if (e->what != WAIT && e->what != LEAVE && e->what != SAVE && e->what != READ && e->from < 0)
        return;
    unite(w, j, web);
}

/* Joins of one register that were meant for one barrier, though no lane goes from both to the same
 * end. */
static void join_parts(struct webs *w)
{
    int *first = arena_alloc(w->a, ((size_t)w->mf->nvb + 1) * sizeof *first);
    for (int j = 0; j < w->nev; j++) {
        const struct event *e = &w->ev[j];
        if (e->what != JOIN || e->m->vb < 0 || e->m->vb >= w->mf->nvb) continue;
        int *one = &first[e->m->vb];
        if (!*one) *one = j + 1;
        else if (w->ev[*one - 1].bar == e->bar) unite(w, j, *one - 1);
    }
}

struct webs *webs_find(struct mfn *mf, struct arena *a)
{
    struct webs *w = read_code(mf, a);
    if (!mf->f->entry) find_saved(w);
    find_must(w);
    for (int j = 0; j < w->nev; j++)
        if (w->ev[j].what == JOIN) w->ev[j].web = j;
    for (int j = 0; j < w->nev; j++)
        if (w->ev[j].what == JOIN) walk(w, j, false, see_web, w);
    join_parts(w);
    for (int j = w->nev - 1; j >= 0; j--) {
        int web = web_of(w, j);
        if (w->ev[j].what != JOIN || web == j) continue;
        w->ev[j].next = w->ev[web].next;
        w->ev[web].next = j;
    }
    return w;
}
