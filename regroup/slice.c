/* A kernel's slice: what decides its branches, and nothing else, at the same addresses.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every control instruction is kept.  Of the others those are whose results one that is kept reads
 * (liveness that begins at control instructions).  A block still begins where it did, so that
 * tables of branches stay true and each thread executes each block as often as in the kernel; its
 * rest is skipped.  Stores to global memory go, so what is loaded from there must be what the
 * kernel does not write. */
#include "regroup/slice.h"
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

struct work {
    const struct flow *f;
    const uint64_t *root;           /* slice_roots */
    const struct live *writes;      /* slice_writes */
    struct live *in;                /* by block: what is read of what comes in */
    bool *kept;                     /* by instruction */
    bool shared, local;             /* loads from there are kept, and so are all stores */
    struct hd_err *err;
};

/* ---- registers ------------------------------------------------------------------------------ */

static bool has(const struct live *l, unsigned r) { return l->reg[r / 64] >> r % 64 & 1; }
static void put(struct live *l, unsigned r, bool on)
{
    l->reg[r / 64] = (l->reg[r / 64] & ~((uint64_t)1 << r % 64)) | (uint64_t)on << r % 64;
}

static bool wanted(const struct live *l, const struct hd_insn *i)
{
    bool any = l->pred & slice_pred(i);
    for (unsigned n = slice_written(i); n-- > 0; )
        any |= has(l, i->rd + n);
    return any;
}

/* What was live before an instruction that is kept. */
static void before(struct live *l, const struct hd_insn *i)
{
    const uint8_t reg[4] = { i->rd, i->ra, i->rb, i->rc };
    const char *operands = hd_ops[i->op].operands;
    for (unsigned n = flow_guarded(i) ? 0 : slice_written(i); n-- > 0; )
        put(l, i->rd + n, false);
    if (!flow_guarded(i))
        l->pred &= ~slice_pred(i);
    for (int k = 1; k < 4; k++)
        for (int n = reg[k] == HD_RZ || (k == 2 && i->bi) ? 0 : hd_insn_width(i, k); n-- > 0; )
            put(l, reg[k] + (unsigned)n, true);
    l->pred |= 1u << i->pg | (strchr(operands, 's') ? 1u << i->ps : 0) |
               (strchr(operands, 't') ? 1u << i->pq : 0);
    l->pred &= ~(1u << HD_PT);
}

/* ---- what is kept --------------------------------------------------------------------------- */

static bool loads(const struct hd_insn *i)
{
    return i->op == OP_LDG || i->op == OP_LDS || i->op == OP_LDL || i->op == OP_LD;
}
static bool atomic(const struct hd_insn *i)
{
    return i->op == OP_ATOMG || i->op == OP_ATOMS || i->op == OP_ATOM;
}
static bool stores(const struct hd_insn *i)
{
    return i->op == OP_STG || i->op == OP_STS || i->op == OP_STL || i->op == OP_ST || atomic(i);
}

static bool keeps(const struct work *w, const struct live *l, uint32_t at)
{
    const struct hd_insn *i = &w->f->insn[at];
    uint64_t to = stores(i) ? w->root[at] : 0;
    return hd_ops[i->op].unit == UNIT_CTL || i->pop || wanted(l, i) ||
           (w->shared && to & ROOT_SHARED) || (w->local && to & ROOT_LOCAL);
}

/* What goes from l's block to `in`: of the registers in `by`, or of all but those. */
static void merge(struct live *l, const struct live *in, const struct live *by, bool but)
{
    const uint64_t flip = but ? ~(uint64_t)0 : 0;
    for (int r = 0; r < 4; r++)
        l->reg[r] |= in->reg[r] & (by->reg[r] ^ flip);
    l->pred |= in->pred & (by->pred ^ (uint32_t)flip);
}

/* What is live at a block's end.  What a function does not write goes past it: through it,
 * it would come from all who call the function, and be kept for one by mistake for another. */
static void after(const struct work *w, uint32_t k, struct live *l)
{
    static const struct live none;
    const struct flow *f = w->f;
    const uint32_t called = slice_callee(f, k);
    *l = none;
    for (uint32_t s = 0; s < f->succ[k].n; s++) {
        const uint32_t to = f->succ[k].to[s],
                       from = to && slice_returns(f, k) ? slice_callee(f, to - 1) : f->n;
        merge(l, &w->in[to], from < f->n ? &w->writes[from] : &none, from == f->n);
    }
    if (called < f->n && k + 1 < f->n)
        merge(l, &w->in[k + 1], &w->writes[called], true);
}

/* From a block's end to its begin. */
static void back(struct work *w, uint32_t k, struct live *l)
{
    const struct flow *f = w->f;
    after(w, k, l);
    for (uint32_t i = f->first[k + 1]; i-- > f->first[k]; )
        if ((w->kept[i] = keeps(w, l, i)))
            before(l, &f->insn[i]);
}

static void settle(struct work *w)
{
    for (bool more = true; more; ) {
        more = false;
        for (uint32_t k = w->f->n; k-- > 0; ) {
            struct live now;
            if (!w->f->reached[k])
                continue;
            back(w, k, &now);
            more |= memcmp(&now, &w->in[k], sizeof now) != 0;
            w->in[k] = now;
        }
    }
}

/* Loads from shared and local memory make its stores wanted, which may make other loads so. */
static void find_kept(struct work *w)
{
    for (bool more = true; more; ) {
        const bool shared = w->shared, local = w->local;
        settle(w);
        for (uint32_t i = 0; i < w->f->insns; i++)
            if (w->kept[i] && loads(&w->f->insn[i])) {
                w->shared |= (w->root[i] & ROOT_SHARED) != 0;
                w->local |= (w->root[i] & ROOT_LOCAL) != 0;
            }
        more = w->shared != shared || w->local != local;
    }
}

/* ---- refusals ------------------------------------------------------------------------------- */

void slice_place(const struct hd_image *img, uint32_t pc, char *text, size_t size)
{
    const char *file = "", *fn = hd_image_func(img, pc, &(uint32_t){ 0 });
    unsigned line = 0;
    hd_image_line(img, pc, &file, &line);
    const char *slash = strrchr(file, '/');
    if (line)
        snprintf(text, size, "%s:%u", slash ? slash + 1 : file, line);
    else
        snprintf(text, size, "%s, PC 0x%x", fn ? fn : "code", pc);
}

static bool refuse(struct work *w, uint32_t at, const char *why, const char *where)
{
    char place[256];
    slice_place(w->f->img, at * HD_INSN_BYTES, place, sizeof place);
    hd_err_set(w->err, 2, "%s: no slice: %s%s", place, why, where);
    return false;
}

static bool reads_clock(const struct hd_insn *i)
{
    return i->op == OP_S2R && (i->imm == SREG_CLOCKLO || i->imm == SREG_CLOCKHI);
}

/* Does what `at` loads come from where `store` may write? */
static bool meets(const struct work *w, uint32_t at, uint32_t store)
{
    const uint64_t globals = ROOT_BUFFERS | ROOT_GLOBALS | ROOT_ANY;
    uint64_t from = w->root[at] & globals,
             to = stores(&w->f->insn[store]) ? w->root[store] & globals : 0;
    return from && to && ((from & to) || (from | to) & ROOT_ANY);
}

static bool check_load(struct work *w, uint32_t at)
{
    char where[256];
    for (uint32_t k = 0; k < w->f->n; k++)
        for (uint32_t i = w->f->first[k]; i < w->f->first[k + 1] && w->f->reached[k]; i++)
            if (meets(w, at, i)) {
                slice_place(w->f->img, i * HD_INSN_BYTES, where, sizeof where);
                return refuse(w, at,
                              "what is loaded here decides branches, and may be written by the "
                              "kernel: ",
                              where);
            }
    return true;
}

static bool check(struct work *w)
{
    for (uint32_t i = 0; i < w->f->insns; i++) {
        const struct hd_insn *in = &w->f->insn[i];
        if (!w->kept[i])
            continue;
        if (hd_ops[in->op].flags & F_LANES)
            return refuse(w, i, "other lanes of the warp decide branches", "");
        if (atomic(in) && (in->rd != HD_RZ || !(w->root[i] & (ROOT_SHARED | ROOT_LOCAL))))
            return refuse(w, i, "the order in which atomics arrive decides branches", "");
        if (reads_clock(in))
            return refuse(w, i, "the clock decides branches", "");
        if (loads(in) && !check_load(w, i))
            return false;
    }
    return true;
}

/* ---- the code ------------------------------------------------------------------------------- */

static void write_insn(struct hd_image *img, uint32_t at, const struct hd_insn *i)
{
    struct hd_word w = hd_encode(i);
    memcpy(img->text + (size_t)at * HD_INSN_BYTES, &w, sizeof w);
}

/* Control never goes on after it. */
static bool ends(const struct hd_insn *i)
{
    return !flow_guarded(i) && (i->op == OP_BRA || i->op == OP_BRX || i->op == OP_EXIT ||
                                i->op == OP_RET || i->op == OP_RETT);
}

/* Lanes may part or meet after it. */
static bool parts(const struct flow *f, uint32_t at)
{
    return hd_ops[f->insn[at].op].unit == UNIT_CTL || f->insn[at].pop;
}

/* What is kept of a block goes to its begin, and a branch over the rest: to the last instruction,
 * which stays where it is if lanes may part or meet there, for after it a block begins.  place: by
 * instruction, where it is now.  Returns how many are executed. */
static uint32_t close_up(struct hd_image *img, const struct work *w, uint32_t k, uint32_t *place)
{
    const uint32_t from = w->f->first[k], end = w->f->first[k + 1];
    const bool stays = parts(w->f, end - 1), moves = stays && ends(&w->f->insn[end - 1]);
    const uint32_t rest = stays && !moves ? end - 1 : end;
    const struct hd_insn nop = hd_insn_make(OP_NOP);
    struct hd_insn over = hd_insn_make(OP_BRA);
    uint32_t to = from;
    for (uint32_t i = from; i < rest; i++)
        if (w->kept[i]) {
            memmove(img->text + (size_t)to * HD_INSN_BYTES, img->text + (size_t)i * HD_INSN_BYTES,
                    HD_INSN_BYTES);
            place[i] = to++;
        }
    place[end - 1] = rest < end ? end - 1 : place[end - 1];
    const uint32_t executed = to - from + (end - rest), gap = rest - to;
    for (uint32_t i = to; i < rest; i++)
        write_insn(img, i, &nop);
    over.imm = rest * HD_INSN_BYTES;
    if (gap && !moves && rest < w->f->insns)
        write_insn(img, to, &over);
    return executed + (gap && !moves);
}

/* Immediates that are variables' addresses go with their instructions. */
static void move_relocs(struct hd_image *img, const bool *kept, const uint32_t *place)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < img->nrelocs; r++) {
        struct hd_reloc y = img->relocs[r];
        uint32_t at = y.off / HD_INSN_BYTES;
        if (y.section == HD_SEC_TEXT && !kept[at])
            continue;
        if (y.section == HD_SEC_TEXT)
            y.off = place[at] * HD_INSN_BYTES;
        img->relocs[n++] = y;
    }
    img->nrelocs = n;
}

static struct hd_image *copy(const struct hd_image *img, struct hd_err *err)
{
    uint8_t *bytes = NULL;
    size_t n = 0;
    hd_image_save(img, &bytes, &n);
    struct hd_image *out = bytes ? hd_image_parse("slice", bytes, n, err) : NULL;
    free(bytes);
    return out;
}

static bool make(struct slice *s, struct work *w, struct hd_err *err)
{
    const struct flow *f = w->f;
    uint32_t *place = calloc((size_t)f->insns + 1, sizeof *place);
    s->image = copy(f->img, err);
    s->pc = calloc((size_t)f->n + 1, sizeof *s->pc);
    s->insns = calloc((size_t)f->n + 1, sizeof *s->insns);
    s->executed = calloc((size_t)f->n + 1, sizeof *s->executed);
    bool ok = place && s->image && s->pc && s->insns && s->executed;
    s->nblocks = ok ? f->n : 0;
    for (uint32_t k = 0; k < s->nblocks; k++) {
        s->pc[k] = f->first[k] * HD_INSN_BYTES;
        s->insns[k] = f->first[k + 1] - f->first[k];
        for (uint32_t i = f->first[k]; i < f->first[k + 1]; i++) {
            w->kept[i] |= !f->reached[k];
            s->all += f->reached[k];
            s->kept += f->reached[k] && w->kept[i];
        }
        s->executed[k] = close_up(s->image, w, k, place);
    }
    if (ok)
        move_relocs(s->image, w->kept, place);
    free(place);
    return ok;
}

void slice_free(struct slice *s)
{
    hd_image_free(s->image);
    free(s->pc);
    free(s->insns);
    free(s->executed);
    *s = (struct slice){ 0 };
}

bool slice_make(struct slice *s, const struct hd_image *img, const struct hd_kernel *kernel,
                const struct slice_launch *l, struct hd_err *err)
{
    struct flow f;
    struct work w = { .f = &f, .err = err };
    *s = (struct slice){ 0 };
    bool room = flow_make(&f, img, kernel), ok = false;
    uint64_t *root = room ? slice_roots(&f, kernel, l) : NULL;
    struct live *writes = room ? slice_writes(&f) : NULL;
    w.root = root;
    w.writes = writes;
    w.in = calloc((size_t)f.n + 1, sizeof *w.in);
    w.kept = calloc((size_t)f.insns + 1, sizeof *w.kept);
    if (root && writes && w.in && w.kept) {
        find_kept(&w);
        ok = check(&w) && make(s, &w, err);
    }
    if (!ok)
        hd_err_set(err, 4, "no memory for a slice");
    free(root);
    free(writes);
    free(w.in);
    free(w.kept);
    flow_free(&f);
    if (!ok)
        slice_free(s);
    return ok;
}
