/* Latencies of PTX instructions, as a timing profile (docs/timing.md).
 * SPDX-License-Identifier: Apache-2.0
 *
 * One warp runs a chain of instructions, each reading the result of the one before, between two
 * reads of the clock; then as many that do not wait for each other.  Nothing can move out from
 * between: the chain begins with the first clock's value, and the second clock is read after a
 * branch on the chain's result.  Nor can an assembler shorten it: it does not know that word 0 of
 * the buffer is 0 (%r3), so that chains that are apart differ, and that the word at 64 (%rd1) and
 * the first of s (%r5) hold their own addresses. */
#include "tests/paper_b/h200/gpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAIN = 256, APART = 16, PLACES = 4096, SELF = 64, RESULT = 128, TARGET = 192 };

/* n: instructions of one entry.  apart: # is one of APART registers; NULL: they wait for each other
 * anyway. */
static const struct { const char *key; int n; const char *chain, *apart; } chains[] = {
    { "insn", 2, "add.u32 %r1,%r1,%r2; xor.b32 %r1,%r1,%r3;",
      "add.u32 %q#,%q#,%r2; xor.b32 %q#,%q#,%r3;" },
    { "MUL", 1, "mad.lo.u32 %r1,%r1,%r2,%r3;", "mad.lo.u32 %q#,%q#,%r2,%r3;" },
    { "FPU", 1, "fma.rn.f32 %f1,%f1,%f2,%f1;", "fma.rn.f32 %g#,%g#,%f2,%g#;" },
    { "SFU", 1, "ex2.approx.ftz.f32 %f1,%f1;", "ex2.approx.ftz.f32 %g#,%g#;" },
    { "LSU", 1, "ld.global.u64 %rd1,[%rd1];",
      "ld.global.u64 %u#,[%u#];" }, /* where it is is what it holds */
    { "LDC", 3, "ld.const.u32 %r4,[%rd3]; cvt.u64.u32 %rd2,%r4; add.u64 %rd3,%rd3,%rd2;", NULL },
    { "LDS", 1, "ld.shared.u32 %r5,[%r5];", "ld.shared.u32 %q#,[%q#];" },
    { "STS", 1, "st.volatile.shared.u32 [%r5],%r2;", NULL },
    { "STG", 1, "st.volatile.global.u32 [%rd4],%r2;", NULL },
    { "ATOMG", 2, "atom.global.add.u32 %r4,[%rd5],%r3; add.u32 %r3,%r3,%r4;", NULL },
    { "ATOMS", 2, "atom.shared.add.u32 %r4,[%r5],%r3; add.u32 %r3,%r3,%r4;", NULL },
    { "CTL", 3, "add.u32 %r1,%r1,%r2; setp.eq.u32 %p1,%r1,12345; @%p1 bra OTHER;", NULL },
};

static const char head[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.const .align 8 .u32 zero[4];\n"
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .b32 %r<9>;\n.reg .b64 %rd<8>;\n.reg .f32 %f<4>;\n.reg .pred %p<3>;\n"
    ".reg .b32 %q<17>;\n.reg .f32 %g<17>;\n.reg .b64 %u<17>;\n"
    ".shared .align 8 .u32 s[64];\nld.param.u64 %rd4,[p];\nadd.u64 %rd1,%rd4,64;\n"
    "add.u64 %rd5,%rd4,192;\nmov.u64 %rd3,zero;\n"
    "mov.u32 %r5,s;\nld.volatile.global.u32 %r3,[%rd4];\nmov.u32 %r1,%tid.x;\n"
    "st.volatile.shared.u32 [%r5],%r5;\nbar.sync 0;\n";
static const char start[] =
    "mov.u32 %r6,%clock;\nadd.u32 %r1,%r1,%r6;\nadd.u32 %r2,%r1,%r3;\ncvt.rn.f32.u32 %f1,%r1;\n"
    "add.f32 %f1,%f1,0f3F800000;\n"
    "mov.f32 %f2,%f1;\n";
static const char end[] =
    "cvt.rzi.u32.f32 %r7,%f1;\nadd.u32 %r1,%r1,%r7;\nadd.u32 %r1,%r1,%r3;\n"
    "cvt.u32.u64 %r7,%rd1;\nadd.u32 %r1,%r1,%r7;\n"
    "cvt.u32.u64 %r7,%rd3;\nadd.u32 %r1,%r1,%r7;\nadd.u32 %r1,%r1,%r5;\n";
static const char tail[] =
    "setp.eq.u32 %p2,%r1,1234567;\n@%p2 bra OTHER;\nmov.u32 %r7,%clock;\nsub.u32 %r7,%r7,%r6;\n"
    "st.global.u32 [%rd4+128],%r7;\nret;\n"
    "OTHER: st.global.u32 [%rd4+132],%r1;\nret;\n}\n";

/* k times an entry's text, # being a register's number. */
static char *repeated(char *at, const char *text, int times)
{
    for (int k = 0; k < times; k++) {
        for (const char *c = text; *c; c++)
            at += *c == '#' ? sprintf(at, "%d", k % APART) : sprintf(at, "%c", *c);
        *at++ = '\n';
    }
    *at = 0;
    return at;
}

char *latency_ptx(unsigned which, bool apart, int times)
{
    const char *text = apart ? chains[which].apart : chains[which].chain;
    if (!text)
        return NULL;
    /* registers begin with the address of s */
    const bool shared = strstr(text, "ld.shared") != NULL;
    char *ptx = room(16384 + (size_t)times * 200), *at = ptx;
    at = stpcpy(at, head);
    for (int k = 0; k < APART; k++)
        at += sprintf(
            at,
            "mad.lo.u32 %%q%d,%%r3,%d,%%r%d;\ncvt.rn.f32.u32 %%g%d,%%q%d;\n"
            "mad.wide.u32 %%u%d,%%r3,%d,%%rd1;\n",
            k, k + 1, shared ? 5 : 3, k, k, k, k + 1);
    at = repeated(stpcpy(at, start), text, times);
    at = stpcpy(at, end);
    for (int k = 0; k < APART; k++)
        at += sprintf(
            at,
            "add.u32 %%r1,%%r1,%%q%d;\ncvt.rzi.u32.f32 %%r7,%%g%d;\nadd.u32 %%r1,%%r1,%%r7;\n"
            "cvt.u32.u64 %%r7,%%u%d;\n"
            "add.u32 %%r1,%%r1,%%r7;\n",
            k, k, k);
    strcpy(at, tail);
    return ptx;
}

unsigned latency_count(void) { return sizeof chains / sizeof *chains; }

/* Cycles of the one warp, of the quickest of five launches: the first ones fill the caches. */
static uint32_t cycles_of(unsigned which, bool apart, int times, gpu_addr buffer)
{
    char *ptx = latency_ptx(which, apart, times);
    void *module, *params[] = { &buffer }, *f = gpu_load(ptx, "k", &module);
    uint64_t self = buffer + SELF;
    uint32_t best = UINT32_MAX;
    must(gpu.cuMemcpyHtoD_v2(buffer + SELF, &self, sizeof self), "cuMemcpyHtoD");
    for (int k = 0; k < 5; k++) {
        uint32_t cycles = 0;
        gpu_launch(f, 1, 32, params, NULL);
        must(gpu.cuMemcpyDtoH_v2(&cycles, buffer + RESULT, sizeof cycles), chains[which].chain);
        best = cycles < best ? cycles : best;
    }
    must(gpu.cuModuleUnload(module), "cuModuleUnload");
    free(ptx);
    return best;
}

static int per(unsigned which, bool apart, gpu_addr buffer)
{
    double c = ((double)cycles_of(which, apart, CHAIN, buffer) -
                cycles_of(which, apart, 0, buffer)) /
               CHAIN / chains[which].n;
    return c < 1 ? 1 : (int)(c + 0.5);
}

int latencies(void)
{
    gpu_addr buffer = gpu_room(PLACES);
    must(gpu.cuMemsetD8_v2(buffer, 0, PLACES), "cuMemset");
    for (unsigned k = 0; k < latency_count(); k++) {
        /* Of several instructions all count, but for `insn', of which they are the same kind. */
        int chain = per(k, false, buffer), next = chains[k].apart ? per(k, true, buffer) : chain;
        if (k && chains[k].n > 1)
            chain = next = chain * chains[k].n;
        printf("%s = %d %d  # %s\n", chains[k].key, next, chain, chains[k].chain);
        fflush(stdout);
    }
    sector_costs();
    return 0;
}
