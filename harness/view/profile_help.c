/* What would help where lanes are lost, and how much.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each gain says how it was found:
 *   predict   the compiler's cost model of speculative reconvergence (auto_model.c), fed with this
 *             run's counts: the speed-up of the loop nest
 *   regroup   an order of threads, of the launch's block counts; no order can give more than the
 *             bound (regroup/bound.c)
 *   hoist     warp instructions that both sides execute, issued once: about, for operands are not
 *             compared
 *   slots     warp instructions now, and without those that the slots lost here make up, if all
 *             else stays: no bound, for a branch that goes takes instructions with it, and lanes
 *             that stay together lose less elsewhere */
#include "harness/view/profile.h"
#include <stdarg.h>
#include <string.h>

static void say(struct profile_help *h, const char *fmt, ...)
{
    size_t n = strlen(h->text);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(h->text + n, sizeof h->text - n, fmt, ap);
    va_end(ap);
}

static void gain(struct profile_help *h, const char *by, double x)
{
    h->by = by;
    h->gain = x;
}

/* The prediction whose place stands in this loop or in one around or inside it; PTX without .loc
 * has no places in its image, so there it is the first. */
static const struct profile_predict *predict_in(const struct profile *p,
                                                const struct profile_sums *s,
                                                const struct profile_gains *g, int l)
{
    for (; l >= 0; l = s->loop[l].parent)
        for (size_t i = 0; i < g->npredicts; i++)
            for (size_t k = 0; k < s->ninsns; k++) {
                const struct timeline_insn *x = profile_insn(p, s->insn[k].pc);
                if (x && s->insn[k].pc >= s->loop[l].first && s->insn[k].pc <= s->loop[l].end &&
                    (!x->line ||
                     (x->line == g->predict[i].line && !strcmp(x->file, g->predict[i].file))))
                    return &g->predict[i];
            }
    return NULL;
}

static void leaves_loop(const struct profile_sums *s, const struct profile_branch *b,
                        struct profile_help *h)
{
    const struct profile_loop *l = &s->loop[b->leaves];
    char name[64];
    say(h, "Lanes leave the loop of %s in different rounds: a lane makes %.1f, its warp %.1f. ",
        profile_line_name(l->at ? l->at->file : "", l->at ? l->at->line : 0, name, sizeof name),
        l->entries ? (double)l->rounds / (double)l->entries : 0.0,
        l->warp_entries ? (double)l->warp_rounds / (double)l->warp_entries : 0.0);
}

static void try_regroup(const struct profile_gains *g, struct profile_help *h)
{
    if (g->regroup > 1.01) {
        gain(h, "regroup", g->regroup);
        say(h,
            "Threads that behave alike in one warp would help (heddle regroup): x%.2f for the "
            "launch, by no order more than x%.2f.",
            g->regroup, g->bound);
    } else if (g->regroup > 0)
        say(h, "Other threads in the warp would not help: x%.2f, by no order more than x%.2f.",
            g->regroup, g->bound);
}

void profile_help(const struct profile *p, const struct profile_sums *s,
                  const struct profile_gains *g, const struct profile_branch *b,
                  struct profile_help *h)
{
    const double slots = (double)(p->all.lanes + profile_lost_all(&p->all));
    *h = (struct profile_help){ .by = "slots", .gain = slots / (slots - (double)b->lost_all) };
    const struct profile_predict *predict = predict_in(p, s, g, b->loop);
    bool exits = b->lost[LOST_EXITED] * 2 > b->lost_all;
    if (b->pc == PROF_NEVER) {
        if (b->lost[LOST_NO_THREAD] * 2 > b->lost_all)
            say(h, "The block does not fill its last warp: make its size a multiple of %u.",
                timeline_lanes(p->program));
        else
            say(h, "These lanes never ran together.");
        return;
    }
    if (b->leaves >= 0)
        leaves_loop(s, b, h);
    else if (exits)
        say(h, "Lanes end here while others go on. ");
    else
        say(h, "Its sides run one after the other. ");
    if (predict) {
        gain(h, "predict", predict->gain);
        say(h,
            "Predict where they meet again (%s at line %u: --predict auto): x%.2f expected of the "
            "loop nest.",
            predict->what, predict->line, predict->gain);
        return;
    }
    if (b->alike >= 1 && b->alike * 200 > (double)p->all.insns) {
        gain(h, "hoist", (double)p->all.insns / ((double)p->all.insns - b->alike));
        say(h,
            "Both sides execute alike instructions, %.0f in all: hoist them out of the branch: "
            "about x%.2f.",
            b->alike, h->gain);
        return;
    }
    if (exits && b->leaves < 0) {
        say(h,
            "Give the lanes that end early other work, or launch fewer threads: x%.2f with no slot "
            "lost here and all else as it is.",
            h->gain);
        return;
    }
    try_regroup(g, h);
    if (!strcmp(h->by, "slots"))
        say(h, "%sWith no slot lost here and all else as it is: x%.2f%s.",
            g->regroup > 0 ? " " : "", h->gain,
            b->leaves < 0 && !exits ? ", more if the branch itself goes" : "");
}
