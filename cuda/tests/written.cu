// Forms of PTX that programs write by hand, an instruction a kernel, each with its value (PTX ISA).  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
typedef unsigned u32;
typedef unsigned long long u64;

// out[0] is what a kernel found; in holds 3, 5, 7, 9 (as u32), then 2^40, 2^40 + 77 (as u64).
#define KERNEL(NAME) __global__ void NAME(u64 *out, const u32 *in)
#define WIDE ((const u64 *)(in + 4))

KERNEL(bar_sync_register)                               // bar: "Operand a ... as a register"
{
    __shared__ u32 s[64];
    s[threadIdx.x] = in[0] + threadIdx.x;
    u32 id = in[0];
    asm volatile("bar.sync %0;" ::"r"(id) : "memory");
    if (threadIdx.x == 0) out[0] = s[63];
}
KERNEL(bar_sync_register_count)
{
    __shared__ u32 s[64];
    s[threadIdx.x] = in[0] + threadIdx.x;
    u32 id = in[1], n = blockDim.x;
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory");
    if (threadIdx.x == 0) out[0] = s[63];
}
KERNEL(bar_arrive)                                      // bar.arrive: producer and consumer
{
    __shared__ u32 s;
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) s = 66;
        __threadfence_block();
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        if (threadIdx.x == 32) out[0] = s;
    }
}
KERNEL(vector_register)                                 // Vectors
{
    u32 r;
    asm("{ .reg .v4 .u32 v; mov.v4.u32 v, {%1, %2, %3, %4}; add.u32 %0, v.x, v.w; }"
        : "=r"(r) : "r"(in[0]), "r"(in[1]), "r"(in[2]), "r"(in[3]));
    if (threadIdx.x == 0) out[0] = r;
}
KERNEL(vector_register_load)
{
    u32 r;
    asm volatile("{ .reg .v4 .u32 v; ld.global.v4.u32 v, [%1]; sub.u32 %0, v.w, v.y; }"
                 : "=r"(r) : "l"(in));
    if (threadIdx.x == 0) out[0] = r;
}
KERNEL(mov_v4_tid)                                      // mov, Special Registers: %tid is a .v4.u32
{
    u32 x, y, z, w;
    asm volatile("mov.v4.u32 {%0, %1, %2, %3}, %%ntid;" : "=r"(x), "=r"(y), "=r"(z), "=r"(w));
    if (threadIdx.x == 0) out[0] = x + y + z;
}
KERNEL(sad_s64)                                         // sad: d = c + (a < b ? b - a : a - b)
{
    u64 r;
    asm("sad.s64 %0, %1, %2, %3;" : "=l"(r) : "l"(WIDE[0]), "l"(WIDE[1]), "l"((u64)in[0]));
    if (threadIdx.x == 0) out[0] = r;
}
KERNEL(sad_u64)
{
    u64 r;
    asm("sad.u64 %0, %1, %2, %3;" : "=l"(r) : "l"(WIDE[1]), "l"(WIDE[0]), "l"((u64)in[1]));
    if (threadIdx.x == 0) out[0] = r;
}
KERNEL(cvt_pack_s16)                                    // cvt.pack: a saturated above b saturated
{
    u32 r;
    asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(r) : "r"(in[0] + 70000), "r"(-(int)in[1]));
    if (threadIdx.x == 0) out[0] = r;
}
KERNEL(cvt_pack_u8)                                     // c's lower half moves up, a and b below
{
    u32 r;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;"
        : "=r"(r) : "r"(in[0] + 300), "r"(-(int)in[1]), "r"(in[2]));
    if (threadIdx.x == 0) out[0] = r;
}
KERNEL(mad_cc_u64)                                      // mad.cc, madc: 64 bits since PTX 4.3
{
    u64 lo, hi;
    asm("mad.lo.cc.u64 %0, %2, %2, %3; madc.hi.u64 %1, %2, %2, 0;"
        : "=l"(lo), "=l"(hi) : "l"(WIDE[1]), "l"(~0ull));
    if (threadIdx.x == 0) out[0] = lo + hi;
}
KERNEL(lop3_or_predicate)                               // lop3.BoolOp: PTX 8.2
{
    u32 r, q;
    asm("{ .reg .pred p, q; setp.ne.u32 q, %2, %2; lop3.or.b32 %0|p, %2, %3, %4, 0x96, q;"
        " selp.u32 %1, 1, 0, p; }" : "=r"(r), "=r"(q) : "r"(in[0]), "r"(in[1]), "r"(in[2]));
    if (threadIdx.x == 0) out[0] = r * 2 + q;
}
KERNEL(negated_predicate_operand)                       // xor, and, or: .pred operands; Operand !p
{
    u32 r;
    asm("{ .reg .pred p, q; setp.eq.u32 p, %1, %1; setp.eq.u32 q, %1, %1; xor.pred p, !p, q;"
        " selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(in[0]));
    if (threadIdx.x == 0) out[0] = r;
}
KERNEL(constant_expression)                             // Constant Expressions
{
    u32 r;
    asm("mov.u32 %0, (1 << 4) + 3;" : "=r"(r));
    if (threadIdx.x == 0) out[0] = r;
}
KERNEL(mov_b128)                                        // .b128: PTX 8.3
{
    u64 lo, hi;
    asm("{ .reg .b128 q; mov.b128 q, {%2, %3}; mov.b128 {%0, %1}, q; }"
        : "=l"(lo), "=l"(hi) : "l"(WIDE[0]), "l"(WIDE[1]));
    if (threadIdx.x == 0) out[0] = hi - lo;
}
KERNEL(red_v2_f32)                                      // red .v2.f32: PTX 8.1, sm_90
{
    if (threadIdx.x == 0)
        asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(out), "f"(0.0f), "f"(1.0f) : "memory");
}
KERNEL(globaltimer_lo)                                  // %globaltimer_lo: the lower word
{
    u32 a, b;
    asm volatile("mov.u32 %0, %%globaltimer_lo; mov.u32 %1, %%globaltimer_hi;" : "=r"(a), "=r"(b));
    if (threadIdx.x == 0) out[0] = a == b && a == 77 ? 0 : 1;
}
KERNEL(aggr_smem_size)                                  // %aggr_smem_size: PTX 8.1, sm_90
{
    u32 a, b;
    asm volatile("mov.u32 %0, %%aggr_smem_size; mov.u32 %1, %%total_smem_size;" : "=r"(a), "=r"(b));
    if (threadIdx.x == 0) out[0] = a >= b;
}
KERNEL(pmevent)                                         // pmevent: no effect on the program
{
    asm volatile("pmevent 1;");
    if (threadIdx.x == 0) out[0] = 1;
}
KERNEL(alloca_stack)                                    // alloca, stacksave: PTX 7.3, sm_52
{
    u64 p, saved;
    asm volatile("stacksave.u64 %0;" : "=l"(saved));
    asm volatile("alloca.u64 %0, %1, 16; cvta.local.u64 %0, %0;" : "=l"(p) : "l"((u64)in[2] * 4));
    ((volatile u32 *)p)[in[0]] = 1234;
    if (threadIdx.x == 0) out[0] = ((volatile u32 *)p)[in[0]];
    asm volatile("stackrestore.u64 %0;" ::"l"(saved));
}

// ---- variants ----
KERNEL(pipeline)                                        // two stages: arrivals before anybody waits
{
    __shared__ volatile u32 buffer[2];
    u32 sum = 0;
    if (threadIdx.x < 32) {
        for (u32 k = 0; k < 6; k++) {
            asm volatile("bar.sync %0, 64;" ::"r"(4 + k % 2) : "memory");
            if (threadIdx.x == 0) buffer[k % 2] = k + 1;
            asm volatile("bar.arrive %0, 64;" ::"r"(6 + k % 2) : "memory");
        }
    } else {
        asm volatile("bar.arrive 4, 64; bar.arrive 5, 64;" ::: "memory");
        for (u32 k = 0; k < 6; k++) {
            asm volatile("bar.sync %0, 64;" ::"r"(6 + k % 2) : "memory");
            sum = sum * 10 + buffer[k % 2];
            if (k < 4) asm volatile("bar.arrive %0, 64;" ::"r"(4 + k % 2) : "memory");
        }
        if (threadIdx.x == 32) out[0] = sum;
    }
}
KERNEL(vectors_exchange)
{
    u32 r;
    asm("{ .reg .v2 .b32 v<2>; mov.v2.b32 v0, {%1, %2}; mov.v2.b32 v0, {v0.y, v0.x};"
        " mov.v2.b32 v1, v0; sub.u32 %0, v1.x, v1.g; }" : "=r"(r) : "r"(in[0]), "r"(in[2]));
    if (threadIdx.x == 0) out[0] = r;
}
KERNEL(expressions)
{
    u32 r, q;
    u64 w;
    asm("mov.u32 %0, 7 * -(3 - 5) / 2 %% 4 | 8 ^ (~0 & 16) << 1; mov.u32 %1, (5 > 3 && !0) ? 40 : 0x10;"
        " mov.u64 %2, (.u64) -1 >> 60;" : "=r"(r), "=r"(q), "=l"(w));
    asm volatile("{ .reg .b32 t; ld.global.u32 t, [%1+4*(WARP_SZ/32)+8]; add.u32 %0, %0, t; }" : "+r"(q) : "l"(in));
    if (threadIdx.x == 0) out[0] = r * 10000 + q * 100 + w;
}
KERNEL(atom_v4_f32)
{
    float a, b, c, d;
    if (threadIdx.x == 0) {
        asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(in), "f"(1.0f), "f"(2.0f), "f"(3.0f), "f"(4.0f)
                     : "memory");
        asm volatile("atom.global.v4.f32.add {%0, %1, %2, %3}, [%4], {%5, %5, %5, %6};"
                     : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(in), "f"(0.5f), "f"(-4.0f) : "memory");
        const volatile float *now = (const volatile float *)in;
        out[0] = a + 10 * b + 100 * c + 1000 * d == 4321 && now[0] + now[1] + now[2] == 7.5f && now[3] == 0;
    }
}
__device__ __noinline__ u32 allocates(u32 n)
{
    u64 p;
    asm volatile("alloca.u64 %0, %1; cvta.local.u64 %0, %0;" : "=l"(p) : "l"((u64)n));
    *(volatile u32 *)p = n;
    return *(volatile u32 *)p;
}
KERNEL(alloca_again)                                    // what a function allocated is free when it returns
{
    u32 sum = 0;
    for (u32 k = 0; k < 100; k++) sum += allocates(1024 + in[0]);
    if (threadIdx.x == 0) out[0] = sum;
}
KERNEL(lop3_and_predicate)
{
    u32 r;
    asm("{ .reg .pred p, q; setp.eq.u32 q, %1, %1; lop3.and.b32 _|p, %1, %2, %3, 0x80, !q;"
        " selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(in[0]), "r"(in[1]), "r"(in[2]));
    if (threadIdx.x == 0) out[0] = r;
}
KERNEL(cvt_pack_s4)
{
    u32 r;
    asm("cvt.pack.sat.s4.s32.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(in[0] + 300), "r"(-100), "r"(in[2]));
    if (threadIdx.x == 0) out[0] = r;
}
KERNEL(dynamic_size)
{
    u32 a;
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(a));
    if (threadIdx.x == 0) out[0] = a;
}

static int bad, tried;
static void check(const char *name, void (*kernel)(u64 *, const u32 *), u64 want)
{
    static const u64 words[4] = { 3 | 5ull << 32, 7 | 9ull << 32, 1ull << 40, (1ull << 40) + 77 };
    u64 *out, got = 0;
    u32 *in;
    tried++;
    cudaMalloc(&out, 16), cudaMalloc(&in, sizeof words);
    cudaMemset(out, 0, 16);
    cudaMemcpy(in, words, sizeof words, cudaMemcpyHostToDevice);
    kernel<<<1, 64, 256>>>(out, in);
    cudaError_t e = cudaDeviceSynchronize();
    if (e == cudaSuccess) e = cudaGetLastError();
    if (e == cudaSuccess) cudaMemcpy(&got, out, 8, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess) bad++, printf("FAIL: %s: %s\n", name, cudaGetErrorString(e));
    else if (got != want) bad++, printf("FAIL: %s is %llx, right is %llx\n", name, got, want);
}

int main()
{
    check("bar.sync of a register", bar_sync_register, 66);
    check("bar.sync of registers", bar_sync_register_count, 66);
    check("bar.arrive", bar_arrive, 66);
    check("a vector register", vector_register, 12);
    check("a vector register's load", vector_register_load, 4);
    check("mov.v4 of %ntid", mov_v4_tid, 66);
    check("sad.s64", sad_s64, 80);
    check("sad.u64", sad_u64, 82);
    check("cvt.pack.sat.s16.s32", cvt_pack_s16, 0x7ffffffb);
    check("cvt.pack.sat.u8.s32.b32", cvt_pack_u8, 0x0007ff00);
    check("mad.lo.cc.u64, madc.hi.u64", mad_cc_u64,
          (154ull << 40) + 5928 + (1 << 16) + 1);
    check("lop3.or.b32 with a predicate", lop3_or_predicate, 3);
    check("xor.pred of !p", negated_predicate_operand, 1);
    check("a constant expression", constant_expression, 19);
    check("mov.b128", mov_b128, 77);
    check("red.add.v2.f32", red_v2_f32, 0x3f80000000000000);
    check("%globaltimer_lo", globaltimer_lo, 1);
    check("%aggr_smem_size", aggr_smem_size, 1);
    check("pmevent", pmevent, 1);
    check("alloca, stacksave, stackrestore", alloca_stack, 1234);
    check("bar.arrive, two stages", pipeline, 123456);
    check("vectors that exchange", vectors_exchange, 4);
    check("constant expressions", expressions, (3 | 8 ^ 32) * 10000 + (40 + 9) * 100 + 15);
    check("atom.v4.f32", atom_v4_f32, 1);
    check("alloca in a function", alloca_again, 100 * 1027);
    check("lop3.and.b32 of !q", lop3_and_predicate, 2);
    check("cvt.pack.sat.s4.s32.b32", cvt_pack_s4, 7 << 8 | 0x78);
    check("%dynamic_smem_size", dynamic_size, 256);
    if (bad) return printf("%d of %d are refused or wrong\n", bad, tried), 1;
    printf("PASS\n");
    return 0;
}
