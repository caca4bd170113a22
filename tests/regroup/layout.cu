// Kernels whose elements can move, or seem to: --apply layout and auto (tests/fail/cli.sh).
// SPDX-License-Identifier: Apache-2.0
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

static __device__ unsigned work(unsigned n, unsigned x)
{
    for (unsigned i = 0; i < n; i++)
        x = x * 1664525 + 1013904223 + (x >> 7);
    return x;
}

// Where in its four words a thread reads, data decide: a run shows that it is always there.
extern "C" __global__ void inside(const unsigned *in, const unsigned *where, unsigned *out, unsigned n)
{
    unsigned g = ID;
    if (g < n)
        out[g] = work(in[4 * g + where[g]] & 255, g < n);
}

// A function may read and write, but not of other threads' elements.
static __device__ __noinline__ unsigned pick(const unsigned *table, unsigned at) { return table[at & 15]; }
extern "C" __global__ void table(const unsigned *in, const unsigned *letters, unsigned *out)
{
    unsigned g = ID;
    out[g] = work(in[g] & 127, pick(letters, in[g]));
}
extern "C" __global__ void stolen(const unsigned *in, unsigned *out)
{
    unsigned g = ID;
    out[g] = work(in[g] & 127, pick(in, 3));
}

// The function writes for the thread that it takes itself for.
static __device__ __noinline__ void put(unsigned *out, unsigned v) { out[ID] = v; }
extern "C" __global__ void asks(const unsigned *in, unsigned *out) { put(out, work(in[ID] & 127, 1)); }

// A thread's neighbour.
extern "C" __global__ void next(const unsigned *in, unsigned *out)
{
    unsigned g = ID;
    out[g] = work(in[g] & 127, in[g + 1]);
}

// Only its number says what a thread does: redirection alone helps.
extern "C" __global__ void number(unsigned *out) { out[ID] = work(ID % 32 * 8, 1); }

// No thread differs from another.
extern "C" __global__ void even(const unsigned *in, unsigned *out) { out[ID] = work(100, in[ID]); }

// Its lanes vote: nothing can be done.
extern "C" __global__ void votes(const unsigned *in, unsigned *out) { out[ID] = __any_sync(~0u, in[ID] & 1) + work(in[ID] & 63, 2); }

// Other work for the same data on the other side of a bound that is no multiple of 32, and in rows.
extern "C" __global__ void rows(const unsigned *in, unsigned *out, unsigned n)
{
    for (unsigned i = ID; i < n; i += gridDim.x * blockDim.x)
        out[i] = work(in[i] & 255, i < n);
}

// What it reads and writes is nobody's own.
extern "C" __global__ void alike(const unsigned *in, unsigned *out) { atomicAdd(out, work(in[0] & 15, 1)); }

// Neighbours read side by side, and by their number work more or less: in another order their loads scatter, which costs
// more on the core than lanes that wait.
extern "C" __global__ void scatters(const unsigned *in, unsigned *out)
{
    unsigned g = ID, s = work((g * 2654435761u >> 28) * 2, 1);
    for (unsigned i = 0; i < 16; i++)
        s += in[(g ^ i) & 1023];
    out[g] = s;
}
