/* Which lanes wait for which: the state of every warp when nothing changes any more, or a limit was
 * reached.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/report.h"
#include "cmodel/base/counted.h"
#include "cmodel/isa/waits.h"
#include <string.h>

static void place(const hd_device *d, uint32_t pc, FILE *out)
{
    char source[160];
    report_source(d, pc, source, sizeof source);
    fprintf(out, source[0] ? "PC 0x%x (%s)" : "PC 0x%x", pc, source);
}

/* What a warp that loops reads: one round of its loop in the model, which changes nothing. */
static void watched(hd_device *d, unsigned slot, FILE *out)
{
    enum { TURN = 10000, MOST = 4 };
    struct hd_commit c;
    struct warp_view v;
    uint64_t seen[MOST];
    uint32_t pc = 0, active = 0;
    unsigned n = 0;
    model_view(d->model, slot, &v);
    for (unsigned i = 0; i < TURN && (i == 0 || v.pc != pc || v.active != active); i++) {
        if (i == 0)
            pc = v.pc, active = v.active;
        if (model_step(d->model, slot, &c, NULL) != STEP_OK)
            break;
        for (uint32_t m = c.mem == 1 || c.mem == 3 ? c.exec : 0; m && n < MOST; m &= m - 1) {
            uint64_t addr = c.addr[__builtin_ctz(m)];
            unsigned k = 0;
            while (k < n && seen[k] != addr)
                k++;
            if (k < n || c.space > SPACE_SHARED)
                continue;
            fprintf(out, "%s %s0x%llx", n ? " and" : ", reading",
                    c.space == SPACE_SHARED ? "shared " : "", (unsigned long long)addr);
            seen[n++] = addr;
        }
        model_view(d->model, slot, &v);
    }
}

static bool in_tokens(const struct warp_view *v)
{
    bool any = false;
    for (unsigned l = 0; l < HD_LANES; l++)
        any |= wait_in_token(v->wait[l]);
    return any;
}

void noprogress_reason(hd_device *d, const struct warp_view *v, unsigned slot, unsigned lane,
                       FILE *out)
{
    unsigned w = v->wait[lane];
    if (v->spins && w == HD_WAIT_NONE) {
        fprintf(out, "spin forever, from ");
        place(d, v->loop[0], out);
        fprintf(out, " to ");
        place(d, v->loop[1], out);
        watched(d, slot, out);
        return;
    }
    if ((w & 0x30) == HD_WAIT_BARRIER && w < HD_WAIT_BLOCK) {
        unsigned b = w & 15;
        fprintf(out, "wait at BSYNC B%u for lanes %08x", b,
                v->barrier[b] & ~v->arrived[b] & v->live);
    } else if (w >= HD_WAIT_BLOCK && w < HD_WAIT_EXITED) {
        unsigned b = w & 15;
        char src[160];                       /* of the barrier itself: they go on after it */
        report_source(d, v->npc[lane] - HD_INSN_BYTES, src, sizeof src);
        fprintf(out, "wait at block barrier %u%s%s: %u %s there, %u %s needed", b,
                src[0] ? " of " : "", src, v->there[b],
                BY_COUNT(v->there[b], "lane is", "lanes are"), v->needed[b],
                BY_COUNT(v->needed[b], "is", "are"));
        if (v->needed[b] > v->block_live)
            fprintf(out, "; %u of the block's lanes %s", v->block_live,
                    BY_COUNT(v->block_live, "lives", "live"));
    } else if (w == HD_WAIT_WARPSYNC) {
        uint32_t at = 0;
        for (unsigned l = 0; l < HD_LANES; l++)
            at |= (uint32_t)(v->wait[l] == HD_WAIT_WARPSYNC) << l;
        fprintf(out, "wait at WARPSYNC for lanes %08x", v->sync[lane] & v->live & ~at);
        if (in_tokens(v))
            fprintf(out, ": the mask of a collective or __syncwarp names lanes on another side of "
                         "a branch, and a stack runs one side at a time (barrier mode runs both)");
    } else if (w == HD_WAIT_STACK) {
        static const char *const token[] = { "no", "a SYNC", "a DIV", "a CALL" };
        fprintf(out, "are in %s token", token[v->token[lane]]);
    } else
        fprintf(out, "%s", w == HD_WAIT_READY   ? "are ready"
                           : w == HD_WAIT_YIELD ? "have yielded"
                           : w == HD_WAIT_NONE  ? "run"
                                                : wait_form(w)->words);
}

static bool same(const struct warp_view *v, unsigned a, unsigned b)
{
    return v->npc[a] == v->npc[b] && v->wait[a] == v->wait[b] &&
           v->token[a] == v->token[b] &&
           (v->wait[a] != HD_WAIT_WARPSYNC || v->sync[a] == v->sync[b]);
}

unsigned noprogress_groups(const struct warp_view *v, uint32_t group[HD_LANES])
{
    uint32_t done = ~v->live;
    unsigned n = 0;
    for (unsigned l = 0; l < HD_LANES; l++) {
        if (done >> l & 1)
            continue;
        uint32_t m = 0;
        for (unsigned k = l; k < HD_LANES; k++)
            if ((v->live >> k & 1) && same(v, l, k))
                m |= 1u << k;
        done |= m;
        group[n++] = m;
    }
    return n;
}

#define ONE_SIDE " (a stack runs one side at a time, barrier mode runs both)"

const char *noprogress_warp(const struct warp_view *v)
{
    return v->deadlocked ? ": no other warp can help it"
         : v->spins && in_tokens(v)
             ? ": spins, and its lanes in tokens never get their turn" ONE_SIDE
         : v->spins ? ": spins"
         : v->runs && in_tokens(v)
             ? ": runs, and its lanes in tokens have no turn before that ends" ONE_SIDE
         : v->runs ? ": runs" : ": waits";
}

/* One line for each group of lanes that stand at one place for one reason. */
static void warp_lines(hd_device *d, const struct warp_view *v, unsigned slot, FILE *out)
{
    uint32_t group[HD_LANES];
    unsigned n = noprogress_groups(v, group);
    fprintf(out, "  block %u warp %u (slot %u)%s\n", v->block, v->warp, slot, noprogress_warp(v));
    for (unsigned i = 0; i < n; i++) {
        unsigned l = (unsigned)__builtin_ctz(group[i]);
        fprintf(out, "    lanes %08x at ", group[i]);
        place(d, v->npc[l], out);
        fputc(' ', out);
        noprogress_reason(d, v, slot, l, out);
        fputc('\n', out);
    }
}

void noprogress_write(hd_device *d, FILE *out)
{
    struct warp_view v;
    unsigned shown = 0;
    if (!d->model)
        return;
    if (d->verdict.trouble == HD_TROUBLE_HANG)
        fprintf(out, "not the program's: the model can continue from here; its state:\n");
    if (d->status == HD_DEADLOCK)
        fprintf(out, "deadlock of the program: %s%s\n",
                !fast_spins(d->model) ? "no warp can ever run again"
                : "every warp that runs loops forever: its state repeats, and memory does "
                  "not change",
                d->history ? " (RTL and model agree)" : "");
    for (unsigned s = 0; s < d->limits.warps && shown < 8; s++) {
        model_view(d->model, s, &v);
        if (v.used) {
            warp_lines(d, &v, s, out);
            shown++;
        }
    }
    if (shown == 8)
        fprintf(out, "  and more warps\n");
    int slot;
    uint64_t unstarted = model_unstarted(d->model, &slot);
    if (unstarted)
        fprintf(out, "  %llu %s not started%s\n", (unsigned long long)unstarted,
                BY_COUNT(unstarted, "block has", "blocks have"),
                slot < 0 ? ": every block slot is taken" : "");
    if (d->verdict.trouble == HD_TROUBLE_HANG && d->rtl)
        axi_explain(d->rtl->mem, d->rtl->start, out);
}
