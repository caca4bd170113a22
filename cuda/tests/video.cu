// Scalar video instructions, against what the text of each says: an interpreter of it after the PTX manual's own words.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FORMS(X) \
    X("vadd.s32.u32.s32.sat %0, %1.b0, %2.h0") X("vadd.u32.u32.u32 %0, %1, %2") X("vadd.u32.u32.u32.sat %0, %1, %2") \
    X("vadd.s32.s32.s32.sat %0, %1, %2") X("vadd.s32.u32.u32.sat %0, %1, %2") X("vadd.u32.s32.s32.sat %0, %1, %2") \
    X("vadd.u32.u32.s32.add %0, %1.h1, %2.b3, %3") X("vadd.s32.s32.u32.sat.min %0, %1.b1, %2, %3") \
    X("vadd.u32.u32.u32.max %0, %1, %2.b2, %3") X("vadd.s32.s32.s32.sat %0.b0, %1.b3, %2.b1, %3") \
    X("vadd.u32.s32.s32.sat %0.h1, %1.h0, %2.h1, %3") X("vadd.u32.u32.u32 %0.b3, %1, %2, %3") \
    X("vsub.s32.s32.u32.sat.add %0, %1.b1, %2.b3, %3") X("vsub.u32.u32.u32 %0, %1, %2") X("vsub.u32.u32.u32.sat %0, %1, %2") \
    X("vsub.u32.u32.u32.min %0, %1, %2, %3") X("vsub.s32.s32.s32.max %0, %1, %2, %3") X("vsub.s32.u32.u32.sat %0.b2, %1, %2, %3") \
    X("vabsdiff.u32.u32.u32.sat %0, %1.h1, %2.h1") X("vabsdiff.s32.s32.s32.sat %0, %1, %2") X("vabsdiff.u32.s32.u32.add %0, %1, %2, %3") \
    X("vabsdiff.s32.u32.s32.sat %0.h0, %1, %2, %3") X("vmin.s32.s32.s32.min %0, %1, %2, %3") X("vmin.u32.s32.u32.sat %0, %1, %2") \
    X("vmin.s32.u32.s32 %0.b1, %1.b0, %2.b0, %3") X("vmax.u32.u32.s32 %0, %1.h0, %2.b2") X("vmax.s32.u32.u32.sat.max %0, %1, %2, %3") \
    X("vmax.u32.u32.u32.sat %0.b3, %1, %2, %3") X("vset.s32.u32.lt %0, %1, %2") X("vset.u32.u32.ne %0, %1, %2.h1") \
    X("vset.u32.s32.ge.add %0, %1.b3, %2.b1, %3") X("vset.s32.s32.le.min %0, %1, %2, %3") X("vset.s32.s32.gt %0.b1, %1, %2, %3") \
    X("vset.u32.u32.eq.max %0, %1.b0, %2.b0, %3") X("vshl.s32.u32.u32.clamp %0, %1, %2.b0") X("vshl.u32.s32.u32.sat.clamp %0, %1, %2.b1") \
    X("vshl.s32.s32.u32.sat.wrap %0, %1.b2, %2") X("vshl.u32.u32.u32.wrap.add %0, %1, %2, %3") X("vshl.s32.u32.u32.sat.clamp %0, %1, %2") \
    X("vshl.u32.u32.u32.sat.clamp %0.h1, %1.b0, %2.b0, %3") X("vshr.s32.s32.u32.clamp.add %0, %1, %2.b3, %3") \
    X("vshr.u32.u32.u32.wrap %0, %1, %2.h1") X("vshr.u32.s32.u32.sat.clamp %0, %1, %2") X("vshr.s32.u32.u32.wrap.max %0, %1, %2, %3") \
    X("vmad.s32.s32.u32.sat %0, %1, %2, -%3") X("vmad.u32.u32.u32.shr15 %0, %1.h0, %2.h0, %3") X("vmad.u32.u32.u32 %0, %1, %2, %3") \
    X("vmad.u32.u32.u32.sat %0, %1, %2, %3") X("vmad.s32.u32.u32.sat.shr7 %0, -%1, %2, %3") X("vmad.s32.u32.u32.sat %0, %1, -%2, %3") \
    X("vmad.s32.s32.s32.po.sat.shr15 %0, %1, %2, %3") X("vmad.u32.u32.u32.po %0, %1, %2, %3") X("vmad.u32.u32.u32.sat.shr7 %0, %1, %2, -%3") \
    X("vmad.s32.s32.s32.shr7 %0, %1.b3, -%2.h1, %3") X("vmad.s32.u32.s32.shr15 %0, %1, %2, %3") X("vmad.s32.s32.s32.sat %0, -%1, -%2, %3")

static const char *const texts[] = {
#define X(text) text,
    FORMS(X)
#undef X
};
enum { FORMS = sizeof texts / sizeof *texts, N = 512 };
template <int F> __device__ void one(uint32_t *, uint32_t, uint32_t, uint32_t) {}
enum { BEFORE = __COUNTER__ };
#define X(text) \
    template <> __device__ void one<__COUNTER__ - BEFORE - 1>(uint32_t *d, uint32_t a, uint32_t b, uint32_t c) \
    { \
        asm volatile(text ";" : "+r"(*d) : "r"(a), "r"(b), "r"(c)); \
    }
FORMS(X)
#undef X

template <int F> __device__ void from(uint32_t *out, const uint32_t *in)
{
    uint32_t d = 0x5a5a5a5a;
    one<F>(&d, in[0], in[1], in[2]);
    out[F] = d;
    if constexpr (F + 1 < FORMS) from<F + 1>(out, in);
}
__global__ void run(const uint32_t *in, uint32_t *out)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    from<0>(out + t * FORMS, in + 3 * t);
}
// Under a guard, with a number as an operand.
__global__ void guarded(uint32_t *out)
{
    uint32_t t = threadIdx.x, d = 100;
    asm volatile("{.reg .pred p; setp.lt.u32 p, %1, 2; @p vadd.s32.u32.s32 %0, %1, -5;}" : "+r"(d) : "r"(t));
    out[t] = d;
}

// ---- what the manual says ------------------------------------------------------------------------
typedef __int128 wide;
static bool has(const char *text, const char *word)
{
    const char *end = strchr(text, ' '), *at = text;
    size_t n = strlen(word);
    while ((at = strstr(at, word)) && at < end) {
        if (at[-1] == '.' && (at[n] == '.' || at[n] == ' ')) return true;
        at++;
    }
    return false;
}
static wide part_select(uint32_t v, bool sign, const char *sel)
{
    int bits = sel[0] != '.' ? 32 : sel[1] == 'b' ? 8 : 16, at = bits == 32 ? 0 : (sel[2] - '0') * bits;
    uint64_t field = (uint64_t)v >> at & ((1ull << bits) - 1);
    return sign && field >> (bits - 1) & 1 ? (wide)field - ((wide)1 << bits) : (wide)field;
}
static wide held(wide v, wide low, wide high) { return v < low ? low : v > high ? high : v; }
static uint32_t expected(const char *text, uint32_t a, uint32_t b, uint32_t c)
{
    bool set = !strncmp(text, "vset", 4), sign[3] = {};          // of d, a, b
    int seen = set;
    for (const char *p = text; *p != ' '; p++)
        if (!strncmp(p, ".s32", 4) || !strncmp(p, ".u32", 4)) sign[seen++] = p[1] == 's';
    const char *d_at = strstr(text, "%0") + 2, *a_at = strstr(text, "%1"), *b_at = strstr(text, "%2"), *c_at = strstr(text, "%3");
    wide ta = part_select(a, sign[1], a_at + 2), tb = part_select(b, sign[2], b_at + 2), tmp;
    if (!strncmp(text, "vmad", 4)) {
        bool negate = (a_at[-1] == '-') != (b_at[-1] == '-'), negate_c = c_at[-1] == '-';
        bool is_signed = sign[1] || sign[2] || negate || negate_c;
        wide c128 = is_signed ? (wide)(int32_t)c : (wide)c;
        int lsb = 0;
        tmp = ta * tb;
        if (has(text, "po")) lsb = 1;
        else if (negate) tmp = ~tmp, lsb = 1;
        else if (negate_c) c128 = ~c128, lsb = 1;
        tmp = tmp + c128 + lsb;
        tmp >>= has(text, "shr7") ? 7 : has(text, "shr15") ? 15 : 0;
        if (has(text, "sat")) tmp = is_signed ? held(tmp, INT32_MIN, INT32_MAX) : held(tmp, 0, UINT32_MAX);
        return (uint32_t)tmp;
    }
    if (!strncmp(text, "vadd", 4)) tmp = ta + tb;
    else if (!strncmp(text, "vsub", 4)) tmp = ta - tb;
    else if (!strncmp(text, "vabsdiff", 8)) tmp = ta - tb < 0 ? tb - ta : ta - tb;
    else if (!strncmp(text, "vmin", 4)) tmp = ta < tb ? ta : tb;
    else if (!strncmp(text, "vmax", 4)) tmp = ta > tb ? ta : tb;
    else if (set)
        tmp = has(text, "eq") ? ta == tb : has(text, "ne") ? ta != tb : has(text, "lt") ? ta < tb
            : has(text, "le") ? ta <= tb : has(text, "gt") ? ta > tb : ta >= tb;
    else {
        int by = has(text, "wrap") ? (int)(tb & 31) : tb > 32 ? 32 : (int)tb;
        tmp = text[3] == 'l' ? ta * ((wide)1 << by) : ta >> by;
    }
    int bits = d_at[0] != '.' ? 32 : d_at[1] == 'b' ? 8 : 16;
    wide one = 1;
    if (has(text, "sat"))
        tmp = sign[0] ? held(tmp, -(one << (bits - 1)), (one << (bits - 1)) - 1) : held(tmp, 0, (one << bits) - 1);
    if (bits < 32) {
        uint32_t at = (uint32_t)((d_at[2] - '0') * bits), field = ((1u << bits) - 1) << at;
        return (c & ~field) | ((uint32_t)tmp << at & field);
    }
    wide t = sign[0] ? (wide)(int32_t)(uint32_t)tmp : (wide)(uint32_t)tmp, tc = sign[0] ? (wide)(int32_t)c : (wide)c;
    return has(text, "add") ? (uint32_t)(t + tc)
         : has(text, "min") ? (uint32_t)(t < tc ? t : tc) : has(text, "max") ? (uint32_t)(t > tc ? t : tc) : (uint32_t)t;
}

int main()
{
    static const uint32_t corners[] = { 0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0x80008000, 0x7f80ff01, 31, 32, 33, 0xffff0000 };
    static uint32_t in[3 * N], out[N * FORMS];
    uint32_t seed = 5, *din, *dout, few[4] = {};
    int failures = 0;
    for (int k = 0; k < 3 * N; k++) {
        seed = seed * 1664525u + 1013904223u;
        in[k] = seed >> 28 < 7 ? corners[(seed >> 8) % 11] : seed ^ seed >> 15;
    }
    cudaMalloc(&din, sizeof in), cudaMalloc(&dout, sizeof out);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    run<<<N / 64, 64>>>(din, dout);
    if (cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) failures++;
    for (int k = 0; k < N; k++)
        for (int f = 0; f < FORMS; f++) {
            uint32_t want = expected(texts[f], in[3 * k], in[3 * k + 1], in[3 * k + 2]), got = out[k * FORMS + f];
            if (want != got && failures++ < 20)
                printf("FAIL %s of %x, %x, %x: %x, not %x\n", texts[f], in[3 * k], in[3 * k + 1], in[3 * k + 2], got, want);
        }
    guarded<<<1, 4>>>(dout);
    cudaMemcpy(few, dout, sizeof few, cudaMemcpyDeviceToHost);
    if (few[0] != (uint32_t)-5 || few[1] != (uint32_t)-4 || few[2] != 100 || few[3] != 100) puts("FAIL guarded"), failures++;
    printf("%s: %d forms of %d operands\n", failures ? "FAIL" : "PASS", FORMS, N);
    return failures != 0;
}
