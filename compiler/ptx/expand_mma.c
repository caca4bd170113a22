/* Products of matrices: mma, wmma.
 * SPDX-License-Identifier: Apache-2.0
 *
 * All layouts of the PTX ISA's mma.sync are one, counted in words of 32 bits (f64: of 64): lane
 * 4g + t holds, of A, words t, t + 4, ... in the direction of k of rows g and g + 8, of B of column
 * g, of C and D row g's columns 2t and 2t + 1, then row g + 8's.  A step of the library
 * (softlib/mma.cu) is 16 by 8 by four words; larger shapes are several, in ascending k.  wmma's
 * layouts are the implementation's own: tiles of the same, one after the other. */
#include <string.h>
#include "compiler/ptx/expand.h"

struct kind { const char *name; int bits; };
static const struct kind kinds[] = { { "f16", 16 }, { "bf16", 16 }, { "tf32", 32 }, { "f64", 64 },
                                     { "s8", 8 },   { "u8", 8 },    { "s4", 4 },    { "u4", 4 },
                                     { "b1", 1 },   { "f32", 32 },  { "s32", 32 } };
enum { F16, BF16, TF32, F64, S8, U8, S4, U4, B1, F32, S32, KINDS };

struct shape { int m, n, k; };

static bool shape_of(const struct expansion *e, struct shape *s)
{
    int end = 0;
    for (int i = 0; i < e->nmods; i++)
        if (sscanf(e->mod[i], "m%3dn%3dk%3d%n", &s->m, &s->n, &s->k, &end) == 3 && !e->mod[i][end])
            return true;
    return false;
}

/* The types among the modifiers, in their order. */
static int types_of(const struct expansion *e, int type[4])
{
    int n = 0;
    for (int i = 0; i < e->nmods; i++)
        for (int k = 0; k < KINDS; k++)
            if (!strcmp(e->mod[i], kinds[k].name) && n < 4) type[n++] = k;
    return n;
}

/* ---- a product in tiles ---------------------------------------------------------------------- */

struct product {
    struct expansion *e;
    struct shape s;
    int a, b;                    /* types of elements */
    bool half_c, half_d, sat;    /* C, D are two f16 in a word */
    const char *A[EX_ITEMS], *B[EX_ITEMS], *C[EX_ITEMS], *D[EX_ITEMS];
    int na, nb, nc, nd, calls;
};

static bool integral(int kind) { return kind >= S8 && kind <= B1; }

static const char *routine_of(const struct product *m)
{
    static const char *const mixed[] = { "s8s8", "s8u8", "u8s8", "u8u8", "s4s4", "s4u4", "u4s4",
                                         "u4u4" };
    int pair = (m->a - S8) / 2 * 4 + (m->a - S8) % 2 * 2 + (m->b - S8) % 2;
    const char *what = m->a < S8         ? kinds[m->a].name
                       : m->a < B1       ? mixed[pair]
                       : ex_has(m->e, "and") ? "and"
                                             : "xor";
    return arena_printf(m->e->p->arena, "__hd_mma_%s", what);
}

/* Words of k that a step takes; steps of a product. */
static int steps(const struct product *m)
{
    return m->a == F64 ? m->s.k / 4 : m->s.k * kinds[m->a].bits / 128;
}
/* Rows of a step; tiles of rows and of columns. */
static int rows(const struct product *m) { return m->s.m == 8 || m->a == F64 ? 8 : 16; }
static int tiles_m(const struct product *m) { return m->s.m / rows(m); }
static int tiles_n(const struct product *m) { return m->s.n / 8; }
/* Sums that a lane has in a tile. */
static int sums(const struct product *m) { return rows(m) / 4; }

/* exact: no register repeats what another has, as fragments of wmma may. */
static bool counts_fit(const struct product *m, bool exact)
{
    int per = rows(m) / 8, tiles = tiles_m(m) * tiles_n(m), all = tiles * sums(m);
    int a = tiles_m(m) * steps(m) * per, b = tiles_n(m) * steps(m);
    return a > 0 && b > 0 && (exact ? m->na == a && m->nb == b : m->na >= a && m->nb >= b) &&
           m->nc == (m->half_c ? all / 2 : all) && m->nd == (m->half_d ? all / 2 : all);
}

/* A tile's sums from C, in words of f32. */
static void begin_tile(const struct product *m, int tile)
{
    FILE *o = m->e->out;
    int n = sums(m);
    for (int i = 0; i < n; i++) {
        if (m->half_c && i % 2) continue;
        if (m->half_c)
            fprintf(o, "mov.b32 {$h0, $h1}, %s; cvt.f32.f16 $c%d, $h0; cvt.f32.f16 $c%d, $h1;\n",
                    m->C[(tile * n + i) / 2], i, i + 1);
        else if (m->sat) fprintf(o, "mov.b32 $c%d, 0;\n", i);
        else fprintf(o, "mov.b%d $c%d, %s;\n", m->a == F64 ? 64 : 32, i, m->C[tile * n + i]);
    }
    for (int i = n; i < 4 && m->a != F64; i++) fprintf(o, "mov.b32 $c%d, 0;\n", i);
}

static void step(struct product *m, int tm, int tn, int k)
{
    FILE *o = m->e->out;
    int per = rows(m) / 8, at = (tm * steps(m) + k) * per, call = m->calls++;
    const char *b = m->B[tn * steps(m) + k], *name = routine_of(m);
    fprintf(o, ".param .align 4 .b8 $r%d[16];\n", call);
    if (m->a == F64) {
        /* rows g and g + 8 stand in A one after the other, and are tiles of their own */
        int a = m->s.m == 8 ? k : tm + 2 * k;
        fprintf(o, "call.uni ($r%d), %s, (%s, %s, $c0, $c1);\n", call, name, m->A[a], b);
        for (int i = 0; i < 2; i++)
            fprintf(o, "ld.param.b64 $c%d, [$r%d+%d];\n", i, call, 8 * i);
        return;
    }
    fprintf(o, "call.uni ($r%d), %s, (%s, %s, %s, $c0, $c1, $c2, $c3);\n", call, name, m->A[at],
            per == 2 ? m->A[at + 1] : "0", b);
    for (int i = 0; i < 4; i++) fprintf(o, "ld.param.b32 $c%d, [$r%d+%d];\n", i, call, 4 * i);
}

/* Results wait in $d until all that is read has been read. */
static void end_tile(const struct product *m, int tile)
{
    FILE *o = m->e->out;
    int n = sums(m);
    for (int i = 0; i < n; i++) {
        int at = tile * n + i;
        if (m->half_d && i % 2) continue;
        if (m->half_d)
            fprintf(o, "cvt.rn.f16.f32 $h0, $c%d; cvt.rn.f16.f32 $h1, $c%d;\n"
                       "mov.b32 $d%d, {$h0, $h1};\n", i, i + 1, at / 2);
        else if (m->sat) fprintf(o, "add.sat.s32 $d%d, %s, $c%d;\n", at, m->C[at], i);
        else fprintf(o, "mov.b%d $d%d, $c%d;\n", m->a == F64 ? 64 : 32, at, i);
    }
}

static bool multiply(struct product *m, bool exact)
{
    FILE *o = m->e->out;
    if (!counts_fit(m, exact)) return false;
    int w = m->a == F64 ? 64 : 32;
    bool words = m->a != F64;
    parse_routine(m->e->p, routine_of(m), words ? "wwwwwww" : "dddd", 16);
    fprintf(o, ".reg .b%d $c<4>, $d<%d>; .reg .b16 $h<2>;\n", w, m->nd + 1);
    for (int tm = 0; tm < tiles_m(m); tm++)
        for (int tn = 0; tn < tiles_n(m); tn++) {
            int tile = tm * tiles_n(m) + tn;
            begin_tile(m, tile);
            for (int k = 0; k < steps(m); k++) step(m, tm, tn, k);
            end_tile(m, tile);
        }
    for (int i = 0; i < m->nd; i++) fprintf(o, "mov.b%d %s, $d%d;\n", w, m->D[i], i);
    return true;
}

static bool operands_of(struct product *m)
{
    struct expansion *e = m->e;
    m->nd = ex_items(e, 0, m->D), m->na = ex_items(e, 1, m->A);
    m->nb = ex_items(e, 2, m->B), m->nc = ex_items(e, 3, m->C);
    return e->nops == 4 && m->nd > 0 && m->na > 0 && m->nb > 0 && m->nc > 0;
}

/* Shapes of mma.sync and of wmma, by the elements' bits: m, n and the values of k. */
static bool shape_is(const struct product *m, bool wmma)
{
    int bits = kinds[m->a].bits, k = m->s.k;
    if (wmma && bits <= 4) return m->s.m == 8 && m->s.n == 8 && k * bits == 128;
    if (wmma && m->a == F64) return m->s.m == 8 && m->s.n == 8 && k == 4;
    if (wmma)
        return m->s.m * m->s.n == 256 && (m->s.m == 8 || m->s.m == 16 || m->s.m == 32) &&
               (m->a == TF32 ? m->s.m == 16 && k == 8 : k == 16);
    if (m->s.n != 8) return false;
    if (m->a == F64) return m->s.m == 8 ? k == 4 : m->s.m == 16 && (k == 4 || k == 8 || k == 16);
    if (m->s.m == 8) return integral(m->a) && k * bits == 128;
    return m->s.m == 16 && (k * bits == 128 || k * bits == 256);
}

static bool product_of(struct product *m, const int type[4], int ntypes)
{
    if (ntypes == 4) {                   /* d, a, b, c */
        m->a = type[1], m->b = type[2];
        m->half_d = type[0] == F16, m->half_c = type[3] == F16;
    } else if (ntypes == 2) {            /* wmma of f16: d, c */
        m->a = m->b = F16;
        m->half_d = type[0] == F16, m->half_c = type[1] == F16;
    } else {
        return false;
    }
    int d = type[0], c = type[ntypes - 1];
    m->sat = ex_has(m->e, "satfinite");
    if (integral(m->a)) {
        if (d != S32 || c != S32 || !integral(m->b) || (m->a - S8) / 2 != (m->b - S8) / 2)
            return false;
        return m->a != B1 || (ex_has(m->e, "popc") && !m->sat && m->b == B1 &&
                              ex_has(m->e, "xor") != ex_has(m->e, "and"));
    }
    if (m->sat) return false;
    if (m->a != m->b || m->a > F64) return false;
    if (m->a == F64) return d == F64 && c == F64;
    return m->a == F16 ? (d == F32 || d == F16) && (c == F32 || c == F16) : d == F32 && c == F32;
}

static bool known_words(const struct expansion *e, const char *const *words)
{
    for (int i = 0; i < e->nmods; i++) {
        int x, y, z, k = 0, t = 0;
        while (words[k] && strcmp(words[k], e->mod[i])) k++;
        while (t < KINDS && strcmp(kinds[t].name, e->mod[i])) t++;
        if (!words[k] && t == KINDS && sscanf(e->mod[i], "m%3dn%3dk%3d", &x, &y, &z) != 3)
            return false;
    }
    return true;
}

static bool row_by_column(const struct expansion *e)
{
    for (int i = 1; i < e->nmods; i++)
        if (!strcmp(e->mod[i - 1], "row") && !strcmp(e->mod[i], "col")) return true;
    return false;
}

/* mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c; */
static bool mma(struct expansion *e)
{
    static const char *const words[] = { "sync", "aligned", "row", "col", "satfinite", "xor", "and",
                                         "popc", "rn", NULL };
    struct product m = { .e = e };
    int type[4], n = types_of(e, type);
    if (!known_words(e, words) || !row_by_column(e) || !shape_of(e, &m.s) || n != 4 ||
        !operands_of(&m))
        return false;
    return product_of(&m, type, n) && shape_is(&m, false) && multiply(&m, true);
}

/* ---- wmma ------------------------------------------------------------------------------------ */

/* One fragment in memory: how its elements lie. */
struct fragment {
    struct expansion *e;
    struct product m;
    int kind;                    /* of elements */
    char which;                  /* 'a', 'b', 'c', 'd' */
    bool by_row, wide, store;
    const char *space;
};

/* $e = the address of element (row or column) * ld + other; `step` bytes an element. */
static void place(const struct fragment *f, const char *major, int major_add, const char *minor,
                  int minor_add)
{
    FILE *o = f->e->out;
    int bits = kinds[f->kind].bits, w = f->wide ? 64 : 32;
    fprintf(o, "add.u32 $i, %s, %d; mul.lo.u32 $i, $i, $ld; add.u32 $j, %s, %d; "
               "add.u32 $i, $i, $j;\n", major, major_add, minor, minor_add);
    if (bits >= 8) fprintf(o, "mul.lo.u32 $i, $i, %d;\n", bits / 8);
    else fprintf(o, "shr.u32 $i, $i, %d;\n", bits == 4 ? 1 : 3);
    fprintf(o, f->wide ? "cvt.u64.u32 $w, $i; add.u%d $e, $p, $w;\n" : "add.u%d $e, $p, $i;\n", w);
}

/* A word of A or B: `line` is its row (column of B), k its first element. */
static void load_word(const struct fragment *f, const char *line, int line_add, int word,
                      const char *to)
{
    FILE *o = f->e->out;
    int bits = kinds[f->kind].bits, each = bits >= 32 ? 1 : 32 / bits;
    bool along = f->by_row == (f->which == 'a');     /* k is contiguous */
    fprintf(o, "add.u32 $k, $t, %d; mul.lo.u32 $k, $k, %d;\n", word, each);
    if (along || each == 1) {
        if (along) place(f, line, line_add, "$k", 0);
        else place(f, "$k", 0, line, line_add);
        fprintf(o, "ld%s.b%d %s, [$e];\n", f->space, bits == 64 ? 64 : 32, to);
        return;
    }
    fprintf(o, "mov.b32 %s, 0;\n", to);
    for (int i = 0; i < each; i++) {
        place(f, "$k", i, line, line_add);
        fprintf(o, "ld%s.u%d $x, [$e]; shl.b32 $x, $x, %d; or.b32 %s, %s, $x;\n", f->space, bits,
                bits * i, to, to);
    }
}

static bool load_matrix(struct fragment *f, const char **to, int n)
{
    FILE *o = f->e->out;
    struct product *m = &f->m;
    int per = f->which == 'a' ? rows(m) / 8 : 1, tiles = f->which == 'a' ? tiles_m(m) : tiles_n(m);
    int used = tiles * steps(m) * per;
    if (used > n || n % used) return false;
    fprintf(o, ".reg .b%d $d<%d>;\n", f->kind == F64 ? 64 : 32, used + 1);
    for (int i = 0; i < used; i++) {
        int tile = i / (steps(m) * per), k = i / per % steps(m), half = i % per;
        load_word(f, "$g", tile * 8 * per + 8 * half, 4 * k,
                  arena_printf(f->e->p->arena, "$d%d", i));
    }
    for (int i = 0; i < n; i++)      /* what is left over repeats */
        fprintf(o, "mov.b%d %s, $d%d;\n", f->kind == F64 ? 64 : 32, to[i], i % used);
    return true;
}

/* C and D: each element by itself. */
static bool move_sums(struct fragment *f, const char **item, int n)
{
    FILE *o = f->e->out;
    struct product *m = &f->m;
    bool half = f->kind == F16;
    int per = sums(m), all = tiles_m(m) * tiles_n(m) * per, w = kinds[f->kind].bits;
    if (n != (half ? all / 2 : all)) return false;
    fprintf(o, ".reg .b%d $d<%d>; .reg .b16 $h<2>; shl.b32 $k, $t, 1;\n", w == 64 ? 64 : 32, n + 1);
    for (int i = 0; i < all; i++) {
        int tile = i / per, in = i % per;
        int row = tile / tiles_n(m) * rows(m) + in / 2 * 8, col = tile % tiles_n(m) * 8 + in % 2;
        if (f->by_row) place(f, "$g", row, "$k", col);
        else place(f, "$k", col, "$g", row);
        if (half && f->store)
            fprintf(o, "mov.b32 {$h0, $h1}, %s; st%s.b16 [$e], $h%d;\n", item[i / 2], f->space,
                    i % 2);
        else if (half)
            fprintf(o, "ld%s.b16 $h%d, [$e];\n", f->space, i % 2);
        else if (f->store) fprintf(o, "st%s.b%d [$e], %s;\n", f->space, w, item[i]);
        else fprintf(o, "ld%s.b%d $d%d, [$e];\n", f->space, w, i);
        if (half && !f->store && i % 2) fprintf(o, "mov.b32 $d%d, {$h0, $h1};\n", i / 2);
    }
    for (int i = 0; i < n && !f->store; i++)
        fprintf(o, "mov.b%d %s, $d%d;\n", w == 64 ? 64 : 32, item[i], i);
    return true;
}

static bool wmma_memory(struct expansion *e, bool store)
{
    static const char *const words[] = { "load", "store", "a", "b", "c", "d", "sync", "aligned",
                                         "row", "col", "global", "shared", "shared::cta", NULL };
    struct fragment f = { .e = e, .store = store, .space = "", .m = { .e = e } };
    const char *item[EX_ITEMS];
    int type[4], values = store ? 1 : 0, n = ex_items(e, values, item), at = store ? 0 : 1;
    if (!known_words(e, words) || types_of(e, type) != 1 || !shape_of(e, &f.m.s) || n < 1 ||
        e->nmods < 3 || (e->nops != 2 && e->nops != 3))
        return false;
    f.kind = type[0];
    f.which = e->mod[1][0];
    if (strlen(e->mod[1]) != 1) return false;
    if (ex_has(e, "row") == ex_has(e, "col") || (f.which == 'd') != store) return false;
    f.by_row = ex_has(e, "row");
    if (ex_has(e, "global")) f.space = ".global";
    if (ex_has(e, "shared") || ex_has(e, "shared::cta")) f.space = ".shared";
    /* of sums, what is summed does not matter but for its shape */
    bool sum = f.which == 'c' || f.which == 'd';
    f.m.a = f.m.b = !sum ? f.kind : f.kind == F64 ? F64 : f.m.s.k == 8 ? TF32
                    : f.m.s.k == 32 ? S4 : f.m.s.k == 128 ? B1 : F16;
    if (!shape_is(&f.m, true) || (sum && f.kind != F16 && f.kind < F32 && f.kind != F64) ||
        (!sum && f.kind > B1))
        return false;
    /* sub-bytes lie along k only */
    if (!sum && kinds[f.kind].bits < 8 && f.by_row != (f.which == 'a')) return false;
    int lead = sum ? f.by_row ? f.m.s.n : f.m.s.m
               : f.which == 'a' ? f.by_row ? f.m.s.k : f.m.s.m
                                : f.by_row ? f.m.s.n : f.m.s.k;
    f.wide = ex_address(e, at, "$p", !strcmp(f.space, ".shared"));
    fprintf(e->out, ".reg .b32 $ld, $l, $g, $t, $i, $j, $k, $x; .reg .b64 $w; .reg .b%d $e;\n"
                    "mov.b32 $ld, %s; mov.u32 $l, %%laneid; shr.u32 $g, $l, 2; "
                    "and.b32 $t, $l, 3;\n",
            f.wide ? 64 : 32, e->nops == 3 ? e->op[2] : arena_printf(e->p->arena, "%d", lead));
    fputs("bar.warp.sync 0xffffffff;\n", e->out);
    return sum ? move_sums(&f, item, n) : load_matrix(&f, item, n);
}

/* wmma.load.a.sync..., wmma.store.d.sync..., wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 */
static bool wmma(struct expansion *e)
{
    static const char *const words[] = { "mma", "sync", "aligned", "row", "col", "satfinite", "xor",
                                         "and", "popc", "rn", NULL };
    struct product m = { .e = e };
    int type[4], n = types_of(e, type);
    if (ex_has(e, "load") || ex_has(e, "store")) return wmma_memory(e, ex_has(e, "store"));
    if (!ex_has(e, "mma") || !known_words(e, words) || !shape_of(e, &m.s) || !operands_of(&m))
        return false;
    return product_of(&m, type, n) && shape_is(&m, true) && multiply(&m, false);
}

const struct expander ex_product[] = { { "mma", mma, NULL }, { "wmma", wmma, NULL },
                                       { NULL, NULL, NULL } };
