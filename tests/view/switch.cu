// A switch whose sides join above them in the code: jumps back that are no loop.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void interpret(const unsigned *program, int *out, int n)
{
    int acc = threadIdx.x;
    unsigned at = threadIdx.x;
    for (int i = 0; i < n; i++) {
        switch (program[at & 255u] & 7u) {
        case 0: acc += i * 3; break;
        case 1: acc ^= acc << 3; break;
        case 2: acc = acc * 17 + 5; break;
        case 3: acc -= (acc >> 2) * i; break;
        case 4: acc = acc % (i + 7); break;
        case 5: acc |= 1 << (i & 15); break;
        case 6: acc = ~acc; break;
        case 7: acc = acc / (i + 3); break;
        }
        at = at * 1664525u + 1013904223u;
    }
    out[threadIdx.x] = acc;
}
