// Blocks of three dimensions whose lanes switch, return early and loop; 63 threads a block.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void cube(const unsigned *in, unsigned *out, unsigned n)
{
    extern __shared__ unsigned s[];
    unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned per = blockDim.x * blockDim.y * blockDim.z;
    s[t] = in[b * per + t] & 255;
    __syncthreads();
    unsigned a = 0;
    switch (s[(t + 7) % per] % 6) {
    case 0: a = s[t] * 3; break;
    case 1: for (unsigned j = 0; j < t % 5; j++) a += s[j] * n; break;
    case 2: if (t & 1) return; a = 7; break;
    case 3: do { a += n; } while (a % 13); break;
    case 4: out[b * per + t] = 1; a = s[0]; break;
    default: a = 9; if (s[t] > 100) { a += s[t]; out[b * per + t] = a; }
    }
    out[b * per + t] += a;
}
