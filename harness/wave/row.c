/* One row: what it showed last, and instructions as text.  SPDX-License-Identifier: Apache-2.0 */
#include "harness/wave/rows.h"
#include "cmodel/image/asm.h"
#include "cmodel/isa/isa.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void row_text(const struct fst_out *f, struct row *r, uint64_t key, const char *text)
{
    if (!row_stale(r, key) || !r->var)
        return;
    r->set = true;
    r->key = key;
    f->set_text(f->ctx, r->var, text, (unsigned)strlen(text));
}

void row_bits(const struct fst_out *f, struct row *r, unsigned width, uint64_t value)
{
    if (!row_stale(r, value) || !r->var)
        return;
    r->set = true;
    r->key = value;
    f->set_bits(f->ctx, r->var, width, value);
}

struct row row_new_text(const struct fst_out *f, const char *name)
{
    return (struct row){ .var = f->text(f->ctx, name) };
}

/* Viewers name a row of several bits by its range, too. */
struct row row_new_bits(const struct fst_out *f, const char *name, unsigned width)
{
    char ranged[64];
    snprintf(ranged, sizeof ranged, "%s [%u:0]", name, width - 1);
    return (struct row){ .var = f->bits(f->ctx, ranged, width) };
}

/* FNV-1a */
uint64_t row_hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *text; text++)
        h = (h ^ (uint8_t)*text) * 0x100000001b3u;
    return h;
}

/* ---- instructions ---- */

void places_free(struct places *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        free(p->text[i]);
    free(p->text);
    free(p->line);
    free(p->unit);
    *p = (struct places){ 0 };
}

void places_begin(struct places *p, const struct hd_image *img)
{
    places_free(p);
    p->img = img;
    p->text = calloc(img->text_size / HD_INSN_BYTES + 1, sizeof *p->text);
    p->line = calloc(img->text_size / HD_INSN_BYTES + 1, sizeof *p->line);
    p->unit = calloc(img->text_size / HD_INSN_BYTES + 1, sizeof *p->unit);
    p->n = p->text && p->line && p->unit ? img->text_size / HD_INSN_BYTES : 0;
    for (uint32_t i = 0; i < p->n; i++) {
        const char *file;
        hd_image_line(img, i * HD_INSN_BYTES, &file, &p->line[i]);
        struct hd_word w;
        struct hd_insn in;
        memcpy(w.w, img->text + i * HD_INSN_BYTES, sizeof w.w);
        p->unit[i] = (uint8_t)(hd_decode(&w, img->stack_mode, &in) ? hd_ops[in.op].unit : UNIT_CTL);
    }
}

unsigned place_unit(const struct places *p, uint32_t pc)
{
    return pc / HD_INSN_BYTES < p->n ? p->unit[pc / HD_INSN_BYTES] : UNIT_CTL;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void place_source(const struct places *p, uint32_t pc, char *out, size_t n)
{
    const char *file = "";
    unsigned line = place_line(p, pc);
    out[0] = 0;
    if (!line)
        return;
    hd_image_line(p->img, pc, &file, &line);
    snprintf(out, n, ":%u  %s", line, file_name(file));
}

unsigned place_line(const struct places *p, uint32_t pc)
{
    return pc / HD_INSN_BYTES < p->n ? p->line[pc / HD_INSN_BYTES] : 0;
}

const char *place_text(struct places *p, uint32_t pc)
{
    uint32_t i = pc / HD_INSN_BYTES;
    if (pc == UINT32_MAX)
        return "";
    if (i >= p->n || pc % HD_INSN_BYTES)
        return "outside the code";
    if (p->text[i])
        return p->text[i];
    struct hd_word w;
    char insn[160], all[400];
    const char *file = "";
    unsigned line;
    memcpy(w.w, p->img->text + pc, sizeof w.w);
    hd_dis_insn(insn, sizeof insn, &w, NULL, NULL);
    hd_image_line(p->img, pc, &file, &line);
    if (line)
        snprintf(all, sizeof all, "0x%04x  %s  %s:%u", pc, insn, file_name(file), line);
    else
        snprintf(all, sizeof all, "0x%04x  %s", pc, insn);
    p->text[i] = strdup(all);
    return p->text[i] ? p->text[i] : "";
}
