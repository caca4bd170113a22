/* Matrices of eight rows of 16 bytes: ldmatrix, stmatrix, movmatrix.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lane 4g + t holds the two 16-bit elements 2t and 2t + 1 of row g; transposed, of column g. */
#include "compiler/ptx/expand.h"
#include <string.h>

/* ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r0,r1,r2,r3}, [p]: lane 8i + r names row r of
 * matrix i. */
static bool move_matrix(struct expansion *e, bool store)
{
    static const char *const words[] = { "sync", "aligned", "m8n8", "x1", "x2", "x4", "trans",
                                         "shared",
                                         "shared::cta", "b16", NULL };
    static const char *const counts[] = { "x1", "x2", "x4", NULL };
    const char *item[EX_ITEMS];
    int n = ex_items(e, store, item), count = ex_one_of(e, counts);
    FILE *o = e->out;
    for (int i = 0; i < e->nmods; i++) {
        int k = 0;
        while (words[k] && strcmp(words[k], e->mod[i])) k++;
        if (!words[k]) return false;
    }
    if (!ex_has(e, "m8n8") || !ex_has(e, "b16") || count < 0 || n != 1 << count || e->nops != 2)
        return false;
    bool shared = ex_has(e, "shared") || ex_has(e, "shared::cta"), trans = ex_has(e, "trans");
    bool wide = ex_address(e, !store, "$p", shared);
    const char *space = shared ? ".shared" : "";
    if (wide) fputs(".reg .b32 $lo, $hi; mov.b64 {$lo, $hi}, $p;\n", o);
    else fputs(".reg .b32 $lo; mov.b32 $lo, $p;\n", o);
    fprintf(o, ".reg .b32 $l, $g, $t, $x, $a, $o, $l0, $l1, $d<4>; .reg .b64 $w; .reg .b16 $h<2>; "
               ".reg .b%d $e;\nmov.u32 $l, %%laneid; shr.u32 $g, $l, 2; and.b32 $t, $l, 3;\n"
               "bar.warp.sync 0xffffffff;\n", wide ? 64 : 32);
    for (int i = 0; i < n; i++)
        for (int half = 0; half < (trans ? 2 : 1); half++) {
            /* the row that the element lies in, and where in it */
            if (trans)
                fprintf(o, "shl.b32 $x, $t, 1; add.u32 $x, $x, %d; shl.b32 $a, $g, 1;\n",
                        8 * i + half);
            else fprintf(o, "add.u32 $x, $g, %d; shl.b32 $a, $t, 2;\n", 8 * i);
            /* a row that is not aligned to 16 bytes: an odd address, which faults */
            fputs("shfl.sync.idx.b32 $l0, $lo, $x, 31, 0xffffffff;\n"
                  "and.b32 $o, $l0, 15; add.u32 $o, $o, 15; shr.u32 $o, $o, 4;"
                  " or.b32 $a, $a, $o;\n",
                  o);
            if (wide)
                fputs("shfl.sync.idx.b32 $l1, $hi, $x, 31, 0xffffffff;\n"
                      "mov.b64 $e, {$l0, $l1}; cvt.u64.u32 $w, $a; add.u64 $e, $e, $w;\n", o);
            else fputs("add.u32 $e, $l0, $a;\n", o);
            if (!trans && store) fprintf(o, "st%s.b32 [$e], %s;\n", space, item[i]);
            else if (!trans) fprintf(o, "ld%s.b32 $d%d, [$e];\n", space, i);
            else if (store)
                fprintf(o, "mov.b32 {$h0, $h1}, %s; st%s.b16 [$e], $h%d;\n", item[i], space, half);
            else fprintf(o, "ld%s.b16 $h%d, [$e];%s", space, half, half ? "" : "\n");
            if (trans && !store && half) fprintf(o, " mov.b32 $d%d, {$h0, $h1};\n", i);
        }
    for (int i = 0; i < n && !store; i++) fprintf(o, "mov.b32 %s, $d%d;\n", item[i], i);
    return true;
}

static bool ldmatrix(struct expansion *e) { return move_matrix(e, false); }
static bool stmatrix(struct expansion *e) { return move_matrix(e, true); }

/* movmatrix.sync.aligned.m8n8.trans.b16 d, a; */
static bool movmatrix(struct expansion *e)
{
    if (!ex_has(e, "m8n8") || !ex_has(e, "trans") || !ex_has(e, "b16") || e->nops != 2 ||
        e->nmods != 5)
        return false;
    fprintf(e->out, ".reg .b32 $l, $x, $y<2>, $s, $d; .reg .b16 $h<4>;\n"
                    "mov.u32 $l, %%laneid; and.b32 $x, $l, 3; shl.b32 $x, $x, 3; "
                    "shr.u32 $s, $l, 3;\n"
                    "add.u32 $x, $x, $s; shfl.sync.idx.b32 $y0, %s, $x, 31, 0xffffffff;\n"
                    "add.u32 $x, $x, 4; shfl.sync.idx.b32 $y1, %s, $x, 31, 0xffffffff;\n"
                    "shl.b32 $s, $l, 2; and.b32 $s, $s, 16; shr.u32 $y0, $y0, $s; "
                    "shr.u32 $y1, $y1, $s; prmt.b32 $d, $y0, $y1, 0x5410; mov.b32 %s, $d;\n",
            e->op[1], e->op[1], e->op[0]);
    return true;
}

const struct expander ex_matrix[] = { { "ldmatrix", ldmatrix, NULL },
                                      { "stmatrix", stmatrix, NULL },
                                      { "movmatrix", movmatrix, NULL },
                                      { NULL, NULL, NULL } };
