// RUN: --grid 1 --block 64 out:s32[64] limit:i32[2]=fill:3
// EXPECT: out[0:8] = 0 3 6 9 12 15 18 21
// LANES: 4
// Lanes leave a search one by one and wait for the block, then come back to it by the loop around it: those that still
// search must not wait for them at its head.
__global__ void loop_left(int *out, const int *limit)
{
    __shared__ int rounds, more, values[66];
    int t = threadIdx.x;
    if (t == 0) rounds = more = 0;
    __syncthreads();
    while (rounds < limit[0] || more < limit[1]) {
        values[t + 1] = t;
        if (t == 0) values[0] = -1, values[65] = 64;
        __syncthreads();
        int step = 32, at = 32;
        while (true) {
            step = (step + 1) >> 1;
            if (values[at + 1] > t) {
                if (values[at] <= t) break;
                at -= step;
            } else {
                at += step;
            }
        }
        out[t] += at - 1;
        if (t == 63) rounds++, more++;
        __syncthreads();
    }
}
