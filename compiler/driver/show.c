/* What the analyses found, printed: --show=cfg,dom,loops,uniform,barriers,stack, those of
 * predict_show.c, and dot.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "compiler/predict.h"

bool show_wants(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; p && *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (!strncmp(p, name, n) && (p[n] == ',' || !p[n])) return true;
    return false;
}

static const char *pseudo_name(enum pop op)
{
    static const char *const name[] = { "BSSY",   "BSYNC", "BREAK",    "end of", "BMOV.R",
                                        "BMOV.B", "YIELD", "WARPSYNC", "SSY",    "NOP.S" };
    if (op == P_EXIT) return "exit";            /* may be spelled as a branch to the end */
    return op >= P_BSSY && op < P_COUNT ? name[op - P_BSSY] : NULL;
}

static void block_list(FILE *out, const char *what, struct blk *const *list, int n)
{
    fprintf(out, "%s", what);
    for (int k = 0; k < n; k++) {
        fputc(' ', out);
        show_block(out, list[k]);
    }
    if (!n) fputs(" none", out);
}

static void instruction(FILE *out, const struct fn *f, const struct ins *i)
{
    const char *name = pseudo_name(i->op);
    if (i->guard >= 0) fprintf(out, "@%s%s ", i->guard_neg ? "!" : "", f->regs[i->guard].name);
    if (name && i->vb >= 0) fprintf(out, "%s b%d", name, i->vb);
    else fputs(name ? name : ins_name(f->m, i), out);
    if (i->op == P_BSSY || i->op == P_SSY || i->op == P_POP || i->op == P_BRA) {
        fputc(' ', out);
        show_block(out, i->targets[0]);
    }
    if (i->op == P_PRAGMA) fprintf(out, " \"%s\"", i->text);
    if (i->sline) fprintf(out, "   // line %d", i->sline);
    fputc('\n', out);
}

static void show_cfg(const struct fn *f, FILE *out)
{
    for (int k = 0; k < f->nblocks; k++) {
        const struct blk *b = f->blocks[k];
        int n = 0;
        for (const struct ins *i = b->first; i; i = i->next) n++;
        fputs("  ", out);
        show_block(out, b);
        fprintf(out, ": %d instructions,", n);
        block_list(out, " to", b->succ, b->nsucc);
        block_list(out, ", from", b->pred, b->npred);
        fputc('\n', out);
    }
}

static void show_dom(const struct fn *f, FILE *out)
{
    for (int k = 0; k < f->nblocks; k++) {
        fputs("  ", out);
        show_block(out, f->blocks[k]);
        fputs(": dominated by ", out);
        if (f->blocks[k]->idom) show_block(out, f->blocks[k]->idom); else fputs("none", out);
        fputs(", post-dominated by ", out);
        show_block(out, f->blocks[k]->ipdom);
        fputc('\n', out);
    }
}

static void show_loops(const struct fn *f, FILE *out)
{
    for (int k = 0; k < f->nloops; k++) {
        const struct loop *l = f->loops[k];
        fputs("  loop of ", out);
        show_block(out, l->header);
        fprintf(out, ": depth %d%s%s,", l->depth, l->irreducible ? ", irreducible" : "",
                l->may_wait ? ", may wait" : "");
        block_list(out, " blocks", l->blocks, l->nblocks);
        fputc('\n', out);
    }
    if (!f->nloops) fputs("  no loops\n", out);
}

static void show_uniform(const struct fn *f, FILE *out)
{
    int n = 0;
    for (int k = 0; k < f->nblocks; k++) {
        const struct blk *b = f->blocks[k];
        if (b->nsucc < 2) continue;
        fputs("  ", out);
        show_block(out, b);
        fputs(b->divergent ? ": divergent, " : ": uniform, ", out);
        instruction(out, f, b->last);
    }
    fputs("  uniform registers:", out);
    for (int r = 0; r < f->nregs; r++)
        if (f->reg_divergent && f->regs[r].name && !f->reg_divergent[r]) {
            if (n++ % 16 == 15) fputs("\n   ", out);
            fprintf(out, " %s", f->regs[r].name);
        }
    fputc('\n', out);
}

static bool worth_showing(const struct blk *b, const struct ins *i)
{
    return i->op >= P_BSSY || i->op == P_BAR || i->op == P_BARRED || i->op == P_PRAGMA ||
           i->op == P_CALL || i == blk_terminator(b);
}

static void show_barriers(const struct fn *f, FILE *out)
{
    for (int k = 0; k < f->nblocks; k++) {
        const struct blk *b = f->blocks[k];
        fputs("  ", out);
        show_block(out, b);
        fputs(":\n", out);
        for (const struct ins *i = b->first; i; i = i->next)
            if (worth_showing(b, i)) fputs("      ", out), instruction(out, f, i);
    }
}

static void show_stack(const struct fn *f, FILE *out)
{
    stack_show(f, out);
}

/* Text inside a dot label: lines end at the left. */
static void dot_block(const struct fn *f, const struct blk *b, FILE *out)
{
    fprintf(out, "  B%d [shape=box,fontname=monospace,label=\"B%d %s\\l", b->id, b->id,
            b->label ? b->label : "");
    for (const struct ins *i = b->first; i; i = i->next) {
        const char *name = pseudo_name(i->op);
        if (!worth_showing(b, i)) continue;
        if (i->guard >= 0) fprintf(out, "@%s%s ", i->guard_neg ? "!" : "", f->regs[i->guard].name);
        if (name && i->vb >= 0) fprintf(out, "%s b%d\\l", name, i->vb);
        else if (i->op == P_PRAGMA) fprintf(out, "%s\\l", i->text);
        else fprintf(out, "%s\\l", name ? name : ins_name(f->m, i));
    }
    fprintf(out, "\"%s];\n", b->divergent ? ",style=filled,fillcolor=lightsalmon" : "");
    for (int s = 0; s < b->nsucc; s++)
        fprintf(out, "  B%d -> B%d%s;\n", b->id, b->succ[s]->id,
                b->succ[s]->rpo <= b->rpo ? " [style=dashed]" : "");
}

static void show_dot(const struct fn *f, FILE *out)
{
    fprintf(out, "digraph \"%s\" {\n", f->name);
    for (int k = 0; k < f->nblocks; k++) dot_block(f, f->blocks[k], out);
    fputs("}\n", out);
}

static const struct { const char *name; void (*print)(const struct fn *, FILE *); } part[] = {
    { "cfg", show_cfg },
    { "dom", show_dom },
    { "loops", show_loops },
    { "uniform", show_uniform },
    { "barriers", show_barriers },
    { "stack", show_stack },
    { "predict", predict_show },
    { "region", predict_show_region },
    { "joined", predict_show_joined },
    { "live", predict_show_live },
    { "conflicts", predict_show_conflicts },
    { "dot", NULL },        /* those without a function come elsewhere, or without a heading */
    { "ptx", NULL },
    { "access", NULL },
};
enum { PARTS = sizeof part / sizeof *part };

const char *show_unknown(const char *list)
{
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        size_t n = strcspn(p, ",");
        int k = 0;
        while (k < PARTS && (strlen(part[k].name) != n || strncmp(part[k].name, p, n))) k++;
        if (k == PARTS) return p;
    }
    return NULL;
}

void show_fn(struct fn *f, const char *what, FILE *out)
{
    for (int k = 0; k < PARTS; k++)
        if (part[k].print && show_wants(what, part[k].name)) {
            fprintf(out, "%s: %s\n", f->name, part[k].name);
            part[k].print(f, out);
        }
    if (show_wants(what, "dot")) show_dot(f, out);
}
