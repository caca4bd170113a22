/* Makes a failing kernel small enough to read, while it keeps failing in the same way.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each step is a guess: change the case, run it, keep the change if kind, field and instruction
 * row of the failure are the same.  First the launch (blocks, warps, lanes, data), then the
 * code: ranges of instructions become NOPs, the largest first, which folds branches, drops
 * blocks and barriers; then what is left becomes simpler (guards, immediates and with them trip
 * counts, registers, modifiers); then the NOPs go.  All again until nothing changes.  A compiled
 * kernel is shrunk as the machine code that it became. */
#include "harness/fuzz/fuzz_prog.h"
#include "harness/process/stop.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct shrink {
    struct fuzz_machine *m;
    struct fuzz_case *c;
    struct fuzz_result *r;       /* of the case as it is now */
    double until;
    bool changed;
};

static uint32_t words(const struct shrink *s) { return s->c->img->text_size / HD_INSN_BYTES; }

/* Of the processor, not of the clock on the wall: how far it gets must not depend on what else
 * runs. */
static double spent(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool over(const struct shrink *s) { return spent() > s->until || stop_requested(); }

static bool fails_alike(struct shrink *s)
{
    struct fuzz_result r;
    uint64_t limit = s->r->cycles + s->r->cycles / 4 + 300;
    if (s->c->prog) {                                /* what changed is the program */
        hd_image_free(s->c->img);
        s->c->img = NULL;
    }
    if (over(s) || !fuzz_run(s->m, s->c, limit, s->r->trouble == HD_TROUBLE_THIRD, &r) ||
        !fuzz_same_failure(&r, s->r))
        return false;
    *s->r = r;
    return s->changed = true;
}

/* ---- the launch ---- */

static void try_size(struct shrink *s, uint32_t *which, uint32_t to)
{
    uint32_t old = *which;
    if (!to || to >= old)
        return;
    *which = to;
    if (!fails_alike(s))
        *which = old;
}

static void try_seed(struct shrink *s, uint64_t *which)
{
    uint64_t old = *which;
    if (!old)
        return;
    *which = 0;
    if (!fails_alike(s))
        *which = old;
}

static void shrink_launch(struct shrink *s)
{
    struct fuzz_case *c = s->c;
    uint32_t *size[] = { &c->grid.z, &c->grid.y, &c->grid.x,
                         &c->block.z, &c->block.y, &c->block.x };
    for (size_t k = 0; k < sizeof size / sizeof size[0]; k++) {
        for (uint32_t few = 1; few < HD_LANES; few *= 2)
            try_size(s, size[k], few);
        try_size(s, size[k], (*size[k] - 1) / 32 * 32);
        for (uint32_t cut = *size[k] / 2; cut; cut /= 2)
            try_size(s, size[k], *size[k] - cut);
    }
    try_seed(s, &c->mem_seed);
    try_seed(s, &c->data_seed);
    try_seed(s, &c->bus_seed);
    try_seed(s, &c->high_seed);
}

/* ---- the code ---- */

static struct hd_word get(const struct shrink *s, uint32_t k)
{
    struct hd_word w;
    memcpy(&w, s->c->img->text + k * HD_INSN_BYTES, sizeof w);
    return w;
}

static void put(struct shrink *s, uint32_t k, struct hd_word w)
{
    memcpy(s->c->img->text + k * HD_INSN_BYTES, &w, sizeof w);
}

static bool is_nop(const struct shrink *s, uint32_t k)
{
    struct hd_insn nop = hd_insn_make(OP_NOP);
    struct hd_word want = hd_encode(&nop), w = get(s, k);
    return !memcmp(&want, &w, sizeof w);
}

/* Its immediate is an address, which is put in when it is loaded. */
static bool is_address(const struct shrink *s, uint32_t k)
{
    const struct hd_image *img = s->c->img;
    for (uint32_t i = 0; i < img->nrelocs; i++)
        if (img->relocs[i].section == HD_SEC_TEXT && img->relocs[i].off == k * HD_INSN_BYTES)
            return true;
    return false;
}

/* Without what takes an address, and so without addresses: the first step where there are any. */
static void try_no_addresses(struct shrink *s)
{
    struct hd_image *img = s->c->img;
    const struct hd_insn nop = hd_insn_make(OP_NOP);
    const uint32_t relocs = img->nrelocs;
    uint8_t *old = malloc(img->text_size + 1);
    if (!old)
        return;
    memcpy(old, img->text, img->text_size);
    for (uint32_t k = 0; k < words(s); k++)
        if (is_address(s, k))
            put(s, k, hd_encode(&nop));
    img->nrelocs = 0;
    if (!fails_alike(s)) {
        memcpy(img->text, old, img->text_size);
        img->nrelocs = relocs;
    }
    free(old);
}

static void try_nops(struct shrink *s, uint32_t from, uint32_t n)
{
    struct hd_insn nop = hd_insn_make(OP_NOP);
    size_t bytes = (size_t)n * HD_INSN_BYTES;
    uint8_t *at = s->c->img->text + from * HD_INSN_BYTES, *old = malloc(bytes);
    bool any = false;
    if (!old)
        return;
    memcpy(old, at, bytes);
    for (uint32_t k = from; k < from + n; k++) {
        if (is_address(s, k))
            continue;
        any |= !is_nop(s, k);
        put(s, k, hd_encode(&nop));
    }
    if (!any || !fails_alike(s))
        memcpy(at, old, bytes);
    free(old);
}

static void shrink_ranges(struct shrink *s)
{
    for (uint32_t n = (words(s) + 1) / 2; n && !over(s); n /= 2)
        for (uint32_t end = words(s); end && !over(s); end = end > n ? end - n : 0)
            try_nops(s, end > n ? end - n : 0, end > n ? n : end);
}

static bool try_insn(struct shrink *s, uint32_t k, const struct hd_insn *i)
{
    struct hd_word old = get(s, k);
    if (is_address(s, k) || hd_insn_fault(i, s->c->stack_mode))
        return false;
    struct hd_word w = hd_encode(i);
    if (!memcmp(&w, &old, sizeof w))
        return false;
    put(s, k, w);
    if (fails_alike(s))
        return true;
    put(s, k, old);
    return false;
}

/* Each simplification starts from what the one before left. */
#define TRY(change) do { struct hd_insn i = in; change; if (try_insn(s, k, &i)) in = i; } while (0)

static void simplify(struct shrink *s, uint32_t k)
{
    struct hd_word w = get(s, k);
    struct hd_insn in;
    if (!hd_decode(&w, s->c->stack_mode, &in) || is_nop(s, k))
        return;
    const struct hd_op_info *o = &hd_ops[in.op];
    if (o->width[0] && !strchr(o->operands, '@') && in.rd != HD_RZ)
        /* what lanes differ by, at once */
        TRY((i = hd_insn_make(OP_S2R), i.rd = in.rd, i.imm = SREG_LANEID));
    o = &hd_ops[in.op];
    TRY((i.pg = HD_PT, i.pn = 0));
    TRY(i.pop = 0);
    const uint32_t smaller[] = { 0, 1, in.imm & 7 };
    TRY(i.cb = 0);
    for (unsigned j = 0; in.bi && j < 3; j++)
        if (smaller[j] < in.imm)    /* never back, or the steps would not come to an end */
            TRY(i.imm = smaller[j]);
    if (o->width[2] && !in.bi)
        TRY(i.rb = HD_RZ);
    if (o->width[1])
        TRY(i.ra = HD_RZ);
    if (o->width[3])
        TRY(i.rc = HD_RZ);
    if (o->width[0])
        TRY(i.rd = HD_RZ);
    if (strchr(o->operands, 's'))
        TRY((i.ps = HD_PT, i.sn = 0));
    if (strchr(o->operands, 'x'))
        TRY(i.bx = 0);
    TRY((i.na = i.aa = i.nb = i.ab = i.nc = 0));
    TRY(i.off = 0);
    for (unsigned j = 0; j < o->nmods; j++)
        TRY(((uint8_t *)&i)[hd_mods[o->mod[j]].offset] = 0);
}

/* Code addresses in immediates are known only by their look; without them, or with them moved as
 * well. */
static uint32_t moved(uint32_t pc, const uint32_t *place, uint32_t n)
{
    uint32_t k = pc / HD_INSN_BYTES;
    return pc % HD_INSN_BYTES || k > n ? pc : place[k] * HD_INSN_BYTES;
}

/* Takes out the NOPs from `from` up to `to`. */
static bool compact(struct shrink *s, uint32_t from, uint32_t to, bool immediates)
{
    struct hd_image *img = s->c->img;
    uint32_t n = words(s), left = 0, *place = calloc((size_t)n + 1, sizeof *place);
    uint8_t *old = malloc(img->text_size);
    bool *gone = calloc(n, sizeof *gone);
    struct hd_reloc *relocs = malloc((img->nrelocs + 1) * sizeof *relocs);
    if (!place || !old || !gone || !relocs)
        abort();
    memcpy(old, img->text, img->text_size);
    for (uint32_t k = 0; k < img->nrelocs; k++)
        relocs[k] = img->relocs[k];
    for (uint32_t k = 0; k < n; k++) {
        gone[k] = k >= from && k < to && is_nop(s, k);
        place[k] = left;
        left += !gone[k];
    }
    place[n] = left;
    for (uint32_t k = 0; k < n; k++) {
        struct hd_word w = get(s, k);
        struct hd_insn i;
        if (gone[k])
            continue;
        if (hd_decode(&w, s->c->stack_mode, &i)) {
            bool target = strchr(hd_ops[i.op].operands, '@') ||
                          (immediates && i.bi && !i.cb && !is_address(s, k) &&
                           (i.op == OP_MOV || i.op == OP_IADD));
            if (target) {
                i.imm = moved(i.imm, place, n);
                w = hd_encode(&i);
            }
        }
        put(s, place[k], w);
    }
    for (uint32_t k = 0; k < img->nrelocs; k++)
        if (relocs[k].section == HD_SEC_TEXT)
            img->relocs[k].off = place[relocs[k].off / HD_INSN_BYTES] * HD_INSN_BYTES;
    img->text_size = left * HD_INSN_BYTES;
    img->nlines = 0;
    bool ok = left && left < n && fails_alike(s);
    if (!ok) {
        img->text_size = n * HD_INSN_BYTES;
        memcpy(img->text, old, img->text_size);
        for (uint32_t k = 0; k < img->nrelocs; k++)
            img->relocs[k] = relocs[k];
    }
    free(relocs);
    free(place);
    free(gone);
    free(old);
    return ok;
}

/* All at once, or where a jump table must keep its places, as many as can go. */
static void compact_all(struct shrink *s)
{
    for (uint32_t n = words(s); n && !over(s); n /= 2)
        for (uint32_t end = words(s); end && !over(s); ) {
            uint32_t from = end > n ? end - n : 0;
            if (!compact(s, from, end, true))
                compact(s, from, end, false);
            end = from;
        }
}

/* Symbols follow the code: one function is left. */
static void name_code(struct hd_image *img)
{
    for (uint32_t k = 0; k < img->nsyms; k++)
        if (img->syms[k].section == HD_SEC_TEXT) {
            struct hd_symbol *y = &img->syms[k];
            y->value = y->value < img->text_size ? y->value : 0;
            y->size = img->text_size - y->value;
        }
}

/* ---- the program, where the compiler is to blame ---- */

static bool try_node(struct shrink *s, struct node *n, const struct node *to)
{
    struct node old = *n;
    *n = *to;
    if (!memcmp(&old, to, sizeof old) || fails_alike(s))
        return true;
    *n = old;
    return false;
}

#define TRY_NODE(change) do { struct node t = *n; change; try_node(s, n, &t); } while (0)

static void shrink_node(struct shrink *s, struct node *n)
{
    bool branches = n->kind == NODE_IF || n->kind == NODE_LOOP || n->kind == NODE_SWITCH;
    if (n->fold == DROPPED)
        return;
    TRY_NODE(t.fold = DROPPED);
    if (n->fold == DROPPED)
        return;
    if (branches && n->fold == KEEP)
        TRY_NODE(t.fold = FIRST_ONLY);
    if (branches && n->fold == KEEP && n->kind != NODE_LOOP)
        TRY_NODE(t.fold = SECOND_ONLY);
    TRY_NODE(t.predict = 0);
    TRY_NODE(t.label = 0);
    TRY_NODE(t.threshold = 0);
    TRY_NODE(t.guarded = false);
    TRY_NODE((t.gb = PROG_VARS, t.gimm = n->gimm & 7));
    if (n->kind != NODE_SWITCH)
        TRY_NODE(t.imm = n->imm & 1);
    if (n->kind == NODE_OP) {
        TRY_NODE(t.op = 0);
        TRY_NODE((t.b = PROG_VARS, t.c = PROG_VARS));
    }
}

static void shrink_prog(struct shrink *s)
{
    struct fuzz_case *c = s->c;
    int maxregs = c->maxregs;
    c->maxregs = 0;
    if (maxregs && !fails_alike(s))
        c->maxregs = maxregs;
    while (s->changed && !over(s)) {
        s->changed = false;
        shrink_launch(s);
        for (int k = 0; k < c->prog->nodes && !over(s); k++)
            shrink_node(s, &c->prog->node[k]);
    }
    c->prog->trimmed = true;
    if (!fails_alike(s))
        c->prog->trimmed = false;
    hd_image_free(c->img);
    c->img = NULL;
    struct fuzz_result r;
    if (fuzz_run(s->m, c, 0, false, &r) && r.kind == FUZZ_FAIL)
        *s->r = r;
}

void fuzz_shrink(struct fuzz_machine *m, struct fuzz_case *c, struct fuzz_result *r, double seconds)
{
    struct shrink s = { m, c, r, spent() + seconds, true };
    if (c->prog && fuzz_blames_compiler(r)) {
        shrink_prog(&s);
        return;
    }
    if (!c->img)
        return;
    if (c->img->nrelocs)
        try_no_addresses(&s);
    bool whole = c->img->nkernels == 1 && !c->img->kernels[0].entry;
    free(c->ptx), free(c->prog), free(c->expect), free(c->notes);
    c->ptx = NULL, c->prog = NULL, c->expect = NULL, c->notes = NULL;
    while (s.changed && !over(&s)) {
        s.changed = false;
        shrink_launch(&s);
        shrink_ranges(&s);
        if (whole)
            compact_all(&s);
        for (uint32_t k = 0; k < words(&s) && !over(&s); k++)
            simplify(&s, k);
    }
    s.until += 1;
    if (whole)
        compact_all(&s);
    name_code(c->img);
}
