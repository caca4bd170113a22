// Paper D's kernel, whose branch becomes predication, and a loop whose trip count diverges.
// SPDX-License-Identifier: Apache-2.0
// LANES: 1 2 4 8 16 32
// RUN: --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100
// EXPECT: steps[0:8] = 0 1 7 2 5 8 16 3
// EXPECT: steps[96:104] = 118 25 25 25 0 0 0 0
// EXPECT: data[0:8] = 5.13587141 8.89904594 15.0855398 5.97489262 5.97442961 9.31212425 12.3158512 4.37758827
extern "C" __global__ void divergent_kernel(float *data, int *steps, int n)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        if (data[idx] > 0.5f) {
            data[idx] = data[idx] * 4.0f;
        } else {
            data[idx] = data[idx] + 2.0f;
        }
        data[idx] = data[idx] * data[idx];

        // Collatz: how many steps it takes from idx + 1 to 1 differs from lane to lane.
        unsigned x = idx + 1;
        int count = 0;
        while (x != 1) {
            x = x & 1 ? 3 * x + 1 : x / 2;
            count++;
        }
        steps[idx] = count;
    }
}
