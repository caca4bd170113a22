/* What commits leave of a warp's lanes.  SPDX-License-Identifier: Apache-2.0 */
#include "harness/view/lanes.h"
#include "cmodel/isa/waits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const lanes_event_names[LANES_EVENTS] = { "diverge", "block", "release", "give way",
                                                      "spill",   "fill",  "fault" };

static bool at_barrier(unsigned wait) { return (wait & 0x30) == HD_WAIT_BARRIER; }

/* ---- groups ---- */

static bool together(const struct lanes *w, unsigned a, unsigned b)
{
    return w->npc[a] == w->npc[b] && w->wait[a] == w->wait[b];
}

/* A group keeps the letter that its lowest lane had; where that goes on elsewhere, too, the group
 * of the letter's lowest lane has it.  Other groups get the first letter that is free. */
static void name_groups(struct lanes *w)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg";
    char old[HD_LANES];
    uint64_t taken = 0;
    uint32_t todo = w->live, nameless = 0;
    memcpy(old, w->group, sizeof old);
    memset(w->group, 0, sizeof w->group);
    for (uint32_t m = w->live; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        if (!(todo >> l & 1))
            continue;
        uint32_t group = 0;
        for (uint32_t k = todo; k; k &= k - 1)
            if (together(w, l, (unsigned)__builtin_ctz(k)))
                group |= k & -k;
        todo &= ~group;
        const char *is = old[l] ? strchr(letters, old[l]) : NULL;
        if (!is || taken >> (is - letters) & 1) {
            nameless |= 1u << l;                     /* after those that keep theirs */
            continue;
        }
        taken |= 1ull << (is - letters);
        for (uint32_t k = group; k; k &= k - 1)
            w->group[__builtin_ctz(k)] = *is;
    }
    for (; nameless; nameless &= nameless - 1) {
        unsigned l = (unsigned)__builtin_ctz(nameless), i = (unsigned)__builtin_ctzll(~taken);
        taken |= 1ull << i;
        for (uint32_t k = w->live; k; k &= k - 1)
            if (together(w, l, (unsigned)__builtin_ctz(k)))
                w->group[__builtin_ctz(k)] = letters[i];
    }
}

/* ---- a warp ---- */

void lanes_start(struct lanes *w, uint32_t block, unsigned warp, uint32_t live, uint32_t pc)
{
    struct lanes fresh = { .used = true,
                           .started = true,
                           .block = block,
                           .warp = (uint16_t)warp,
                           .active = live,
                           .live = live,
                           .pc = pc,
                           .token = w->token,
                           .room = w->room };
    for (unsigned l = 0; l < HD_LANES; l++) {
        bool lives = live >> l & 1;
        fresh.npc[l] = lives ? pc : 0;
        fresh.wait[l] = lives ? HD_WAIT_NONE : HD_WAIT_EXITED;
    }
    *w = fresh;
    name_groups(w);
}

void lanes_free(struct lanes *w)
{
    free(w->token);
    *w = (struct lanes){ 0 };
}

void lanes_copy(struct lanes *to, const struct lanes *from)
{
    struct hd_token *token = from->depth ? realloc(to->token, from->depth * sizeof *token)
                                         : to->token;
    const bool room = token || !from->depth;
    token = room ? token : to->token;
    if (room && from->depth)
        memcpy(token, from->token, from->depth * sizeof *token);
    *to = *from;
    to->token = token;
    to->depth = to->room = room ? from->depth : 0;
    to->no_memory |= !room;
}

void lanes_view(struct lanes *w, uint32_t active, const uint32_t npc[HD_LANES],
                const uint8_t wait[HD_LANES])
{
    w->active = active;
    memcpy(w->npc, npc, sizeof w->npc);
    memcpy(w->wait, wait, sizeof w->wait);
    name_groups(w);
}

/* Lanes that ran together and go on at two places or more. */
static bool splits(const struct hd_commit *c)
{
    uint32_t m = c->active & c->live;
    for (uint32_t k = m; k; k &= k - 1)
        if (c->npc[__builtin_ctz(k)] != c->npc[__builtin_ctz(m)])
            return true;
    return false;
}

/* A release of a register clears it; what the instruction did to its own one, the record says. */
static void barriers(struct lanes *w, const struct hd_commit *c)
{
    w->released_from = 0;
    for (uint32_t m = c->released; m; m &= m - 1) {
        unsigned was = w->wait[__builtin_ctz(m)];
        if (at_barrier(was))
            w->released_from |= 1u << (was & 15);
    }
    if (c->conv && c->released & c->active)
        w->released_from |= 1u << c->bx;
    for (unsigned b = 0; b < HD_BARRIERS; b++) {
        if (c->emptied >> b & 1)
            w->barrier[b] = 0;
        if (c->conv && b == c->bx)
            w->barrier[b] = c->bafter;
    }
}

static void stack(struct lanes *w, const struct hd_commit *c)
{
    w->spilled += c->spilled;
    w->spilled -= c->filled < w->spilled ? c->filled : w->spilled;
    if (c->popped && w->depth)
        w->depth--;
    if (!c->pushed)
        return;
    if (w->depth == w->room) {
        unsigned room = w->room ? 2 * w->room : 16;
        struct hd_token *more = realloc(w->token, room * sizeof *more);
        if (!more) {
            w->no_memory = true;
            return;
        }
        w->token = more;
        w->room = room;
    }
    w->token[w->depth++] = c->push;
}

unsigned lanes_commit(struct lanes *w, const struct hd_commit *c)
{
    if (!w->used || w->block != c->block || w->warp != c->warp)
        lanes_start(w, c->block, c->warp, c->active, c->pc);
    unsigned events = 0;
    w->pc = c->pc;
    memcpy(w->insn, c->insn, sizeof w->insn);
    w->exec = c->exec;
    w->fault = c->fault;
    w->active = c->next_active;
    w->blocked = w->released = 0;
    if (c->fault)
        return LANES_FAULT;
    events |= splits(c) ? LANES_DIVERGE : 0;
    events |= c->gaveway ? LANES_GIVEWAY : 0;
    events |= c->released ? LANES_RELEASE : 0;
    events |= c->spilled ? LANES_SPILL : 0;
    events |= c->filled ? LANES_FILL : 0;
    barriers(w, c);
    stack(w, c);
    w->released = c->released;
    for (uint32_t m = c->live & c->active; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m), now = c->wait[l];
        if (now > HD_WAIT_READY && !wait_in_token(now))
            w->blocked |= m & -m;
    }
    events |= w->blocked ? LANES_BLOCK : 0;
    bool same = w->live == c->live && !memcmp(w->wait, c->wait, sizeof w->wait);
    /* a group that goes on as one keeps its name */
    for (uint32_t m = w->live; same && m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m),
                 first = (unsigned)__builtin_ctz(c->active ? c->active : 1);
        same = c->active >> l & 1 ? c->npc[l] == c->npc[first] : c->npc[l] == w->npc[l];
    }
    w->live = c->live;
    memcpy(w->npc, c->npc, sizeof w->npc);
    memcpy(w->wait, c->wait, sizeof w->wait);
    if (!same)
        name_groups(w);
    w->used = w->live || w->active;
    return events;
}

/* ---- what is shown ---- */

uint32_t lanes_waiting(const struct lanes *w, unsigned code)
{
    uint32_t m = 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        m |= (uint32_t)(w->wait[l] == code) << l;
    return m & w->live;
}

uint32_t lanes_pc(const struct lanes *w)
{
    return w->active ? w->npc[__builtin_ctz(w->active)] : UINT32_MAX;
}

void lanes_state(const struct lanes *w, unsigned lane, char out[LANES_STATE])
{
    const unsigned wait = w->live >> lane & 1 ? w->wait[lane] : HD_WAIT_EXITED;
    wait_text(wait == HD_WAIT_READY ? "" : wait_form(wait)->brief, wait, out, LANES_STATE);
}

static void add(char *out, size_t n, const char *text)
{
    size_t at = strlen(out);
    snprintf(out + at, n - at, "%s%s", at ? "; " : "", text);
}

static void block_text(const struct lanes *w, char *out, size_t n)
{
    char state[LANES_STATE];
    lanes_state(w, (unsigned)__builtin_ctz(w->blocked), state);
    const char *b = strchr(state, 'B');
    snprintf(out, n, "block %s: %08x", b ? b : state, w->blocked);
}

static void release_text(const struct lanes *w, char *out, size_t n)
{
    size_t at = (size_t)snprintf(out, n, "release");
    for (uint32_t m = w->released_from; m && at < n; m &= m - 1)
        at += (size_t)snprintf(out + at, n - at, " B%d", __builtin_ctz(m));
    if (at < n)
        snprintf(out + at, n - at, ": %08x", w->released);
}

static void diverge_text(const struct lanes *w, char *out, size_t n)
{
    size_t at = (size_t)snprintf(out, n, "diverge:");
    uint32_t done = 0;
    for (unsigned l = 0; l < HD_LANES && at < n; l++)
        if ((w->live & ~done) >> l & 1) {
            uint32_t group = 0;
            for (unsigned k = l; k < HD_LANES; k++)
                group |= (uint32_t)(w->group[k] == w->group[l]) << k;
            done |= group;
            at += (size_t)snprintf(out + at, n - at, " %c=%08x", w->group[l], group);
        }
}

void lanes_event_text(const struct lanes *w, unsigned events, char *out, size_t n)
{
    static const char *const fault[] = {
#define FAULT(name, what) what,
#include "cmodel/isa/commit.def"
    };
    out[0] = 0;
    for (unsigned i = 0; i < LANES_EVENTS; i++) {
        char text[160];
        if (!(events >> i & 1))
            continue;
        if (1u << i == LANES_BLOCK)
            block_text(w, text, sizeof text);
        else if (1u << i == LANES_RELEASE)
            release_text(w, text, sizeof text);
        else if (1u << i == LANES_DIVERGE)
            diverge_text(w, text, sizeof text);
        else if (1u << i == LANES_FAULT)
            snprintf(text, sizeof text, "fault: %s",
                     w->fault < HD_FAULT_COUNT ? fault[w->fault] : "?");
        else
            snprintf(text, sizeof text, "%s", lanes_event_names[i]);
        add(out, n, text);
    }
}
