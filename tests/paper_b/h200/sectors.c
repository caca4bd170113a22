/* What a GPU's memory takes for the sectors of an access, as `busy.sector' of a timing profile
 * (docs/timing.md).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every core is full of warps that do nothing but load, or store, words of a buffer that fits the
 * GPU's second cache and not the first.  The lanes' words are neighbours, or 128 bytes apart: 4
 * sectors or 32.  A block's time says the difference. */
#include "tests/paper_b/h200/gpu.h"
#include <stdio.h>

enum { THREADS = 1024, BLOCKS = 2, ACCESSES = 64, BUFFER = 8 << 20, RESULT = 4096,
       MULTIPROCESSORS = 16 };
enum { NEAR = 4, FAR = 128, MORE = 28 };    /* bytes between lanes; sectors by which these differ */

static const char head[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 "
    "apart)\n{\n"
    ".reg .b32 %r<12>;\n.reg .b64 %rd<4>;\n.reg .pred %p<3>;\n"
    "ld.param.u64 %rd1,[p];\nld.param.u32 %r1,[apart];\nadd.u64 %rd2,%rd1,4096;\n"
    "mov.u32 %r2,%ctaid.x;\nmov.u32 %r3,%ntid.x;\nmov.u32 %r4,%tid.x;\n"
    "mad.lo.u32 %r5,%r2,%r3,%r4;\nmul.lo.u32 %r5,%r5,%r1;\n"
    "mov.u32 %r6,0;\nmov.u32 %r7,0;\nbar.sync 0;\nmov.u32 %r8,%clock;\nLOOP:\n"
    "and.b32 %r5,%r5,8388604;\ncvt.u64.u32 %rd3,%r5;\n"
    "add.u64 %rd3,%rd2,%rd3;\n";
static const char load[] = "ld.global.u32 %r9,[%rd3];\nadd.u32 %r6,%r6,%r9;\n";
static const char store[] = "st.global.u32 [%rd3],%r6;\n";
static const char tail[] =
    "add.u32 %r5,%r5,524672;\nadd.u32 %r7,%r7,1;\nsetp.lt.u32 %p1,%r7,64;\n@%p1 bra LOOP;\n"
    "bar.sync 0;\nmov.u32 %r10,%clock;\n"
    "sub.u32 %r10,%r10,%r8;\nadd.u32 %r10,%r10,%r6;\nadd.u32 %r2,%r2,%r4;\n"
    "setp.ne.u32 %p2,%r2,0;\n@%p2 bra END;\n"
    "st.global.u32 [%rd1],%r10;\nEND: ret;\n}\n"; /* what is loaded is 0 */

static uint32_t cycles_of(const char *access, uint32_t apart, unsigned cores, gpu_addr buffer)
{
    char ptx[4096];
    void *module, *params[] = { &buffer, &apart };
    snprintf(ptx, sizeof ptx, "%s%s%s", head, access, tail);
    void *f = gpu_load(ptx, "k", &module);
    uint32_t best = UINT32_MAX;
    for (int k = 0; k < 3; k++) {
        uint32_t cycles = 0;
        gpu_launch(f, BLOCKS * cores, THREADS, params, NULL);
        must(gpu.cuMemcpyDtoH_v2(&cycles, buffer, sizeof cycles), "sectors");
        best = cycles < best ? cycles : best;
    }
    must(gpu.cuModuleUnload(module), "cuModuleUnload");
    return best;
}

/* Hundredths of a cycle for each more. */
static int per_sector(const char *access, unsigned cores, gpu_addr buffer)
{
    double near = cycles_of(access, NEAR, cores, buffer),
           far = cycles_of(access, FAR, cores, buffer);
    double each = 100 * (far - near) / ((double)BLOCKS * THREADS / 32 * ACCESSES * MORE);
    return each < 1 ? 1 : (int)(each + 0.5);
}

void sector_costs(void)
{
    int cores;
    gpu_addr buffer = gpu_room(BUFFER + RESULT);
    must(gpu.cuDeviceGetAttribute(&cores, MULTIPROCESSORS, 0), "cuDeviceGetAttribute");
    must(gpu.cuMemsetD8_v2(buffer, 0, BUFFER + RESULT), "cuMemset");
    int loaded = per_sector(load, (unsigned)cores, buffer);
    must(gpu.cuMemsetD8_v2(buffer, 0, BUFFER + RESULT), "cuMemset");
    printf(
        "busy.sector = %d %d  # hundredths: words 128 bytes apart beside neighbours, loaded and "
        "stored by all cores\n",
        loaded, per_sector(store, (unsigned)cores, buffer));
    must(gpu.cuMemFree_v2(buffer), "cuMemFree");
}
