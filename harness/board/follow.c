/* What a board tells of a grid, followed by the model: see follow.h.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/board/follow.h"
#include "cmodel/isa/digest.h"
#include "harness/lockstep/lockstep.h"
#include "stream/heddle_stream.h"
#include <stdlib.h>
#include <string.h>

/* What the upper three bits of a byte say. */
enum {
#define TOLD(name, code, what) TOLD_##name = code,
#include "cmodel/isa/told.def"
};
enum { VALUE_BYTES = 8, HEAD = 4, END_BYTES = 24 };

#define BROKEN(f, ...) (snprintf((f)->b->f.error, sizeof (f)->b->f.error, __VA_ARGS__), false)

void follow_begin(struct follow *f)
{
    clock_begin(&f->clocks);
    f->rule = (struct predict){ 0 };
}

static void differ(struct follow *f, uint64_t lo, uint64_t hi)
{
    if (!f->differs) {
        f->lo = lo;
        f->hi = hi;
    }
    f->differs = true;
}

/* A byte of the digest of all commits so far. */
static bool digest_byte(struct follow *f, uint8_t byte)
{
    f->value |= (uint64_t)byte << 8 * (VALUE_BYTES - f->left);
    if (--f->left)
        return true;
    if (f->value != f->digest)
        differ(f, f->agreed * f->every, f->commits);
    f->agreed += !f->differs;
    return true;
}

/* The record of this commit, in the window. */
static bool compare_whole(struct follow *f, struct hd_commit *c, struct hd_commit *ref)
{
    struct verdict *v = &f->d->verdict;
    ref->cycle = c->cycle -= f->d->launch.clock;             /* the board's own, not compared */
    if (commit_equal(c, ref, &v->diff))
        return true;
    v->rtl = *c;
    v->model = *ref;
    v->differing++;
    differ(f, f->commits, f->commits + 1);
    lockstep_trouble(f->d, HD_TROUBLE_FIELD, "a field differs");
    v->cycle = c->cycle;
    return false;
}

/* What an instruction that reads the clock has read. */
static bool take_clock(struct follow *f, const struct hd_commit *ref)
{
    struct clock_queue *q = &f->clocks.of[ref->slot];
    if (!ref->is_clock)
        return true;
    f->clock_reads++;
    if (q->n) {
        q->first = (q->first + 1) % CLOCK_READS;
        q->n--;
        return true;
    }
    lockstep_trouble(f->d, HD_TROUBLE_CLOCK, "warp slot %u, PC 0x%x: an instruction has the clock "
                     "that did not read it", ref->slot, ref->pc);
    differ(f, f->agreed * f->every, f->commits + 1);
    return false;
}

/* For a repetition. */
static bool keep(struct follow *f, unsigned kind, unsigned slot, uint64_t clock)
{
    struct schedule *s = f->keep;
    if (!s)
        return true;
    if (s->n + 1 + VALUE_BYTES > s->room) {
        const size_t room = 2 * s->room + 4096;
        uint8_t *more = realloc(s->bytes, room);
        if (!more)
            return BROKEN(f, "no memory for its schedule");
        s->bytes = more;
        s->room = room;
    }
    s->bytes[s->n++] = (uint8_t)(kind << 5 | slot);
    for (unsigned i = 0; kind == TOLD_CLOCK && i < VALUE_BYTES; i++)
        s->bytes[s->n++] = (uint8_t)(clock >> 8 * i);
    return true;
}

static void illegal(struct follow *f, unsigned slot, enum step_status did)
{
    lockstep_trouble(f->d, HD_TROUBLE_SCHEDULE, did == STEP_WAITS
                         ? "warp slot %u retires an instruction, but all its lanes wait"
                         : "warp slot %u retires an instruction, but holds no warp that lives",
                     slot);
    differ(f, f->agreed * f->every, f->commits + 1);
}

/* An instruction of the warp in this slot has retired. */
static bool commit(struct follow *f, unsigned slot)
{
    hd_device *d = f->d;
    struct hd_commit *ref = &d->history->rec[d->history->n++ % HISTORY];
    const struct clock_queue *q = &f->clocks.of[slot];
    const uint64_t clock = q->n ? q->read[q->first].clock : 0;
    const bool whole = f->commits >= f->from && f->commits < f->to;
    predict_see(&f->rule, slot);
    if (whole && f->commits - f->from >= f->nwhole)
        return BROKEN(f, "the record of commit %llu is missing", (unsigned long long)f->commits);
    if (f->has_fault)
        return BROKEN(f, "instructions retire after a fault");
    const enum step_status did = model_step(d->model, slot, ref, &clock);
    if (did != STEP_OK && did != STEP_FAULT) {
        illegal(f, slot, did);
        return true;
    }
    if ((ref->is_clock && !keep(f, TOLD_CLOCK, slot, clock)) || !keep(f, TOLD_COMMIT, slot, 0))
        return false;
    ref->cycle = f->cycles;
    f->newest = f->cycles;
    if (!take_clock(f, ref))
        return true;
    if (did == STEP_FAULT) {
        f->has_fault = d->has_fault = true;
        d->fault = *ref;
    }
    struct hd_commit *own = whole ? &f->whole[f->commits - f->from] : NULL;
    const bool same = !own || compare_whole(f, own, ref);
    if (f->to != f->from && d->on_repeat)
        d->on_repeat(d->repeat_user, own ? own : ref);
    if (!same)
        return true;
    f->digest = digest_add(f->digest, ref);
    if (++f->commits % f->every == 0) {
        f->left = VALUE_BYTES;
        f->value = 0;
    }
    if (d->on_commit && !f->differs && f->to == f->from)
        f->stop |= !d->on_commit(d->commit_user, ref);
    return true;
}

static bool place(struct follow *f, unsigned slot)
{
    const char *why = model_place(f->d->model, slot, (uint32_t)f->blocks);
    if (why) {
        lockstep_trouble(f->d, HD_TROUBLE_SCHEDULE, "block %llu starts in block slot %u, but %s",
                         (unsigned long long)f->blocks, slot, why);
        differ(f, f->agreed * f->every, f->commits);
    }
    f->blocks++;
    return keep(f, TOLD_PLACE, slot, 0);
}

/* A whole reading of the clock, which never goes back. */
static bool read_clock(struct follow *f)
{
    struct clock_queue *q = &f->clocks.of[f->reader];
    const uint64_t elapsed = f->shown - f->d->launch.clock;
    if (q->n == CLOCK_READS || elapsed < f->clock) {
        lockstep_trouble(f->d, HD_TROUBLE_CLOCK, q->n == CLOCK_READS
                             ? "warp slot %u reads the clock again and again without retiring"
                             : "the clock goes back where warp slot %u reads it", f->reader);
        differ(f, f->agreed * f->every, f->commits);
        return true;
    }
    f->clock = elapsed;
    q->read[(q->first + q->n++) % CLOCK_READS] = (struct clock_read){ f->shown, false };
    return true;
}

/* Of the cycles since the reading before, a number as streams have it. */
static bool clock_byte(struct follow *f, uint8_t byte)
{
    const int last = hs_number_byte(&f->passed, &f->bits, byte);
    if (last < 0)
        return BROKEN(f, "a reading of the clock has no end");
    f->reads = !last;
    f->shown += last ? f->passed : 0;
    return !last || read_clock(f);
}

/* So many commits as expected. */
static bool as_expected(struct follow *f, unsigned n)
{
    bool ok = true;
    for (; n && ok && !f->differs; n--)
        ok = f->left ? BROKEN(f, "a digest is missing") : commit(f, predict_next(&f->rule));
    return ok;
}

/* One by another warp than is expected, after n as expected. */
static bool against(struct follow *f, unsigned n, unsigned slot)
{
    if (!as_expected(f, n))
        return false;
    if (f->differs)
        return true;
    if (f->left || slot == predict_next(&f->rule))
        return BROKEN(f, "it expects other warps");
    return commit(f, slot);
}

static bool scheduled(struct follow *f, uint8_t byte)
{
    const unsigned slot = byte & 31, kind = byte >> 5;
    if (f->left)
        return digest_byte(f, byte);
    if (f->reads)
        return clock_byte(f, byte);
    switch (kind) {
    case TOLD_COMMIT: return against(f, 0, slot);
    case TOLD_PLACE: return place(f, slot);
    case TOLD_CLOCK:
        f->reader = (uint8_t)slot;
        f->bits = 0;
        f->passed = 0;
        return f->reads = true;
    case TOLD_EXPECTED:
        return as_expected(f, slot < 16 ? slot + 1 : 16 * (slot - 14));
    default: return against(f, kind - TOLD_LATER + 1, slot);
    }
}

/* A whole record: the members of commit.def in words. */
static bool whole(struct follow *f, const struct frame *a)
{
    const uint8_t *p = a->payload, *end = p + a->bytes;
    if (f->nwhole >= f->to - f->from)
        return BROKEN(f, "it sends more records than it was asked for");
    struct hd_commit *c = &f->whole[f->nwhole++];
    memset(c, 0, sizeof *c);
#define MEMBER(type, name, dimensions)                                                             \
    if (p < end)                                                                                   \
        memcpy(&c->name, p, sizeof c->name);                                                       \
    p += (sizeof c->name + 3) / 4 * 4;
#include "cmodel/isa/commit.def"
    return p == end || BROKEN(f, "a record has %u bytes", a->bytes);
}

bool follow_told(void *user, const struct frame *a)
{
    struct follow *f = user;
    bool ok = true;
    if (f->ended)
        return BROKEN(f, "it tells of a grid that has ended");
    f->bytes += a->bytes + FRAME_HEAD + FRAME_CRC;
    switch (a->type) {
    case 'S':
        if (a->bytes < HEAD)
            return BROKEN(f, "a schedule has %u bytes", a->bytes);
        f->cycles += (uint32_t)(frame_get(a->payload, HEAD) - f->cycles);
        f->d->count.cycles = f->cycles;
        for (unsigned i = HEAD; ok && !f->differs && i < a->bytes; i++)
            ok = scheduled(f, a->payload[i]);
        return ok;
    case 'F': return f->differs || whole(f, a);
    default:
        if (a->bytes != END_BYTES)
            return BROKEN(f, "its end has %u bytes", a->bytes);
        f->end_count = frame_get(a->payload, 8);
        f->end_digest = frame_get(a->payload + 8, 8);
        f->cycles += (uint32_t)(frame_get(a->payload + 16, 4) - f->cycles);
        f->stalls = (uint32_t)frame_get(a->payload + 20, 4);
        return f->ended = true;
    }
}

bool follow_end(struct follow *f)
{
    if (f->differs)
        return false;
    if (f->left || f->reads || f->end_count != f->commits)
        return BROKEN(f, "it has retired %llu instructions, and has told of %llu%s",
                      (unsigned long long)f->end_count, (unsigned long long)f->commits,
                      f->left || f->reads ? " and a part of a number" : "");
    if (f->end_digest != f->digest)
        differ(f, f->agreed * f->every, f->commits);
    return !f->differs;
}
