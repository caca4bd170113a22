// new and delete without a header: objects by a virtual destructor, arrays, aligned ones, in place, none where the heap is
// full, something for no bytes.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4
// RUN: --grid 1 --block 4 out:i32[4]
// EXPECT: out[0:4] = 3003 3004 3007 3012
struct item {
    int a, b;
    __device__ item(int n) : a(n), b(n * n) {}
    __device__ virtual ~item() { a = b = -1; }
};
struct alignas(64) wide {
    int v[20];
    __device__ wide() { v[0] = 5; }
};
extern "C" __global__ void news(int *out)
{
    int t = threadIdx.x, *many = new int[t + 4];
    item *own = new item(t);
    for (int k = 0; k < 4; k++) many[k] = own->b + k;
    wide *w = new wide, *ws = new wide[3];
    out[t] = many[3] + (unsigned long long)w % 64 + (unsigned long long)ws % 64 + w->v[0] + ws[2].v[0] - 10;
    delete[] many;
    delete own;
    delete w;
    delete[] ws;
    void *room = malloc(100);
    item *at = new (room) item(3);
    out[t] += at->b - 9;
    at->~item();
    free(room);
    int *big = new int[10000000];
    if (!big) out[t] += 1000;
    char *none = new char[0];
    if (none) out[t] += 2000;
}
