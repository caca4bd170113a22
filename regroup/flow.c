/* Control flow of machine code: where a lane may go on.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Calls and returns are followed without their callers: a return leads behind every call of its
 * function. */
#include "regroup/flow.h"
#include "cmodel/fast/bbv.h"
#include <stdlib.h>
#include <string.h>

/* fn: by block, the symbol that holds it; -1: none. */
struct making { struct flow *f; int32_t *fn; bool lost; };

static int32_t holder(const struct hd_image *img, uint32_t pc)
{
    for (uint32_t s = 0; s < img->nsyms; s++)
        if (img->syms[s].section == HD_SEC_TEXT && img->syms[s].func &&
            pc - img->syms[s].value < img->syms[s].size)
            return (int32_t)s;
    return -1;
}

/* The block that begins at pc; n: none does. */
static uint32_t block_at(const struct flow *f, uint32_t pc)
{
    uint32_t lo = 0, hi = f->n;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (f->first[mid] * HD_INSN_BYTES < pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < f->n && f->first[lo] * HD_INSN_BYTES == pc ? lo : f->n;
}

static void add(struct making *m, uint32_t from, uint32_t to)
{
    struct flow *f = m->f;
    if (to >= f->n || m->lost)
        return;
    for (uint32_t k = 0; k < f->succ[from].n; k++)
        if (f->succ[from].to[k] == to)
            return;
    if (f->succ[from].n == f->succ[from].room) {
        uint32_t room = 2 * f->succ[from].room + 2,
                 *more = realloc(f->succ[from].to, room * sizeof *more);
        if (!more) {
            m->lost = true;
            return;
        }
        f->succ[from].to = more;
        f->succ[from].room = room;
    }
    f->succ[from].to[f->succ[from].n++] = to;
}

static const struct hd_insn *last(const struct flow *f, uint32_t k)
{
    return &f->insn[f->first[k + 1] - 1];
}

static bool calls_any(const struct hd_insn *i) { return i->op == OP_CALLR || i->op == OP_CALR; }

/* Behind every call that may have led to block k's function. */
static void add_returns(struct making *m, uint32_t k)
{
    const struct flow *f = m->f;
    for (uint32_t j = 0; j < f->n; j++) {
        const struct hd_insn *i = last(f, j);
        bool direct = i->op == OP_CALL || i->op == OP_CAL;
        uint32_t to = direct ? block_at(f, i->imm) : f->n;
        if (calls_any(i) || (direct && (m->fn[k] < 0 || to == f->n || m->fn[to] == m->fn[k])))
            add(m, k, j + 1);
    }
}

/* Every block of k's function, where that is known. */
static void add_function(struct making *m, uint32_t k)
{
    for (uint32_t j = 0; j < m->f->n; j++)
        if (m->fn[k] < 0 || m->fn[j] == m->fn[k])
            add(m, k, j);
}

static void add_functions(struct making *m, uint32_t k)
{
    const struct hd_image *img = m->f->img;
    for (uint32_t s = 0; s < img->nsyms; s++)
        if (img->syms[s].section == HD_SEC_TEXT)
            add(m, k, block_at(m->f, img->syms[s].value));
}

/* Where tokens that `.S` pops lead, but for those whose branch leads there. */
static void add_tokens(struct making *m, uint32_t k)
{
    for (uint32_t i = 0; i < m->f->insns; i++)
        if (m->f->insn[i].op == OP_SSY) {
            uint32_t to = block_at(m->f, m->f->insn[i].imm);
            if (to < m->f->n && m->fn[to] == m->fn[k])
                add(m, k, to);
        }
}

static void find_successors(struct making *m, uint32_t k)
{
    const struct hd_insn *i = last(m->f, k);
    bool on = flow_guarded(i);
    switch (i->op) {
    case OP_BRA: add(m, k, block_at(m->f, i->imm)); break;
    case OP_CALL: case OP_CAL: add(m, k, block_at(m->f, i->imm)); break;
    case OP_BRX: add_function(m, k); break;
    case OP_CALLR: case OP_CALR: add_functions(m, k); break;
    case OP_RET: case OP_RETT: add_returns(m, k); break;
    case OP_EXIT: case OP_TRAP: break;
    default: on = true;
    }
    if (on)
        add(m, k, k + 1);
    if (i->pop)
        add_tokens(m, k);
}

static void reach(struct flow *f, uint32_t *todo, uint32_t from)
{
    uint32_t n = 0;
    if (from < f->n) {
        todo[n++] = from;
        f->reached[from] = true;
    }
    while (n) {
        uint32_t k = todo[--n];
        for (uint32_t s = 0; s < f->succ[k].n; s++) {
            uint32_t to = f->succ[k].to[s];
            if (!f->reached[to])
                todo[n++] = to;
            f->reached[to] = true;
        }
    }
}

static void decode(struct flow *f)
{
    for (uint32_t i = 0; i < f->insns; i++) {
        struct hd_word w;
        memcpy(w.w, f->img->text + (size_t)i * HD_INSN_BYTES, sizeof w.w);
        if (!hd_decode(&w, f->img->stack_mode, &f->insn[i]))
            f->insn[i] = hd_insn_make(OP_TRAP);
    }
}

void flow_free(struct flow *f)
{
    for (uint32_t k = 0; f->succ && k < f->n; k++)
        free(f->succ[k].to);
    free(f->succ);
    free(f->first);
    free(f->insn);
    free(f->reached);
    *f = (struct flow){ 0 };
}

bool flow_make(struct flow *f, const struct hd_image *img, const struct hd_kernel *kernel)
{
    *f = (struct flow){ .img = img, .insns = img->text_size / HD_INSN_BYTES };
    uint32_t *entry = bbv_entries(img, &f->n);
    f->first = calloc((size_t)f->n + 1, sizeof *f->first);
    f->insn = calloc((size_t)f->insns + 1, sizeof *f->insn);
    f->succ = calloc((size_t)f->n + 1, sizeof *f->succ);
    f->reached = calloc((size_t)f->n + 1, sizeof *f->reached);
    uint32_t *todo = calloc((size_t)f->n + 1, sizeof *todo);
    struct making m = { f, calloc((size_t)f->n + 1, sizeof *m.fn), false };
    bool ok = entry && f->first && f->insn && f->succ && f->reached && todo && m.fn;
    if (ok) {
        for (uint32_t k = 0; k < f->n; k++) {
            f->first[k] = entry[k] / HD_INSN_BYTES;
            m.fn[k] = holder(img, entry[k]);
        }
        f->first[f->n] = f->insns;
        decode(f);
        for (uint32_t k = 0; k < f->n; k++)
            find_successors(&m, k);
        reach(f, todo, block_at(f, kernel->entry));
    }
    free(entry);
    free(todo);
    free(m.fn);
    if (!ok || m.lost)
        flow_free(f);
    return ok && !m.lost;
}
