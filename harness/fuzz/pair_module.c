/* A kernel of the table FEATURES as PTX: its module, and what threads do together.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/pair_text.h"
#include <stdlib.h>
#include <string.h>

/* ---- features of a block, of a warp ---- */

static void reduce(struct text *w, const char *how, bool predicate)
{
    PUT("    and.b32 %%k, %%u, 3;\n    setp.%s.u32 %%p, %%k, 3;\n",
        predicate && how[0] == 'a' ? "le" : "eq");
    if (predicate)
        PUT("    bar.red.%s.pred %%q, 0, %%p;\n    selp.u32 %%x, 21, 22, %%q;\n", how);
    else
        PUT("    bar.red.popc.u32 %%x, 0, %%p;\n");
    text_put(w, R_BLOCK);
}

static void barrier(struct text *w)
{
    const uint32_t lanes = (features_threads(w->p) + 31) / 32 * 32;
    switch (OF(BARRIER)) {
    case BARRIER_NONE: break;
    case BARRIER_SYNC: PUT("    bar.sync 0;\n"); break;
    case BARRIER_OTHER: PUT("    bar.sync 5;\n"); break;
    case BARRIER_COUNT: PUT("    bar.sync 1, %u;\n", lanes); break;
    case BARRIER_POPC: reduce(w, "popc", false); break;
    case BARRIER_AND: reduce(w, "and", true); break;
    case BARRIER_OR: reduce(w, "or", true); break;
    default: reduce(w, "popc", false); reduce(w, "or", true);
    }
}

static bool shares(const struct text *w, unsigned which)
{
    return OF(SHARED) == which || (OF(SHARED) == SHARED_BOTH && which < SHARED_BOTH && which);
}

/* Before: v into the thread's word of each variable; afterwards, what another thread's holds. */
static void shared(struct text *w, bool before)
{
    static const char *const name[] = { NULL, "ours", "common", NULL, "dynamic" };
    for (unsigned k = SHARED_KERNEL; k <= SHARED_DYNAMIC; k++) {
        if (!name[k] || !shares(w, k))
            continue;
        if (before && k == SHARED_FUNCTION)
            PUT("    {\n    .param .b32 pr;\n    call.uni (pr), fs;\n    ld.param.b32 %%y0, "
                "[pr];\n    }\n");
        else
            PUT("    mov.u32 %%y0, %s;\n", name[k]);
        if (before) {
            PUT("    mad.lo.u32 %%k, %%t, 4, %%y0;\n    add.u32 %%x, %%v, %u;\n"
                "    st.shared.u32 [%%k], %%x;\n", k);
            continue;
        }
        PUT("    add.u32 %%k, %%t, %d;\n    rem.u32 %%k, %%k, %u;\n    mad.lo.u32 %%k, %%k, 4, "
            "%%y0;\n"
            "    ld.shared.u32 %%x, [%%k];\n",
            NEAR, features_threads(w->p));
        text_put(w, R_BLOCK);
    }
}

static void warp(struct text *w)
{
    static const char *const shuffle[] = { "up", "down", "bfly", "idx" },
                             *const vote[] = { "ballot", "all", "any", "uni" };
    const unsigned op = OF(WARP), by = w->p->k[5] % 31 + 1;
    if (op == WARP_NONE)
        return;
    PUT("    and.b32 %%k, %%u, 1;\n    setp.eq.u32 %%p, %%k, %u;\n", w->p->k[6] & 1);
    if (op <= WARP_IDX)
        PUT("    shfl.sync.%s.b32 %%x, %%v, %u, %s, 0xffffffff;\n", shuffle[op - WARP_UP], by,
            op == WARP_UP ? "0" : "0x1f");
    else if (op == WARP_BALLOT)
        PUT("    vote.sync.ballot.b32 %%x, %%p, 0xffffffff;\n");
    else if (op <= WARP_UNI)
        PUT("    vote.sync.%s.pred %%q, %%p, 0xffffffff;\n    selp.u32 %%x, 31, 32, %%q;\n",
            vote[op - WARP_BALLOT]);
    else if (op == WARP_MATCH)
        PUT("    match.any.sync.b32 %%x, %%k, 0xffffffff;\n");
    else
        PUT("    and.b32 %%k, %%g, %d;\n    match.all.sync.b32 %%x, %%k, 0xffffffff;\n",
            w->p->k[6] & 1 ? 0 : 64);
    text_put(w, R_WARP);
}

/* ---- the module ---- */

static void data(struct text *w)
{
    PUT(".version 7.0\n.target sm_70\n.address_size 64\n");
    if (OF(BANK) || OF(SPACE) == SPACE_BANK) {
        PUT(".const .align 64 .u32 bank[%d] = {", BANK_WORDS);
        for (uint32_t k = 0; k < BANK_WORDS; k++)
            PUT("%s%u", k ? ", " : "", bank_word(w->p, k));
        PUT("};\n");
    }
    if (OF(OPERAND) == OPERAND_CONST)
        PUT(".const .align 8 .u32 numbers[6] = {0x40600000, 0, 0, 0x400c0000, 123456789, 7};\n");
    if (shares(w, SHARED_FUNCTION))
        PUT(".shared .align 4 .b8 common[%u];\n", 4 * features_threads(w->p));
    if (OF(SHARED) == SHARED_DYNAMIC)
        PUT(".extern .shared .align 4 .b8 dynamic[];\n");
}

/* The one that names `common' makes it common to all kernels. */
static void functions(struct text *w)
{
    const char *head =
        "(.param .b32 r) %s(.param .b32 a, .param .b32 b)\n{\n    .reg .b32 %%a, %%b, %%k;\n"
        "    ld.param.b32 %%a, [a];\n    ld.param.b32 %%b, [b];\n";
    if (shares(w, SHARED_FUNCTION))
        PUT(".func (.param .b32 r) fs()\n{\n    .reg .b32 %%a;\n    mov.u32 %%a, common;\n"
            "    st.param.b32 [r], %%a;\n    ret;\n}\n");
    if (!OF(CALL))
        return;
    PUT(".func ");
    PUT(head, "f0");
    PUT("    mad.lo.u32 %%a, %%a, 3, %%b;\n    st.param.b32 [r], %%a;\n    ret;\n}\n.func ");
    PUT(head, "f1");
    PUT("    {\n    .param .b32 pa;\n    .param .b32 pb;\n    .param .b32 pr;\n    st.param.b32 "
        "[pa], %%b;\n"
        "    st.param.b32 [pb], %%a;\n    call.uni (pr), f0, (pa, pb);\n    ld.param.b32 %%k, "
        "[pr];\n    }\n"
        "    add.u32 %%a, %%k, %%a;\n    st.param.b32 [r], %%a;\n    ret;\n}\n");
}

/* %k = x + nx * (y + ny * z) */
static void linear(struct text *w, const char *rd, const char *what, struct hd_dim3 n)
{
    PUT("    mov.u32 %%k, %%%s.z;\n    mov.u32 %%x, %%%s.y;\n    mad.lo.u32 %%k, %%k, %u, %%x;\n"
        "    mov.u32 %%x, %%%s.x;\n    mad.lo.u32 %s, %%k, %u, %%x;\n",
        what, what, n.y, what, rd, n.x);
}

static bool own_shared(const struct text *w)
{
    return OF(SPACE) == SPACE_OWN || OF(SPACE) == SPACE_ANY_OWN ||
           (OF(ATOM) && (OF(ATOM_AT) == ATOM_AT_OWN || OF(ATOM_AT) == ATOM_AT_ANY_OWN));
}

static void prologue(struct text *w)
{
    const struct fuzz_case *c = w->p->c;
    PUT("    ld.param.u64 %%in, [in];\n    ld.param.u64 %%out, [out];\n    ld.param.u64 %%sum, "
        "[sum];\n");
    linear(w, "%t", "tid", c->block);
    linear(w, "%g", "ctaid", c->grid);
    PUT("    mad.lo.u32 %%g, %%g, %u, %%t;\n    mad.wide.u32 %%out, %%g, %d, %%out;\n",
        fuzz_block_threads(c), FUZZ_SLOT);
    PUT("    and.b32 %%k, %%g, 1023;\n    mad.wide.u32 %%w0, %%k, 4, %%in;\n    ld.global.u32 %%v, "
        "[%%w0];\n"
        "    mad.lo.u32 %%k, %%g, 7, 5;\n    and.b32 %%k, %%k, 1023;\n    mad.wide.u32 %%w0, %%k, "
        "4, %%in;\n"
        "    ld.global.u32 %%u, [%%w0];\n    setp.lt.s32 %%g0, %%v, 0;\n    mov.u32 %%i0, 0;\n");
    for (int k = 0; k < R_WORDS; k++)
        PUT("    mov.u32 %%r%d, %d;\n", k, k);
    if (OF(SPACE) == SPACE_STACK || OF(SPACE) == SPACE_ANY_STACK)
        for (int k = 0; k < OWN_BYTES; k += 4)
            PUT("    st.local.u32 [loc+%d], %%r0;\n", k);
    if (own_shared(w)) {
        PUT("    mov.u32 %%k, own;\n    mad.lo.u32 %%own, %%t, 32, %%k;\n");
        for (int k = 0; k < 32; k += 4)
            PUT("    st.shared.u32 [%%own+%d], %%r0;\n", k);
    }
}

static void entry(struct text *w)
{
    PUT(".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 sum,\n"
        "    .param .align 8 .b8 words[%d])\n{\n", 4 * PAIR_WORDS);
    PUT("    .reg .b32 %%v, %%u, %%t, %%g, %%k, %%x, %%own, %%y<4>, %%z<4>, %%r<%d>, %%i<2>;\n"
        "    .reg .b64 %%w<4>, %%in, %%out, %%sum;\n    .reg .f32 %%f<3>;\n    .reg .f64 %%d<3>;\n"
        "    .reg .pred %%p, %%q, %%g0, %%c<16>;\n", R_WORDS);
    if (OF(GRID) == GRID_LARGE)
        PUT("    .shared .align 4 .b8 large[%d];\n", LARGE_SHARED);
    if (own_shared(w))
        PUT("    .shared .align 16 .b8 own[%u];\n", 32 * features_threads(w->p));
    if (shares(w, SHARED_KERNEL))
        PUT("    .shared .align 4 .b8 ours[%u];\n", 4 * features_threads(w->p));
    if (OF(SPACE) == SPACE_STACK || OF(SPACE) == SPACE_ANY_STACK)
        PUT("    .local .align 16 .b8 loc[%d];\n", OWN_BYTES);
    prologue(w);
    if (OF(GRID) == GRID_LARGE)
        PUT("    mov.u32 %%k, large;\n    mad.lo.u32 %%k, %%t, 4, %%k;\n    st.shared.u32 [%%k], "
            "%%v;\n");
    shared(w, true);
    text_flow(w);
    barrier(w);
    if (OF(SHARED)) {
        PUT("    bar.sync 0;\n");
        shared(w, false);
    }
    warp(w);
    for (int k = 0; k < R_WORDS; k++)
        PUT("    st.global.u32 [%%out+%d], %%r%d;\n", RESULTS + 4 * k, k);
    PUT("    ret;\n}\n");
}

char *pair_text(const struct features *f)
{
    char *text = NULL;
    size_t size = 0;
    struct text out = { .f = open_memstream(&text, &size), .p = f }, *w = &out;
    if (!w->f)
        abort();
    data(w);
    functions(w);
    entry(w);
    fclose(w->f);
    return text;
}
