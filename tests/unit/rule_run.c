/* Runs one block of assembly text on the model and writes what happened as a short text.
 * SPDX-License-Identifier: Apache-2.0 */
#include "rule_run.h"
#include "cmodel/image/asm.h"
#include <stdlib.h>
#include <string.h>

static const char prelude[] =
    ".kernel k\n.regs 32\n.shared 128\nS2R R0, SR_LANEID\nISETP.LT.U32 P0, R0, 12, PT\n"
    "ISETP.LT.U32 P1, R0, 16, PT\n";

struct log { char *out; size_t size, n; };

static void put(struct log *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct log *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (g->n && g->n < g->size)
        g->out[g->n++] = ' ';
    int k = vsnprintf(g->out + g->n, g->size - g->n, fmt, ap);
    va_end(ap);
    g->n += (size_t)k < g->size - g->n ? (size_t)k : g->size - g->n - 1;
}

static bool note(void *user, const struct hd_commit *c)
{
    struct log *g = user;
    struct hd_insn i;
    struct hd_word w;
    memcpy(w.w, c->insn, sizeof w.w);
    if (hd_decode(&w, false, &i) && i.op == OP_MOV && i.rd == HD_RZ && i.bi)
        put(g, "%c:%08x", (char)i.imm, c->exec);
    if (hd_decode(&w, false, &i) && i.op == OP_BMOVR)
        put(g, "B%u=%08x", i.bx, c->bbefore);
    if (c->gaveway)
        put(g, "gaveway");
    return true;
}

static char *with_marks(const char *text)
{
    char *s = malloc(sizeof prelude + 32 * strlen(text)), *p = s + sprintf(s, "%s", prelude);
    for (; *text; text++) {
        if (*text == '!' && (p[-1] == '\n' || p[-1] == ' '))
            p += sprintf(p, "MOV RZ, %d", *++text);
        else
            *p++ = *text == ';' ? '\n' : *text;
    }
    *p = 0;
    return s;
}

void rule_run(const char *text, unsigned threads, char *out, size_t size)
{
    static const struct launch_limits limits = {
        .warps = 8, .regs = 256, .shared_bytes = 4096, .stack_depth = 0
    };
    struct log g = { out, size, 0 };
    struct fast_run how = { .limit = 2000, .on_commit = note, .commit_user = &g };
    struct hd_launch l = { .grid = { 1, 1, 1 }, .block = { threads, 1, 1 } };
    struct hd_image *img = NULL;
    struct hd_err err = { 0 };
    struct launch k;
    char *full = with_marks(text), why[256] = "";
    out[0] = 0;
    struct model *m = fast_new(&limits);
    if (!m || hd_asm("test", full, &img, &err))
        put(&g, "%s", err.text);
    else if (launch_load(model_memory(m), img, why, sizeof why) ||
             launch_prepare(&k, model_memory(m), img, &l, &limits, why, sizeof why))
        put(&g, "%s", why);
    else if (model_load(m, k.code_base, k.code_size, img->stack_mode)) {
        model_launch(m, &k);
        enum hd_status s = fast_run(m, &how);
        if (s == HD_FAULT)
            put(&g, "fault %d", model_fault(m)->fault);
        else
            put(&g, s == HD_OK ? "end" : s == HD_DEADLOCK ? "deadlock" : "limit");
    }
    hd_image_free(img);
    model_free(m);
    free(full);
}
