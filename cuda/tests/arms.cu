// __activemask and coalesced_threads at the beginning of both arms of an if, of each arm of a switch, in nested arms and
// in loops: they hold lanes of the own arm alone, and a full ballot afterwards has all lanes.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cstdio>
typedef unsigned u32;
namespace cg = cooperative_groups;
enum { KINDS = 8 };

__device__ u32 add_up(u32 m, u32 v)
{
    u32 sum = 0;
    for (u32 left = m; left; left &= left - 1) sum += __shfl_sync(m, v, __ffs((int)left) - 1);
    return sum;
}
__device__ u32 lanes_of(cg::coalesced_group g) { return g.ballot(1) ? g.size() : 0; }

// Which lanes are together with this one is kind's class; out: mask, what it adds up to.
__global__ void arms(u32 *out, u32 *full, const u32 *in)
{
    u32 t = threadIdx.x, v = in[t], m[KINDS], sum[KINDS] = {};
    if (v & 1) m[0] = __activemask(), sum[0] = add_up(m[0], v);
    else m[0] = __activemask(), sum[0] = add_up(m[0], v);
    __syncwarp();
    full[t] = __ballot_sync(~0u, 1);
    switch (v & 3) {
    case 0: m[1] = __activemask(), sum[1] = add_up(m[1], v); break;
    case 1: m[1] = __activemask(), sum[1] = add_up(m[1], v) + 1; break;
    case 2: m[1] = __activemask(), sum[1] = add_up(m[1], v) + 2; break;
    default: m[1] = __activemask(), sum[1] = add_up(m[1], v) + 3;
    }
    __syncwarp();
    sum[1] -= v & 3;
    if (v & 4) {
        if (v & 2) m[2] = __activemask();
        else m[2] = __activemask();
        sum[2] = add_up(m[2], v);
    } else {
        if (v & 2) m[2] = __activemask();
        else m[2] = __activemask();
        sum[2] = add_up(m[2], v);
    }
    __syncwarp();
    for (u32 k = 0; k < (v & 3); k++) {
        if (v & 8) m[3] = __activemask(), sum[3] = add_up(m[3], v) + k;
        else m[3] = __activemask(), sum[3] = add_up(m[3], v) + k;
    }
    if (v & 3) sum[3] -= (v & 3) - 1;
    else m[3] = 1u << t, sum[3] = v;
    __syncwarp();
    if (v & 1) { cg::coalesced_group g = cg::coalesced_threads(); m[4] = __activemask(), sum[4] = lanes_of(g) == g.num_threads() ? g.size() : 0; }
    else { cg::coalesced_group g = cg::coalesced_threads(); m[4] = __activemask(), sum[4] = lanes_of(g) == g.num_threads() ? g.size() : 0; }
    __syncwarp();
    m[5] = v & 2 ? __activemask() : __activemask(), sum[5] = 0;
    __syncwarp();
    if (v & 1) { m[6] = __activemask(); if (v & 16) sum[6] = add_up(__activemask(), v); else sum[6] = add_up(__activemask(), v); }
    else m[6] = __activemask(), sum[6] = add_up(m[6], v);
    __syncwarp();
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p bra ODD; activemask.b32 %0; bra END; ODD: activemask.b32 %0; END: }"
                 : "=r"(m[7]) : "r"(v & 1));
    sum[7] = 0;
    __syncwarp();
    full[32 + t] = __ballot_sync(~0u, 1);
    for (u32 k = 0; k < KINDS; k++) out[(2 * k) * 32 + t] = m[k], out[(2 * k + 1) * 32 + t] = sum[k];
}

static u32 class_of(u32 kind, u32 v)
{
    switch (kind) {
    case 1: return v & 3;
    case 2: return v & 6;
    case 3: return v & 8;
    case 5: return v & 2;
    }
    return v & 1;
}

int main()
{
    static u32 in[32], out[KINDS * 64], full[64], *din, *dout, *dfull;
    int bad = 0;
    for (u32 t = 0; t < 32; t++) in[t] = t * 29 % 53 + 1;
    cudaMalloc(&din, sizeof in), cudaMalloc(&dout, sizeof out), cudaMalloc(&dfull, sizeof full);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    arms<<<1, 32>>>(dout, dfull, din);
    if (cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost)) return puts("FAIL: launch"), 1;
    cudaMemcpy(full, dfull, sizeof full, cudaMemcpyDeviceToHost);
    for (u32 t = 0; t < 64; t++) if (full[t] != ~0u && !bad++) printf("FAIL: full ballot %u is %08x\n", t, full[t]);
    for (u32 k = 0; k < KINDS; k++)
        for (u32 t = 0; t < 32; t++) {
            u32 m = out[2 * k * 32 + t], s = out[(2 * k + 1) * 32 + t], own = 0, sum = 0;
            for (u32 l = 0; l < 32; l++) own |= (u32)(class_of(k, in[l]) == class_of(k, in[t])) << l;
            for (u32 l = 0; l < 32; l++) sum += m >> l & 1 ? in[l] : 0;
            sum = k == 4 ? (u32)__builtin_popcount(m) : k == 5 || k == 7 ? 0 : sum;
            bool splits = k == 6 && (in[t] & 1);
            if ((m & ~own || !(m >> t & 1)) && bad++ < 9) printf("FAIL: kind %u lane %u of %08x sees %08x\n", k, t, own, m);
            if (s != sum && !splits && bad++ < 9) printf("FAIL: kind %u lane %u adds up %u, right is %u\n", k, t, s, sum);
        }
    puts(bad ? "FAIL" : "PASS");
    return bad != 0;
}
