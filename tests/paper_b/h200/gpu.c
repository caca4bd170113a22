/* Paper B's workloads on a GPU, through the driver alone: `gpu latencies|time ...`; see usage.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The driver is opened at run time and assembles the PTX, so that nothing of CUDA is needed to build this. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: gpu latencies                                  a timing profile: cycles of chains of PTX instructions\n"
    "       gpu time PTX KERNEL ARGS WANT ORDER|- MOVED    one row: median microseconds of 30 launches, 1 if memory is\n"
    "                                                      WANT.NAME's.  ARGS: of `paper_b write'; ORDER: of `heddle\n"
    "                                                      regroup --save'; MOVED: `-': D is the last parameter, else\n"
    "                                                      PARAMETER:BYTES,.. whose elements change places\n";

/* ---- the driver ---- */

typedef int (*driver_fn)();
#define DRIVER(X) X(cuInit) X(cuDeviceGet) X(cuCtxCreate_v2) X(cuModuleLoadDataEx) X(cuModuleGetFunction) X(cuMemAlloc_v2) \
    X(cuMemcpyHtoD_v2) X(cuMemcpyDtoH_v2) X(cuLaunchKernel) X(cuCtxSynchronize) X(cuEventCreate) X(cuEventRecord) \
    X(cuEventSynchronize) X(cuEventElapsedTime) X(cuModuleUnload)
#define X(name) static driver_fn name;
DRIVER(X)
#undef X

static void must(int status, const char *what)
{
    if (status) {
        fprintf(stderr, "gpu: %s: error %d of the driver\n", what, status);
        exit(2);
    }
}

static driver_fn find(void *lib, const char *name)
{
    driver_fn fn;
    *(void **)&fn = dlsym(lib, name);
    must(!fn, name);
    return fn;
}

static void start(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW), *context;
    int device;
    must(!lib, "libcuda.so.1 cannot be opened");
#define X(name) name = find(lib, #name);
    DRIVER(X)
#undef X
    must(cuInit(0u), "cuInit");
    must(cuDeviceGet(&device, 0), "cuDeviceGet");
    must(cuCtxCreate_v2(&context, 0u, device), "cuCtxCreate");
}

static void *load(const char *ptx, const char *kernel, void **module)
{
    void *f;
    must(cuModuleLoadDataEx(module, ptx, 0u, NULL, NULL), kernel);
    must(cuModuleGetFunction(&f, *module, kernel), kernel);
    return f;
}

static void *room(size_t bytes)
{
    void *p = calloc(1, bytes + 1);
    must(!p, "no memory");
    return p;
}

static char *contents(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    must(!f, path);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char *text = room(*size);
    must(fread(text, 1, *size, f) != *size, path);
    fclose(f);
    return text;
}

/* ---- latencies ---- */

/* A chain of CHAIN instructions, each reading the result of the one before, by one warp; key: of a timing profile. */
enum { CHAIN = 256 };
static const struct { const char *key, *ptx; } chains[] = {
    { "insn", "add.u32 %r1,%r1,%r2;" }, { "MUL", "mad.lo.u32 %r1,%r1,%r2,%r3;" }, { "FPU", "fma.rn.f32 %f1,%f1,%f2,%f1;" },
    { "SFU", "rcp.approx.ftz.f32 %f1,%f1;" }, { "LSU", "ld.global.u32 %r4,[%rd1]; cvt.u64.u32 %rd2,%r4; add.u64 %rd1,%rd1,%rd2;" },
    { "LDC", "ld.const.u32 %r4,[%rd3]; cvt.u64.u32 %rd2,%r4; add.u64 %rd3,%rd3,%rd2;" },
    { "LDS", "ld.shared.u32 %r4,[%r5]; add.u32 %r5,%r5,%r4;" }, { "STS", "st.shared.u32 [%r5],%r2;" }, { "STG", "st.global.u32 [%rd4],%r2;" },
    { "ATOMG", "atom.global.add.u32 %r4,[%rd4],%r3; add.u32 %r3,%r3,%r4;" }, { "ATOMS", "atom.shared.add.u32 %r4,[%r5],%r3; add.u32 %r3,%r3,%r4;" },
    { "CTL", "setp.eq.u32 %p1,%r3,12345; @%p1 bra END;" },
};

static uint32_t cycles_of(const char *ptx, int n, uint64_t buffer)
{
    size_t size = 4096 + (size_t)n * (strlen(ptx) + 2);
    char *text = room(size), *at = text;
    void *module, *args[] = { &buffer };
    uint32_t cycles = 0;
    at += sprintf(at, ".version 7.0\n.target sm_75\n.address_size 64\n.const .align 8 .u32 zero[4];\n"
                  ".visible .entry k(.param .u64 p)\n{ .reg .b32 %%r<8>; .reg .b64 %%rd<8>; .reg .f32 %%f<4>; .reg .pred %%p<2>; "
                  ".shared .align 8 .u32 s[64];\nld.param.u64 %%rd4,[p]; add.u64 %%rd1,%%rd4,64; mov.u64 %%rd3,zero; mov.u32 %%r5,s; "
                  "ld.global.u32 %%r3,[%%rd1]; mov.u32 %%r1,%%tid.x; add.u32 %%r2,%%r1,%%r3; cvt.rn.f32.u32 %%f1,%%r2; add.f32 %%f1,%%f1,0f3F800000; "
                  "mov.f32 %%f2,%%f1; st.shared.u32 [%%r5],%%r3; mov.u32 %%r6,%%clock;\n");
    for (int k = 0; k < n; k++)
        at += sprintf(at, "%s\n", ptx);
    sprintf(at, "END: cvt.rzi.u32.f32 %%r2,%%f1; add.u32 %%r1,%%r1,%%r2; add.u32 %%r1,%%r1,%%r3; cvt.u32.u64 %%r2,%%rd1; add.u32 %%r1,%%r1,%%r2; "
                "cvt.u32.u64 %%r2,%%rd3; add.u32 %%r1,%%r1,%%r2; add.u32 %%r1,%%r1,%%r5; mov.u32 %%r7,%%clock; sub.u32 %%r7,%%r7,%%r6; "
                "st.global.u32 [%%rd4+128],%%r7; st.global.u32 [%%rd4+132],%%r1; ret; }\n");
    void *f = load(text, "k", &module);
    for (int warm = 0; warm < 2; warm++)                 /* the second finds its code in the cache */
        must(cuLaunchKernel(f, 1u, 1u, 1u, 32u, 1u, 1u, 0u, NULL, args, NULL), ptx);
    must(cuCtxSynchronize(), ptx);
    must(cuMemcpyDtoH_v2(&cycles, buffer + 128, (size_t)4), ptx);
    cuModuleUnload(module);
    free(text);
    return cycles;
}

static int latencies(void)
{
    uint64_t buffer;
    void *zeros = room(4096);
    must(cuMemAlloc_v2(&buffer, (size_t)4096), "memory");
    for (size_t k = 0; k < sizeof chains / sizeof *chains; k++) {
        must(cuMemcpyHtoD_v2(buffer, zeros, (size_t)4096), "memory");
        double c = ((double)cycles_of(chains[k].ptx, CHAIN, buffer) - cycles_of(chains[k].ptx, 0, buffer)) / CHAIN;
        int n = c < 1 ? 1 : (int)(c + 0.5);
        if (!k)
            printf("insn = 2 %d  # a warp issues every second cycle; chain of %s\n", n, chains[k].ptx);
        else
            printf("%s = %d %d  # chain of %s\n", chains[k].key, k < 4 ? 2 : n, n, chains[k].ptx);
    }
    free(zeros);
    return 0;
}

/* ---- launches ---- */

enum { MOST = 16, LAUNCHES = 30 };
struct buffer { char name[32]; size_t bytes; unsigned char *data, *want; uint64_t at; uint32_t value; size_t element; };
struct launch { unsigned blocks, threads, n; struct buffer b[MOST]; };

static void read_args(struct launch *l, const char *path, const char *want)
{
    char line[600], file[512], name[600];
    size_t got;
    FILE *f = fopen(path, "r");
    must(!f || fscanf(f, "--grid %u --block %u\n", &l->blocks, &l->threads) != 2, path);
    while (fgets(line, sizeof line, f)) {
        struct buffer *b = &l->b[l->n++];
        must(l->n > MOST - 1, "too many parameters");
        if (sscanf(line, "%31[^:]:u32=%u", b->name, &b->value) == 2)
            continue;
        must(sscanf(line, "%31[^:]:u8[%zu]=%511s", b->name, &b->bytes, file) != 3, line);
        b->data = *file == '@' ? (unsigned char *)contents(file + 1, &got) : room(b->bytes);
        snprintf(name, sizeof name, "%s.%s", want, b->name);
        FILE *there = fopen(name, "rb");
        if (there) {
            fclose(there);
            b->want = (unsigned char *)contents(name, &got);
            must(got != b->bytes, name);
        }
    }
    fclose(f);
}

/* to[i] = from[d[i]], elements of so many bytes. */
static unsigned char *moved(unsigned char *from, const struct buffer *b, const uint32_t *d, size_t threads)
{
    if (!from || !b->element)
        return from;
    unsigned char *to = room(b->bytes);
    memcpy(to, from, b->bytes);
    for (size_t i = 0; i < threads && (i + 1) * b->element <= b->bytes; i++)
        if ((d[i] + (size_t)1) * b->element <= b->bytes)
            memcpy(to + i * b->element, from + d[i] * b->element, b->element);
    return to;
}

/* D after the other parameters, or the elements in D's order. */
static void apply(struct launch *l, const char *order, const char *how)
{
    size_t size, threads = (size_t)l->blocks * l->threads;
    char *d = contents(order, &size);
    must(size != 4 * threads, order);
    if (!strcmp(how, "-")) {
        l->b[l->n++] = (struct buffer){ .name = "order", .bytes = size, .data = (unsigned char *)d };
        return;
    }
    for (unsigned p; *how; how += strcspn(how, ","), how += *how == ',') {
        size_t bytes;
        must(sscanf(how, "%u:%zu", &p, &bytes) != 2 || !p || p > l->n, how);
        struct buffer *b = &l->b[p - 1];
        b->element = bytes;
        b->data = moved(b->data, b, (const uint32_t *)(void *)d, threads);
        b->want = moved(b->want, b, (const uint32_t *)(void *)d, threads);
    }
}

static int by_value(const void *a, const void *b) { return *(const float *)a > *(const float *)b ? 1 : -1; }

/* Microseconds, median. */
static double run(struct launch *l, void *f)
{
    void *args[MOST], *from, *to;
    float ms[LAUNCHES];
    for (unsigned k = 0; k < l->n; k++)
        args[k] = l->b[k].bytes ? (void *)&l->b[k].at : (void *)&l->b[k].value;
    must(cuEventCreate(&from, 0u), "event");
    must(cuEventCreate(&to, 0u), "event");
    for (int k = 0; k < LAUNCHES; k++) {
        for (unsigned i = 0; i < l->n; i++)              /* outputs too: each launch finds what the first found */
            if (l->b[i].want || !k)
                if (l->b[i].bytes)
                    must(cuMemcpyHtoD_v2(l->b[i].at, l->b[i].data, l->b[i].bytes), "copy");
        must(cuEventRecord(from, NULL), "event");
        must(cuLaunchKernel(f, l->blocks, 1u, 1u, l->threads, 1u, 1u, 0u, NULL, args, NULL), "launch");
        must(cuEventRecord(to, NULL), "event");
        must(cuEventSynchronize(to), "the kernel");
        must(cuEventElapsedTime(&ms[k], from, to), "event");
    }
    qsort(ms, LAUNCHES, sizeof *ms, by_value);
    return 1e3 * (ms[LAUNCHES / 2 - 1] + ms[LAUNCHES / 2]) / 2;
}

static int right(const struct launch *l)
{
    int all = 1;
    for (unsigned k = 0; k < l->n; k++) {
        const struct buffer *b = &l->b[k];
        unsigned char *got = b->want ? room(b->bytes) : NULL;
        if (got)
            must(cuMemcpyDtoH_v2(got, b->at, b->bytes), "copy");
        all &= !got || !memcmp(got, b->want, b->bytes);
        free(got);
    }
    return all;
}

static int timed(char **argv)
{
    struct launch l = { 0 };
    size_t size;
    void *module, *f = load(contents(argv[2], &size), argv[3], &module);
    read_args(&l, argv[4], argv[5]);
    if (strcmp(argv[6], "-"))
        apply(&l, argv[6], argv[7]);
    for (unsigned k = 0; k < l.n; k++)
        if (l.b[k].bytes)
            must(cuMemAlloc_v2(&l.b[k].at, l.b[k].bytes), "memory");
    double us = run(&l, f);
    printf("%.1f %d\n", us, right(&l));
    return 0;
}

int main(int argc, char **argv)
{
    int what = argc == 2 && !strcmp(argv[1], "latencies") ? 1 : argc == 8 && !strcmp(argv[1], "time") ? 2 : 0;
    if (!what)
        return fputs(usage, stderr), 2;
    start();
    return what == 1 ? latencies() : timed(argv);
}
