/* What the passes of speculative reconvergence found, printed:
 * --show=predict,region,joined,live,conflicts.
 * SPDX-License-Identifier: Apache-2.0
 *
 * `joined` and `live` are equations 1 and 2 of paper A on the finished code, as its section 4.2.1
 * states them: without RejoinBarrier and CancelBarrier. */
#include "compiler/predict.h"
#include "cmodel/base/counted.h"

static void heading(FILE *out, const struct prediction *p)
{
    fprintf(out, "  %s, b%d:", p->name, p->vb);
}

static void blocks(FILE *out, const char *what, struct blk *const *list, int n)
{
    fputs(what, out);
    for (int k = 0; k < n; k++) fputc(' ', out), show_block(out, list[k]);
}

static void flagged(FILE *out, const struct fn *f, const char *what, const bool *on)
{
    bool any = false;
    fputs(what, out);
    for (int k = 0; k < f->nblocks; k++)
        if (on[k]) any = true, fputc(' ', out), show_block(out, f->blocks[k]);
    fputs(any ? "" : " nowhere", out);
}

void predict_show(const struct fn *f, FILE *out)
{
    for (int k = 0; k < f->npredictions; k++) {
        const struct prediction *p = &f->predictions[k];
        heading(out, p);
        blocks(out, " joins in", p->starts, p->nstarts);
        blocks(out, ", waits in", p->points, p->npoints);
        fputs(p->threshold ? "" : ", for all lanes", out);
        if (p->threshold) fprintf(out, ", for more than %d %s", COUNTED(p->threshold, "lane"));
        if (p->exit >= 0) fprintf(out, "; after the region b%d", p->exit);
        fputc('\n', out);
    }
    if (!f->npredictions) fputs("  no predictions\n", out);
}

void predict_show_region(const struct fn *f, FILE *out)
{
    for (int k = 0; k < f->npredictions; k++) {
        heading(out, &f->predictions[k]);
        flagged(out, f, " region", predict_region(f, &f->predictions[k]));
        fputc('\n', out);
    }
}

static void show_flags(const struct fn *f, FILE *out,
                       struct flags (*analyse)(const struct fn *, int))
{
    for (int vb = 0; vb < f->nvb; vb++) {
        const struct flags x = analyse(f, vb);
        fprintf(out, "  b%d:", vb);
        flagged(out, f, " in", x.in);
        flagged(out, f, ", out", x.out);
        fputc('\n', out);
    }
}

static struct flags joined(const struct fn *f, int vb)
{
    return predict_joined(f, vb, false, NULL);
}

void predict_show_joined(const struct fn *f, FILE *out) { show_flags(f, out, joined); }
void predict_show_live(const struct fn *f, FILE *out) { show_flags(f, out, predict_live); }

void predict_show_conflicts(const struct fn *f, FILE *out)
{
    for (int k = 0; k < f->npredictions; k++) {
        const struct prediction *p = &f->predictions[k];
        for (int c = 0; c < p->nconflicts; c++) {
            heading(out, p);
            fprintf(out, " conflicts with b%d, which %s\n", p->conflicts[c].vb,
                    p->conflicts[c].deleted ? "is deleted" : "lanes leave before they wait");
        }
        if (!p->nconflicts) heading(out, p), fputs(" no conflicts\n", out);
    }
}
