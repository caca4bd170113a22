/* Block counts as a file: little-endian words, checked one by one.  docs/bbv.md.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/regroup.h"
#include "cmodel/base/counted.h"
#include "cmodel/base/infile.h"
#include "cmodel/base/spill.h"
#include "cmodel/image/image.h"
#include "cmodel/isa/isa.h"
#include <stdlib.h>
#include <string.h>

static const char magic[8] = "HDBBV 1\n";
struct header {
    uint64_t shape, threads;
    uint32_t grid[3], block[3], nblocks, ncolumns, nvectors, names;
};
struct entry { uint32_t pc, insns, column, zero; uint64_t executions; };
_Static_assert(sizeof(struct header) == 56 && sizeof(struct entry) == 24, "no padding");

/* ---- writing --------------------------------------------------------------------------------- */

static const char *name_of(const struct bbv_block *b) { return b->name ? b->name : ""; }

void bbv_put(const struct bbv *b, FILE *f)
{
    struct header h = { b->shape,
                        b->threads,
                        { b->grid.x, b->grid.y, b->grid.z },
                        { b->block.x, b->block.y, b->block.z },
                        b->nblocks,
                        b->ncolumns,
                        b->nvectors,
                        0 };
    for (uint32_t i = 0; i < b->nblocks; i++)
        h.names += (uint32_t)strlen(name_of(&b->blocks[i])) + 1;
    fwrite(magic, sizeof magic, 1, f);
    fwrite(&h, sizeof h, 1, f);
    for (uint32_t i = 0; i < b->nblocks; i++) {
        const struct bbv_block *k = &b->blocks[i];
        fwrite(&(struct entry){ k->pc, k->insns, k->column, 0, k->executions },
               sizeof(struct entry), 1, f);
    }
    for (uint32_t i = 0; i < b->nblocks; i++)
        fwrite(name_of(&b->blocks[i]), strlen(name_of(&b->blocks[i])) + 1, 1, f);
    fwrite(b->counts, sizeof *b->counts, (size_t)b->nvectors * b->ncolumns, f);
    fwrite(b->of, sizeof *b->of, (size_t)b->threads, f);
}

/* ---- reading --------------------------------------------------------------------------------- */

struct reader { const char *name; const uint8_t *at; size_t left; struct hd_err *err; };

#define BAD(r, ...) bad(r, __VA_ARGS__)
__attribute__((format(printf, 2, 3)))
static bool bad(struct reader *r, const char *fmt, ...)
{
    char text[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    hd_err_set(r->err, 2, "%s: %s", r->name, text);
    return false;
}

static bool take(struct reader *r, void *to, size_t n)
{
    if (r->left < n)
        return BAD(r, "the file is cut off: %zu bytes are missing", n - r->left);
    memcpy(to, r->at, n);
    r->at += n;
    r->left -= n;
    return true;
}

/* The product where it stays below 2^32, else 0. */
static uint64_t volume(const uint32_t d[3])
{
    uint64_t v = (uint64_t)d[0] * d[1];
    return v >> 32 || v * d[2] >> 32 ? 0 : v * d[2];
}

/* The rest of the file is as long as the header says.  Nothing of that overflows: each factor is
 * below 2^32, and a product is only formed where the one before it was found to be in the file. */
static bool check_length(struct reader *r, const struct header *h)
{
    uint64_t want = (uint64_t)h->nblocks * sizeof(struct entry) + h->names;
    if (want <= r->left && (!h->ncolumns || h->nvectors <= r->left / 4 / h->ncolumns))
        want += (uint64_t)h->nvectors * h->ncolumns * 4;
    else
        want = UINT64_MAX;
    if (want <= r->left && h->threads <= r->left / 4)
        want += h->threads * 4;
    else
        want = UINT64_MAX;
    if (want > r->left)
        return BAD(r, "the file is cut off: it has %zu bytes where its head asks for more",
                   r->left);
    return want == r->left || BAD(r, "%zu bytes too many", r->left - (size_t)want);
}

static bool read_header(struct reader *r, struct header *h)
{
    char m[sizeof magic];
    if (r->left < sizeof m || memcmp(r->at, magic, sizeof m))
        return BAD(r, "this is no file of block counts (heddle bbv -o)");
    if (!take(r, m, sizeof m) || !take(r, h, sizeof *h))
        return false;
    uint64_t blocks = volume(h->grid), threads = volume(h->block);
    if (!blocks || !threads || blocks * threads != h->threads)
        return BAD(r, "%llu threads are not a grid of %u,%u,%u blocks of %u,%u,%u",
                   (unsigned long long)h->threads, h->grid[0], h->grid[1], h->grid[2], h->block[0],
                   h->block[1], h->block[2]);
    if (!h->nblocks || !h->ncolumns || !h->nvectors || h->ncolumns > h->nblocks ||
        h->nvectors > h->threads)
        return BAD(r, "%u %s, %u %s and %u %s do not go together",
                   COUNTED(h->nblocks, "block"), COUNTED(h->ncolumns, "column"),
                   COUNTED(h->nvectors, "vector"));
    return check_length(r, h);
}

static bool read_blocks(struct reader *r, struct bbv *b)
{
    uint32_t columns = 0;
    for (uint32_t i = 0; i < b->nblocks; i++) {
        struct entry e;
        if (!take(r, &e, sizeof e))
            return false;
        if (e.column > columns || e.column >= b->ncolumns)
            return BAD(r, "block %u has column %u of %u, and columns are numbered as they come", i,
                       e.column, b->ncolumns);
        if (e.pc % HD_INSN_BYTES || !e.insns || e.zero || (i && e.pc <= b->blocks[i - 1].pc) ||
            !e.executions)
            return BAD(r, "block %u, %u instructions at PC 0x%x, is none", i, e.insns, e.pc);
        columns += e.column == columns;
        b->blocks[i] = (struct bbv_block){ e.pc, e.insns, e.column, e.executions, NULL };
    }
    return columns == b->ncolumns ||
           BAD(r, "only %u of %u columns belong to blocks", columns, b->ncolumns);
}

static bool read_names(struct reader *r, struct bbv *b, uint32_t bytes)
{
    const uint8_t *at = r->at, *end = at + bytes;
    for (uint32_t i = 0; i < b->nblocks; i++) {
        const uint8_t *zero = memchr(at, 0, (size_t)(end - at));
        for (const uint8_t *c = at; zero && c < zero; c++)
            if (*c < 32 || *c == 127)
                return BAD(r, "the name of block %u holds a control character", i);
        if (!zero)
            return BAD(r, "the name of block %u has no end", i);
        if (zero > at && !(b->blocks[i].name = strdup((const char *)at)))
            return hd_err_set(r->err, 4, "no memory"), false;
        at = zero + 1;
    }
    r->at += bytes;
    r->left -= bytes;
    return at == end || BAD(r, "%zu bytes of names too many", (size_t)(end - at));
}

static bool read_body(struct reader *r, struct bbv *b, uint32_t names)
{
    size_t cells = (size_t)b->nvectors * b->ncolumns;
    if (!read_blocks(r, b) || !read_names(r, b, names) || !take(r, b->counts, cells * 4) ||
        !take(r, b->of, (size_t)b->threads * 4))
        return false;
    for (uint64_t t = 0; t < b->threads; t++)
        if (b->of[t] >= b->nvectors)
            return BAD(r, "thread %llu has vector %u of %u", (unsigned long long)t, b->of[t],
                       b->nvectors);
    return true;
}

bool bbv_within(const struct bbv *b, const struct hd_image *img, const char *name,
                struct hd_err *err)
{
    for (uint32_t i = 0; i < b->nblocks; i++) {
        const struct bbv_block *k = &b->blocks[i];
        if (k->pc % HD_INSN_BYTES || k->pc >= img->text_size ||
            k->insns > (img->text_size - k->pc) / HD_INSN_BYTES) {
            hd_err_set(err, 2, "%s: block %u, %u instructions at PC 0x%x, is not in the code", name,
                       i, k->insns, k->pc);
            return false;
        }
    }
    return true;
}

static void no_room(const struct spill *within, struct hd_err *err)
{
    const char *why = spill_why(within);
    hd_err_set(err, why ? 2 : 4, "%s", why ? why : "no memory");
}

struct bbv *bbv_parse(const char *name, const void *data, size_t size, struct spill *within,
                      struct hd_err *err)
{
    struct reader r = { name, data, size, err };
    struct header h;
    if (!read_header(&r, &h))
        return NULL;
    struct bbv *b = calloc(1, sizeof *b);
    if (b) {
        *b = (struct bbv){ .within = within, .shape = h.shape,
                           .grid = { h.grid[0], h.grid[1], h.grid[2] },
                           .block = { h.block[0], h.block[1], h.block[2] }, .threads = h.threads,
                           .threads_block = (uint32_t)volume(h.block), .nblocks = h.nblocks,
                           .ncolumns = h.ncolumns, .nvectors = h.nvectors };
        b->blocks = calloc(b->nblocks, sizeof *b->blocks);
        b->counts = spill_alloc(within, (size_t)b->nvectors * b->ncolumns * sizeof *b->counts);
        b->of = spill_alloc(within, (size_t)b->threads * sizeof *b->of);
    }
    if (!b || !b->blocks || !b->counts || !b->of)
        no_room(within, err);
    else if (read_body(&r, b, h.names))
        return b;
    bbv_free(b);
    return NULL;
}

struct bbv *bbv_read(const char *path, struct spill *within, struct hd_err *err)
{
    FILE *f = infile_open(path, err);
    uint8_t *data = NULL;
    size_t size = 0, room = 0;
    if (!f)
        return NULL;
    for (size_t got = 1; got; size += got) {
        if (size == room) {
            uint8_t *more = spill_grow(within, data, room, room ? 2 * room : 1 << 16);
            if (!more) {
                no_room(within, err);
                break;
            }
            data = more;
            room = room ? 2 * room : 1 << 16;
        }
        got = fread(data + size, 1, room - size, f);
    }
    if (ferror(f))
        hd_err_set(err, 2, "%s: cannot be read", path);
    fclose(f);
    struct bbv *b = err->status ? NULL : bbv_parse(path, data, size, within, err);
    spill_free(within, data);
    return b;
}
