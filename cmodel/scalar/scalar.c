/* Threads as scalar code: control flow, blocks.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/base/reserve.h"
#include "cmodel/base/sparse.h"
#include "cmodel/scalar/scalar_core.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { QUANTUM = 4000 };  /* instructions of a thread before the next one's turn: spin loops end */
enum { LARGE = 1 << 20 };  /* bytes */

static void explain(struct scalar *s, const struct thread *t, const char *fmt, va_list ap)
{
    int n = 0;
    if (t)
        n = snprintf(s->why, sizeof s->why, "block %u thread %u at PC 0x%x: ", s->block,
                     t->index, t->pc);
    vsnprintf(s->why + n, sizeof s->why - (size_t)n, fmt, ap);
    s->places = t != NULL;
    s->place[0] = t ? t->pc : 0;
}

void scalar_suspect(struct scalar *s, const struct thread *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (!s->suspect)
        explain(s, t, fmt, ap);
    va_end(ap);
    s->suspect = true;
}

/* After a suspicion only a race counts: whatever else happens then may come of the schedule. */
bool scalar_stop(struct scalar *s, enum scalar_end end, const struct thread *t, const char *fmt,
                 ...)
{
    bool known = s->end || (s->suspect && end != SCALAR_RACE);
    va_list ap;
    va_start(ap, fmt);
    if (!known)
        explain(s, t, fmt, ap);
    va_end(ap);
    s->end = !known ? end : s->end ? s->end : SCALAR_ORDER;
    return false;
}

/* ---- what SSY and CAL leave ---- */

static bool push(struct scalar *s, struct thread *t, enum frame_kind kind, u32 pc)
{
    if (t->depth == FRAMES)
        return scalar_stop(s, SCALAR_ORDER, t, "more than %d open SSY and CAL", FRAMES);
    t->frame[t->depth++] = (struct frame){ kind, pc };
    return true;
}

bool scalar_pop(struct scalar *s, struct thread *t, enum frame_kind kind, u32 *pc)
{
    if (!t->depth || t->frame[t->depth - 1].kind != kind)
        return scalar_stop(s, SCALAR_FAULT, t, "a pop finds no token of its kind");
    *pc = t->frame[--t->depth].pc;
    return true;
}

/* ---- control instructions ---- */

static bool bar(struct scalar *s, struct thread *t, const struct hd_insn *i)
{
    if (!i->bi && scalar_tainted(t, i))
        return scalar_stop(s, SCALAR_ORDER, t,
                           "the count of a block barrier depends on the schedule");
    s->need[i->bx] = i->bi ? i->imm : t->r[i->rb];
    t->state = THREAD_BAR;
    t->bar = i->bx;
    return true;
}

/* The guard holds, or the row has none.  False: the launch ends. */
static bool control(struct scalar *s, struct thread *t, const struct hd_insn *i, u32 *next)
{
    bool indirect = i->op == OP_BRX || i->op == OP_CALLR || i->op == OP_RET || i->op == OP_CALR;
    if (indirect && scalar_tainted(t, i))
        return scalar_stop(s, SCALAR_ORDER, t, "a branch target depends on the schedule");
    u32 target = indirect ? t->r[i->ra] : i->imm;
    switch (i->op) {
    case OP_CALL: case OP_CALLR:
        scalar_set(t, i->rd, *next, false);
        /* fallthrough */
    case OP_BRA: case OP_BRX: case OP_RET:
        *next = target;
        return true;
    case OP_CAL: case OP_CALR:
        if (!push(s, t, FRAME_CALL, *next))
            return false;
        *next = target;
        return true;
    case OP_SSY:
        return push(s, t, FRAME_SYNC, i->imm);
    case OP_RETT:
        return scalar_pop(s, t, FRAME_CALL, next);
    case OP_EXIT:
        t->state = THREAD_ENDED;
        return true;
    case OP_BAR:
        return bar(s, t, i);
    case OP_TRAP:
        return scalar_stop(s, SCALAR_FAULT, t, "trap");
    case OP_BMOVR:
        scalar_set(t, i->rd, 0, true);
        return true;
    case OP_WARPSYNC:
        t->synced = scalar_tainted(t, i) ? 0 : i->bi ? i->imm : t->r[i->rb];
        return true;
    default:                        /* BSSY BSYNC BREAK BMOV.B YIELD */
        return true;
    }
}

/* One instruction of one thread; false: the launch ends. */
static bool step(struct scalar *s, struct thread *t)
{
    u32 at = t->pc / HD_INSN_BYTES, next = t->pc + HD_INSN_BYTES;
    if (t->pc % HD_INSN_BYTES || at >= s->words)
        return scalar_stop(s, SCALAR_FAULT, t, "PC outside the code");
    if (!s->code[at].legal)
        return scalar_stop(s, SCALAR_FAULT, t, "illegal instruction");
    const struct hd_insn *i = &s->code[at].i;
    unsigned unit = hd_ops[i->op].unit;
    bool go = scalar_guard(t, i);
    if (i->pg != HD_PT && t->taint_p >> i->pg & 1) {
        if (unit == UNIT_CTL || unit == UNIT_LSU)
            return scalar_stop(s, SCALAR_ORDER, t, "a guard depends on the schedule");
        scalar_taint_results(t, i);
        go = false;
    } else if (scalar_is_warp_op(i->op)) {
        t->state = THREAD_WARP_OP;
        return true;
    }
    if (unit == UNIT_CTL)
        t->synced = 0;          /* a branch that is not taken parts threads, too */
    if (go && unit == UNIT_CTL && !control(s, t, i, &next))
        return false;
    if (go && unit == UNIT_LSU && !scalar_access(s, t, i))
        return false;
    if (go && unit != UNIT_CTL && unit != UNIT_LSU)
        scalar_effect(s, t, i);
    if (i->pop && !scalar_pop(s, t, FRAME_SYNC, &next))
        return false;
    t->pc = next;
    return true;
}

/* ---- blocks ---- */

static void start_block(struct scalar *s)
{
    const struct launch *k = &s->launch;
    memset(s->thread, 0, k->threads * sizeof *s->thread);
    memset(s->local, 0, (size_t)k->threads * k->local_size);
    memset(s->shared.data, 0, k->shared_size);
    memset(s->shared.shadow, 0, k->shared_size * sizeof *s->shared.shadow);
    memset(s->need, 0, sizeof s->need);
    s->phase = s->full = 0;
    s->parted = false;
    s->apart = 0;
    for (u32 i = 0; i < k->threads; i++) {
        struct thread *t = &s->thread[i];
        t->index = i;
        t->id = s->block * k->threads + i + 1;
        t->pc = k->entry;
        t->p = 1u << HD_PT;
        t->local = s->local + (size_t)i * k->local_size;
    }
}

static bool run_thread(struct scalar *s, struct thread *t)
{
    u32 n = 0;
    while (t->state == THREAD_RUNS && n++ < QUANTUM && step(s, t))
        ;
    s->executed += n;
    if (!s->end && s->executed > s->limit)
        scalar_stop(s, SCALAR_LIMIT, t, "more than %llu instructions",
                    (unsigned long long)s->limit);
    return n > 0;
}

static void run_block(struct scalar *s)
{
    bool any = true;
    u32 live = 0;
    start_block(s);
    while (any && !s->end) {
        any = false;
        for (u32 i = 0; i < s->launch.threads && !s->end; i++)
            any |= run_thread(s, &s->thread[i]);
        for (u32 w = 0; !any && w < s->launch.warps_block; w++)
            any |= scalar_meet(s, w);
        any = any || scalar_release(s);
    }
    for (u32 i = 0; i < s->launch.threads; i++)
        live += s->thread[i].state != THREAD_ENDED;
    if (live)
        scalar_stop(s, SCALAR_DEADLOCK, NULL, "block %u: %u threads wait for ever", s->block, live);
}

static bool decode(struct scalar *s, const uint8_t *mem)
{
    s->words = s->launch.code_size / HD_INSN_BYTES;
    s->code = calloc((size_t)s->words + 1, sizeof *s->code);
    for (u32 i = 0; s->code && i < s->words; i++) {
        struct hd_word w;
        memcpy(&w, mem + s->launch.code_base + i * HD_INSN_BYTES, sizeof w);
        s->code[i].legal = hd_decode(&w, s->launch.mode, &s->code[i].i) &&
                           (!s->code[i].i.cb || (s->code[i].i.imm | 7) < s->launch.const_size);
    }
    return s->code;
}

/* Zeros.  Of gigabytes most are never touched, and then are not there: their address space is
 * reserved, and no memory. */
static void *zeros(size_t bytes)
{
    if (bytes < LARGE)
        return calloc(bytes, 1);
    return reserve(bytes);
}

static void drop(void *at, size_t bytes)
{
    if (at && bytes >= LARGE)
        reserve_end(at, bytes);
    else
        free(at);
}

/* It begins where in a page memory does (sparse.h). */
static size_t head(const struct scalar_area *a) { return (size_t)a->base % SPARSE_PAGE; }
static size_t data_bytes(const struct scalar_area *a) { return head(a) + (size_t)a->bytes + 1; }
static size_t shadow_bytes(const struct scalar_area *a)
{
    return ((size_t)a->bytes + 1) * sizeof *a->shadow;
}

static bool area(struct scalar_area *a, u64 base, u64 bytes, bool writable, const uint8_t *from)
{
    *a = (struct scalar_area){ base, bytes, writable, NULL, NULL };
    uint8_t *all = zeros(data_bytes(a));
    a->data = all ? all + head(a) : NULL;
    a->shadow = zeros(shadow_bytes(a));
    if (a->data && from)
        sparse_copy(a->data, from + base, bytes);
    return a->data && a->shadow;
}

static void area_free(struct scalar_area *a)
{
    drop(a->data ? a->data - head(a) : NULL, data_bytes(a));
    drop(a->shadow, shadow_bytes(a));
}

struct scalar *scalar_run(const struct launch *l, const uint8_t *mem, uint64_t limit)
{
    struct scalar *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->launch = *l;
    s->limit = limit;
    bool ok = decode(s, mem) && area(&s->shared, 0, l->shared_size, true, NULL) &&
              area(&s->constant, l->const_base, l->const_size, false, mem);
    for (u32 i = 0; ok && i < l->nranges; i++)
        ok = area(&s->range[i], l->range[i].base, l->range[i].limit - l->range[i].base,
                  l->range[i].writable, mem);
    s->thread = malloc(l->threads * sizeof *s->thread);
    s->after = malloc((size_t)l->threads * l->threads * sizeof *s->after);
    s->meeting = malloc(l->threads * sizeof *s->meeting);
    s->local = malloc((size_t)l->threads * l->local_size + 1);
    if (!ok || !s->thread || !s->local || !s->after || !s->meeting) {
        scalar_free(s);
        return NULL;
    }
    for (s->block = 0; s->block < launch_blocks(l) && !s->end; s->block++)
        run_block(s);
    if (s->suspect && !s->end)
        s->end = SCALAR_ORDER;
    return s;
}

void scalar_free(struct scalar *s)
{
    if (!s)
        return;
    for (u32 i = 0; i < s->launch.nranges; i++)
        area_free(&s->range[i]);
    area_free(&s->shared);
    area_free(&s->constant);
    free(s->code), free(s->thread), free(s->local), free(s->after), free(s->meeting), free(s);
}

enum scalar_end scalar_end(const struct scalar *s) { return s->end; }
const char *scalar_why(const struct scalar *s) { return s->why; }

unsigned scalar_places(const struct scalar *s, uint32_t pc[2])
{
    memcpy(pc, s->place, sizeof s->place);
    return s->places;
}

bool scalar_differs(const struct scalar *s, const uint8_t *mem, uint64_t *addr, uint8_t *want)
{
    for (u32 i = 0; i < s->launch.nranges; i++) {
        const struct scalar_area *a = &s->range[i];
        const u64 k = a->writable ? sparse_differs(a->data, mem + a->base, a->bytes) : a->bytes;
        if (k == a->bytes)
            continue;
        *addr = a->base + k;
        *want = a->data[k];
        return true;
    }
    return false;
}
