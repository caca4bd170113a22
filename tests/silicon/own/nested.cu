// Loops and branches one within another, whose lanes meet in between; blocks of 40 threads.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void nested(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i], sum = i;
    for (unsigned k = 0; k < (x & 3) + 2; k++) {
        if (sum & 1) {
            for (unsigned j = 0; j < (sum >> 3 & 3); j++)
                out[i] += sum * j;
            sum = sum / 3 + k;
        } else if (sum & 2) {
            out[i] ^= sum;
            sum = sum * 7 + 1;
        } else {
            out[i] += 3;
            sum += x;
        }
        __syncwarp();
    }
    out[i] += sum;
}
