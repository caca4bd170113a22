/* What the prompt of `heddle lockstep --step` shows: groups of lanes, registers, barriers, tokens.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where lanes stand is what the RTL's commits left (harness/view/lanes.h), as in a waveform;
 * registers and predicates are the model's, which hold what the RTL wrote as long as the two do not
 * part. */
#include "harness/cmd/step.h"
#include "cmodel/image/asm.h"
#include <stdlib.h>
#include <string.h>

void step_place(const struct step *t, uint32_t pc, char *out, size_t n)
{
    const struct hd_image *img = t->s->image;
    struct hd_word w;
    const char *file = "", *slash;
    unsigned line = 0;
    char text[160] = "(outside the code)";
    if (pc + HD_INSN_BYTES <= img->text_size) {
        memcpy(w.w, img->text + pc, sizeof w.w);
        hd_dis_insn(text, sizeof text, &w, NULL, NULL);
        hd_image_line(img, pc, &file, &line);
    }
    slash = strrchr(file, '/');
    if (line)
        snprintf(out, n, "PC 0x%-5x %-32s %s:%u", pc, text, slash ? slash + 1 : file, line);
    else
        snprintf(out, n, "PC 0x%-5x %s", pc, text);
}

/* A block barrier that another warp's commit completes says nothing in this warp's commits. */
static void refresh(struct step *t, unsigned slot)
{
    struct hd_warp w;
    struct lanes *l = &t->warp[slot];
    if (t->differs == slot + 1 || !hd_get_warp(t->s->dev, slot, &w))
        return;
    if (!l->used || l->block != w.block || l->warp != w.warp)
        lanes_start(l, w.block, w.warp, w.live, w.active ? w.npc[__builtin_ctz(w.active)] : 0);
    lanes_view(l, w.active, w.npc, w.wait);
}

int step_slot(const struct step *t)
{
    struct hd_warp w;
    if (!t->chosen)
        return t->seen ? t->last.slot : 0;
    for (unsigned s = 0; s < STEP_SLOTS; s++)
        if (hd_get_warp(t->s->dev, s, &w) && w.block == t->block && w.warp == t->number)
            return (int)s;
    printf("block %u warp %u is not on the core: it has not started, or has ended\n", t->block,
           t->number);
    return -1;
}

/* As a waveform names it; lanes that are ready have no name there, where a row of them would say
 * nothing. */
static void state_of(const struct lanes *w, unsigned lane, char out[LANES_STATE])
{
    lanes_state(w, lane, out);
    if (!out[0])
        snprintf(out, LANES_STATE, "ready");
}

/* What else there is to say of lanes that wait. */
static void print_why(const struct lanes *w, unsigned lane)
{
    unsigned wait = w->wait[lane];
    if (wait >= HD_WAIT_BARRIER && wait < HD_WAIT_BLOCK) {
        unsigned b = wait & 15;
        printf("; for lanes %08x", w->barrier[b] & w->live & ~lanes_arrived(w, b));
    }
}

static void print_groups(const struct step *t, const struct lanes *w)
{
    uint32_t done = ~w->live;
    for (unsigned l = 0; l < HD_LANES; l++) {
        uint32_t m = 0;
        char state[LANES_STATE], place[200];
        if (done >> l & 1)
            continue;
        for (unsigned k = l; k < HD_LANES; k++)
            m |= (uint32_t)((w->live >> k & 1) && w->group[k] == w->group[l]) << k;
        done |= m;
        state_of(w, l, state);
        step_place(t, w->npc[l], place, sizeof place);
        printf("  %c %08x %-9s %s", w->group[l], m, state, place);
        print_why(w, l);
        printf("\n");
    }
}

static void where(struct step *t, unsigned slot)
{
    struct lanes *w = &t->warp[slot];
    struct hd_warp model;
    refresh(t, slot);
    if (!w->used) {
        printf("slot %u: no warp\n", slot);
        return;
    }
    printf("block %u warp %u (slot %u)%s\n", w->block, w->warp, slot,
           t->differs == slot + 1 ? ", RTL:" : "");
    print_groups(t, w);
    if (t->differs != slot + 1 || !hd_get_warp(t->s->dev, slot, &model))
        return;
    struct lanes other = { 0 };
    lanes_start(&other, model.block, model.warp, model.live, 0);
    memcpy(other.barrier, model.barrier, sizeof other.barrier);
    lanes_view(&other, model.active, model.npc, model.wait);
    printf("the model:\n");
    print_groups(t, &other);
    lanes_free(&other);
}

void step_where(struct step *t, bool all)
{
    struct hd_warp w;
    int slot;
    if (!all && (slot = step_slot(t)) >= 0)
        where(t, (unsigned)slot);
    for (unsigned s = 0; all && s < STEP_SLOTS; s++)
        if (hd_get_warp(t->s->dev, s, &w) || t->differs == s + 1)
            where(t, s);
}

/* ---- values ---- */

static void print_value(uint32_t v, char format)
{
    float f;
    memcpy(&f, &v, sizeof f);
    if (format == 'f')
        printf(" %12.6g", (double)f);
    else if (format == 'd')
        printf(" %11d", (int32_t)v);
    else
        printf(" %08x", v);
}

/* Eight lanes a row.  Lanes that have exited keep what they had. */
static bool print_register(const struct step *t, unsigned slot, unsigned reg, char format)
{
    uint32_t v[HD_LANES];
    if (!hd_get_register(t->s->dev, slot, reg, v))
        return false;
    for (unsigned l = 0; l < HD_LANES; l++) {
        if (l % 8 == 0)
            printf("%sR%-3u lanes %2u to %2u ", l ? "\n" : "", reg, l, l + 7);
        print_value(v[l], format);
    }
    printf("\n");
    return true;
}

static void print_mask(const char *name, uint32_t m)
{
    printf("  %-8s %08x  ", name, m);
    for (unsigned l = 0; l < HD_LANES; l++)
        fputc(m >> l & 1 ? 'x' : '.', stdout);
    printf("\n");
}

static void print_masks(const struct step *t, const struct lanes *w)
{
    print_mask("live", w->live);
    print_mask("active", w->active);
    if (t->seen && t->last.block == w->block && t->last.warp == w->warp)
        print_mask("exec", t->last.exec);
}

static void print_barrier(const struct lanes *w, unsigned b)
{
    uint32_t there = lanes_arrived(w, b);
    printf("  B%-2u participants %08x, arrived %08x, missing %08x\n", b, w->barrier[b], there,
           w->barrier[b] & w->live & ~there);
}

static void print_barriers(const struct lanes *w)
{
    unsigned n = 0;
    for (unsigned b = 0; b < HD_BARRIERS; b++)
        if (w->barrier[b] | lanes_arrived(w, b)) {
            print_barrier(w, b);
            n++;
        }
    if (!n)
        printf("  no barrier register holds a lane\n");
}

static void print_stack(const struct step *t, const struct lanes *w)
{
    static const char *const kind[] = { "?", "SYNC", "DIV", "CALL" };
    for (unsigned i = w->depth; i-- > 0;) {
        char place[200];
        step_place(t, w->token[i].pc_kind & ~3u, place, sizeof place);
        printf("  %2u %-4s %08x %s%s\n", i, kind[w->token[i].pc_kind & 3], w->token[i].mask, place,
               i < w->spilled ? "; spilled" : "");
    }
    if (!w->depth)
        printf("  the stack is empty\n");
}

static void print_lanes(const struct lanes *w)
{
    for (unsigned l = 0; l < HD_LANES; l++) {
        char state[LANES_STATE];
        state_of(w, l, state);
        printf(l % 4 == 3 ? "%s%2u %c %s" : "%s%2u %c %-9s", l % 4 ? "   " : "  ", l,
               w->live >> l & 1 ? w->group[l] : '.', state);
        if (l % 4 == 3)
            printf("\n");
    }
}

bool step_print(struct step *t, const char *what, char format)
{
    int slot = step_slot(t);
    unsigned n;
    uint32_t p;
    char after;
    if (slot < 0)
        return true;
    refresh(t, (unsigned)slot);
    const struct lanes *w = &t->warp[slot];
    if (!strcmp(what, "masks"))
        print_masks(t, w);
    else if (!strcmp(what, "barriers"))
        print_barriers(w);
    else if (!strcmp(what, "stack"))
        print_stack(t, w);
    else if (!strcmp(what, "lanes"))
        print_lanes(w);
    else if (sscanf(what, "%*1[Rr]%u%c", &n, &after) == 1)
        return print_register(t, (unsigned)slot, n, format);
    else if (sscanf(what, "%*1[Pp]%u%c", &n, &after) == 1 &&
             hd_get_predicate(t->s->dev, (unsigned)slot, n, &p))
        print_mask(what, p);
    else if (sscanf(what, "%*1[Bb]%u%c", &n, &after) == 1 && n < HD_BARRIERS)
        print_barrier(w, n);
    else
        return false;
    return true;
}
