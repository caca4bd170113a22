/* The disassembler: every text that it writes assembles to the same bytes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What has no text of its own (an illegal word, data) is written as numbers. */
#include "cmodel/image/asm.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- one instruction ------------------------------------------------------------------------ */

struct text { char *p; size_t n, len; };

__attribute__((format(printf, 2, 3)))
static void put(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    size_t room = t->len < t->n ? t->n - t->len : 0;
    int n = vsnprintf(room ? t->p + t->len : NULL, room, fmt, ap);
    va_end(ap);
    t->len += n > 0 ? (size_t)n : 0;
}

static void put_reg(struct text *t, char letter, unsigned v, unsigned last, char last_name)
{
    if (v == last)
        put(t, "%c%c", letter, last_name);
    else
        put(t, "%c%u", letter, v);
}

/* As a float where it reads well and is exact, else in hexadecimal. */
static void put_float(struct text *t, uint32_t bits)
{
    char s[32];
    float f;
    memcpy(&f, &bits, 4);
    snprintf(s, sizeof s, "%.7g", f);
    float back = strtof(s, NULL);
    if (!isfinite(f) || memcmp(&back, &f, 4))
        put(t, "0x%" PRIx32, bits);
    else
        put(t, "%s%s", s, strpbrk(s, ".e") ? "" : ".0");
}

static void put_source(struct text *t, const struct hd_insn *in, char kind, const char *sym)
{
    int which = strchr("aA", kind) ? 0 : strchr("cCV", kind) ? 2 : 1;
    bool imm = which == 1 && in->bi;
    bool neg = which == 0 ? in->na : which == 1 ? in->nb : in->nc;
    bool abs = which == 0 ? in->aa : which == 1 && in->ab, group = imm && !in->cb && neg && !abs;
    put(t, "%s%s", neg ? "-" : "", abs ? "|" : group ? "(" : "");
    if (!imm)
        put_reg(t, 'R', which == 0 ? in->ra : which == 1 ? in->rb : in->rc, HD_RZ, 'Z');
    else if (sym)
        put(t, "&%s", sym);
    else if (in->cb)
        put(t, "c[0x%" PRIx32 "]", in->imm);
    else if (kind == 'B' && (int32_t)in->imm < 0)
        put(t, "-0x%" PRIx32, 0u - in->imm);
    else if (hd_ops[in->op].unit == UNIT_FPU)
        put_float(t, in->imm);
    else
        put(t, "0x%" PRIx32, in->imm);
    put(t, "%s", abs ? "|" : group ? ")" : "");
}

static void put_operand(struct text *t, const struct hd_insn *in, char kind, const char *sym,
                        hd_label_fn *label, void *user)
{
    char name[300];
    switch (kind) {
    case 'd': case 'D': case 'Q': put_reg(t, 'R', in->rd, HD_RZ, 'Z'); break;
    case 'p': put_reg(t, 'P', in->pd, HD_PT, 'T'); break;
    case 't': put_reg(t, 'P', in->pq, HD_PT, 'T'); break;
    case 's': put(t, "%s", in->sn ? "!" : ""), put_reg(t, 'P', in->ps, HD_PT, 'T'); break;
    case 'x': put(t, in->op == OP_BAR ? "%u" : "B%u", in->bx); break;
    case 'l': put(t, "0x%02x", in->lut); break;
    case 'z': put(t, "%s", hd_sreg_names[in->imm]); break;
    case 'm': case 'n':
        put(t, "["), put_reg(t, 'R', in->ra, HD_RZ, 'Z');
        if (in->off)
            put(t, "%c0x%x", in->off < 0 ? '-' : '+', (unsigned)abs(in->off));
        put(t, "]");
        break;
    case '@':
        if (label && label(user, in->imm, name, sizeof name))
            put(t, "%s", name);
        else
            put(t, "0x%" PRIx32, in->imm);
        break;
    default: put_source(t, in, kind, sym);
    }
}

/* sym: what a relocation puts in place of the immediate, or NULL. */
static size_t put_insn(struct text *t, const struct hd_insn *in, const char *sym,
                       hd_label_fn *label, void *user)
{
    const struct hd_op_info *o = &hd_ops[in->op];
    if (in->pg != HD_PT || in->pn) {
        put(t, "@%s", in->pn ? "!" : ""), put_reg(t, 'P', in->pg, HD_PT, 'T');
        put(t, " ");
    }
    put(t, "%s", o->mnemonic);
    for (int i = 0; i < o->nmods; i++) {
        const struct hd_mod_info *m = &hd_mods[o->mod[i]];
        const char *value = m->value[((const uint8_t *)in)[m->offset]];
        put(t, "%s%s", *value ? "." : "", value);
    }
    put(t, "%s", in->pop ? ".S" : "");
    const char *comma = " ";
    for (const char *s = o->operands; *s; s++) {
        if (*s == ',' || (*s == 'V' && in->aop != AOP_CAS))
            continue;
        put(t, "%s", comma);
        put_operand(t, in, *s, sym, label, user);
        comma = ", ";
    }
    return t->len;
}

static void put_illegal(struct text *t, const struct hd_word *w)
{
    put(t, ".insn 0x%08" PRIx32 ", 0x%08" PRIx32 ", 0x%08" PRIx32 ", 0x%08" PRIx32, w->w[0],
        w->w[1], w->w[2], w->w[3]);
}

int hd_dis_insn(char *buf, size_t n, const struct hd_word *w, hd_label_fn *label, void *user)
{
    struct text t = { buf, n, 0 };
    struct hd_insn in;
    if (hd_decode(w, false, &in) || hd_decode(w, true, &in))
        put_insn(&t, &in, NULL, label, user);
    else
        put_illegal(&t, w);
    return (int)t.len;
}

/* ---- an image ------------------------------------------------------------------------------- */

struct dis {
    FILE *f;
    const struct hd_image *img;
    bool *target;               /* per instruction: something branches here */
    bool labels;                /* no symbol looks like our labels */
};

static bool label_name(void *user, uint32_t pc, char *buf, size_t n)
{
    const struct dis *d = user;
    if (!d->labels || pc % HD_INSN_BYTES || pc >= d->img->text_size)
        return false;
    for (uint32_t i = 0; i < d->img->nsyms; i++)
        if (d->img->syms[i].section == HD_SEC_TEXT && d->img->syms[i].value == pc) {
            snprintf(buf, n, "%s", d->img->syms[i].name);
            return true;
        }
    snprintf(buf, n, ".L_%04" PRIx32, pc);
    return true;
}

static const struct hd_reloc *reloc_at(const struct hd_image *img, int section, uint32_t off)
{
    for (uint32_t i = 0; i < img->nrelocs; i++)
        if (img->relocs[i].section == section && img->relocs[i].off == off)
            return &img->relocs[i];
    return NULL;
}

static const char *reloc_text(const struct hd_image *img, const struct hd_reloc *r, char *buf,
                              size_t n)
{
    if (r->add)
        snprintf(buf, n, "%s%+" PRId64, img->syms[r->sym].name, r->add);
    else
        snprintf(buf, n, "%s", img->syms[r->sym].name);
    return buf;
}

static void put_string(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s; s++)
        fprintf(f, "%s%c", *s == '"' || *s == '\\' ? "\\" : "", *s);
    fputc('"', f);
}

static void put_kernel(struct dis *d, const struct hd_kernel *k)
{
    fprintf(d->f, ".kernel %s\n.regs %u\n.barriers %u\n.shared %u\n.local %u\n.maxthreads %u\n",
            k->name, k->regs, k->barriers, k->shared, k->local, k->max_threads);
    for (uint32_t i = 0; i < k->nparams; i++)
        fprintf(d->f, ".param %s %s %u %u\n", k->params[i].name, k->params[i].type,
                k->params[i].size, k->params[i].off);
    fprintf(d->f, ".paramsize %u\n", k->params_size);
}

static void put_symbols(struct dis *d, int section, uint32_t value)
{
    static const char *const word[] = { ".func", ".object", ".object" };
    for (uint32_t i = 0; i < d->img->nsyms; i++) {
        const struct hd_symbol *s = &d->img->syms[i];
        if (s->section == section && s->value == value)
            fprintf(d->f, "\n%s %s %u\n", word[section], s->name, s->size);
    }
    for (uint32_t i = 0; i < d->img->nkernels && section == HD_SEC_TEXT; i++)
        if (d->img->kernels[i].entry == value)
            put_kernel(d, &d->img->kernels[i]);
}

static void find_targets(struct dis *d)
{
    for (uint32_t pc = 0; pc < d->img->text_size; pc += HD_INSN_BYTES) {
        struct hd_word w;
        struct hd_insn in;
        memcpy(&w, d->img->text + pc, sizeof w);
        if (hd_decode(&w, d->img->stack_mode, &in) && strchr(hd_ops[in.op].operands, '@')
            && in.imm % HD_INSN_BYTES == 0 && in.imm < d->img->text_size)
            d->target[in.imm / HD_INSN_BYTES] = true;
    }
}

static void put_text(struct dis *d)
{
    const struct hd_image *img = d->img;
    uint32_t next = 0, strong = 0;  /* of img->lines; of img->strong */
    char text[1024], sym[320], name[32];
    for (uint32_t pc = 0; pc < img->text_size; pc += HD_INSN_BYTES) {
        put_symbols(d, HD_SEC_TEXT, pc);
        snprintf(name, sizeof name, ".L_%04" PRIx32, pc);
        if (d->labels && d->target[pc / HD_INSN_BYTES] && label_name(d, pc, text, sizeof text)
            && !strcmp(text, name))
            fprintf(d->f, "%s:\n", name);
        for (; next < img->nlines && img->lines[next].pc == pc; next++) {
            const struct hd_line *l = &img->lines[next];
            fputs("    .loc ", d->f);
            put_string(d->f, l->file ? img->files[l->file - 1] : "");
            fprintf(d->f, " %u\n", l->line);
        }
        if (strong < img->nstrong && img->strong[strong] == pc) {
            fputs("    .strong\n", d->f);
            strong++;
        }
        struct hd_word w;
        struct hd_insn in;
        struct text t = { text, sizeof text, 0 };
        memcpy(&w, img->text + pc, sizeof w);
        const struct hd_reloc *r = reloc_at(img, HD_SEC_TEXT, pc);
        if (hd_decode(&w, img->stack_mode, &in))
            put_insn(&t, &in, r ? reloc_text(img, r, sym, sizeof sym) : NULL, label_name, d);
        else
            put_illegal(&t, &w);
        fprintf(d->f, "    %-52s // %04" PRIx32 "\n", text, pc);
    }
    put_symbols(d, HD_SEC_TEXT, img->text_size);
}

/* The next place after `off` where a symbol or relocation breaks the run of plain data. */
static uint32_t next_break(const struct hd_image *img, int section, uint32_t off, uint32_t end)
{
    uint32_t base = section == HD_SEC_CONST ? HD_CONST_DATA : 0;
    for (uint32_t i = 0; i < img->nsyms; i++)
        if (img->syms[i].section == section && img->syms[i].value - base > off
            && img->syms[i].value - base < end)
            end = img->syms[i].value - base;
    for (uint32_t i = 0; i < img->nrelocs; i++)
        if (img->relocs[i].section == section && img->relocs[i].off > off &&
            img->relocs[i].off < end)
            end = img->relocs[i].off;
    return end;
}

/* Plain data: runs of zeros shortly, else words, the rest as bytes. */
static void put_bytes(FILE *f, const uint8_t *p, uint32_t n)
{
    while (n) {
        uint32_t zeros = 0, w;
        while (zeros < n && !p[zeros])
            zeros++;
        if (zeros >= 16 || zeros == n) {
            fprintf(f, "    .zero %u\n", zeros);
            p += zeros, n -= zeros;
        } else if (n < 4) {
            fprintf(f, "    .byte 0x%02x\n", *p);
            p++, n--;
        } else {
            for (int i = 0; i < 8 && n >= 4; i++, p += 4, n -= 4) {
                memcpy(&w, p, 4);
                fprintf(f, "%s0x%08" PRIx32, i ? ", " : "    .word ", w);
            }
            fputc('\n', f);
        }
    }
}

static void put_data(struct dis *d, int section, const uint8_t *p, uint32_t size)
{
    uint32_t base = section == HD_SEC_CONST ? HD_CONST_DATA : 0;
    char sym[320];
    for (uint32_t off = 0; off < size; ) {
        put_symbols(d, section, base + off);
        const struct hd_reloc *r = reloc_at(d->img, section, off);
        uint32_t end = next_break(d->img, section, off, size);
        if (r) {
            bool wide = r->kind == HD_REL_ABS64;
            fprintf(d->f, "    %s %s\n", wide ? ".quad" : ".word",
                    reloc_text(d->img, r, sym, sizeof sym));
            off += wide ? 8 : 4;
        } else {
            put_bytes(d->f, p + off, end - off);
            off = end;
        }
    }
    put_symbols(d, section, base + size);
}

void hd_dis_image(FILE *out, const struct hd_image *img)
{
    struct dis d = { out, img, calloc(img->text_size / HD_INSN_BYTES + 1, 1), true };
    if (!d.target)
        abort();
    for (uint32_t i = 0; i < img->nsyms; i++)
        d.labels &= strncmp(img->syms[i].name, ".L_", 3) != 0;
    find_targets(&d);
    fprintf(out, ".mode %s\n", img->stack_mode ? "stack" : "barrier");
    if (img->has_strong)
        fputs(".strong known\n", out);
    for (uint32_t i = 0; i < img->nfiles; i++)
        fputs(".file ", out), put_string(out, img->files[i]), fputc('\n', out);
    fputs(".text\n", out);
    put_text(&d);
    fputs("\n.const\n", out);
    put_data(&d, HD_SEC_CONST, img->cdata, img->cdata_size);
    fprintf(out, "\n.global\n.galign %u\n", img->galign);
    put_data(&d, HD_SEC_GLOBAL, img->gdata, img->gdata_size);
    free(d.target);
}
