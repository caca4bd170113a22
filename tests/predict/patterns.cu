/* Where speculative reconvergence lets lanes meet: one kernel for each pattern, all over the same parameters.
 * SPDX-License-Identifier: Apache-2.0
 * tests/predict/placements.pl compares what every placement stores; docs/speculative.md shows some. */
#include <simt_predict.h>
#define KERNEL extern "C" __global__ void

__device__ unsigned here() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ unsigned next(unsigned x) { return x * 1664525u + 1013904223u; }

__device__ unsigned work(unsigned x, unsigned n)
{
    unsigned s = x;
#pragma unroll 1
    for (unsigned i = 0; i < n; i++) s = (s ^ i) * 2654435761u + (s >> 7);
    return s;
}

/* Iteration Delay: Listing 1 of the paper. */
KERNEL delay(unsigned *out, unsigned n)
{
    unsigned x = here() * 77 + 3, s = 0;
    SIMT_PREDICT(rare);
    for (unsigned i = 0; i < n; i++) {
        x = next(x);
        if ((x >> 20 & 7) == 0) {
            SIMT_LABEL(rare);
            s += work(x, 20);
        }
        s ^= x >> 3;
    }
    out[here()] = s;
}

/* Loop Merge: an inner loop whose trip count differs. */
KERNEL merge(unsigned *out, unsigned n)
{
    unsigned x = here() * 77 + 3, s = 0;
    SIMT_PREDICT(inner, 16);
    for (unsigned i = 0; i < n; i++) {
        x = next(x);
        unsigned trips = 1 + (x >> 27), j = 0;
        do {
            SIMT_LABEL(inner);
            s = s * 3 + (x ^ j);
            s ^= s >> 5;
        } while (++j < trips);
        s += x >> 3;
    }
    out[here()] = s;
}

/* Two predictions in one region: lanes that wait at one label leave the other's barrier. */
KERNEL two(unsigned *out, unsigned n)
{
    unsigned x = here() * 77 + 3, s = 0;
    SIMT_PREDICT(first);
    SIMT_PREDICT(second);
    for (unsigned i = 0; i < n; i++) {
        x = next(x);
        if ((x >> 20 & 3) == 0) {
            SIMT_LABEL(first);
            s += work(x, 9);
        }
        if ((x >> 23 & 3) == 0) {
            SIMT_LABEL(second);
            s ^= work(s, 7);
        }
    }
    out[here()] = s;
}

/* Nested levels: each round of the outer loop is a region of its own around the inner one. */
KERNEL nested(unsigned *out, unsigned n)
{
    unsigned x = here() * 77 + 3, s = 0;
    SIMT_PREDICT(outer);
    for (unsigned i = 0; i < n / 4; i++) {
        x = next(x);
        if ((x >> 20 & 3) == 0) {
            SIMT_LABEL(outer);
            s += work(x, 5);
        }
        SIMT_PREDICT(deep);
        for (unsigned j = 0; j < (x >> 28); j++) {
            s = next(s ^ j);
            if ((s >> 20 & 3) == 0) {
                SIMT_LABEL(deep);
                s += work(s, 6);
            }
        }
    }
    out[here()] = s;
}

/* Lanes leave the region in the middle, and one half of them ends there. */
KERNEL leaves(unsigned *out, unsigned n)
{
    unsigned x = here() * 77 + 3, s = 0;
    SIMT_PREDICT(rare, 4);
    for (unsigned i = 0; i < n; i++) {
        x = next(x);
        if ((x >> 20 & 3) == 0) {
            SIMT_LABEL(rare);
            s += work(x, 8);
            if ((s & 15) == 1) break;
        }
        if ((x >> 16 & 63) == 5) {
            out[here()] = s;
            return;
        }
    }
    out[here()] = s ^ 1;
}

/* Inlining makes two regions of this, and two labels. */
__device__ __forceinline__ unsigned search(unsigned x, unsigned n)
{
    unsigned s = 0;
    SIMT_PREDICT(found);
    for (unsigned i = 0; i < n; i++) {
        x = next(x);
        if ((x >> 20 & 7) == 0) {
            SIMT_LABEL(found);
            s += work(x, 6);
        }
    }
    return s;
}

KERNEL inlined(unsigned *out, unsigned n)
{
    unsigned s = search(here(), n / 2);
    out[here()] = s + search(s, n / 3);
}

/* A region that is entered again in each round of a loop around it. */
KERNEL rounds(unsigned *out, unsigned n)
{
    unsigned x = here() * 77 + 3, s = 0;
    for (unsigned r = 0; r < 4; r++) {
        SIMT_PREDICT(rare, 8);
        for (unsigned i = 0; i < n / 4 + (x & 3); i++) {
            x = next(x);
            if ((x >> 20 & 3) == 0) {
                SIMT_LABEL(rare);
                s += work(x, 8);
            }
        }
        s ^= r;
    }
    out[here()] = s;
}

/* Figure 2(c): both sides of a branch call one function, and a function between them does. */
__device__ __noinline__ unsigned common(unsigned x) { return work(x, 12); }
__device__ __noinline__ unsigned between(unsigned x) { return x & 4 ? common(x) + 1 : x ^ 5; }

KERNEL function(unsigned *out, unsigned n)
{
    unsigned x = here() * 77 + 3, s = 0;
    SIMT_PREDICT(common);
    for (unsigned i = 0; i < n; i++) {
        x = next(x);
        if ((x >> 20 & 3) == 0) s += common(s) + 3;
        else if ((x >> 20 & 3) == 1) s = common(s + x);
        else if ((x >> 20 & 3) == 2) s = between(s + x);
        s += x >> 3;
    }
    out[here()] = s + common(x);
}

/* The function calls itself: its own calls are waits, too; and two functions at which one region's lanes meet. */
__device__ __noinline__ unsigned tree(unsigned n) { return n < 2 ? n : tree(n - 1) + tree(n - 2); }

KERNEL recursive(unsigned *out, unsigned n)
{
    unsigned x = here() * 77 + 3, s = 0;
    SIMT_PREDICT(common);
    SIMT_PREDICT(tree);
    for (unsigned i = 0; i < n / 2; i++) {
        x = next(x);
        if (x >> 30 == 1) s += common(x >> 9);
        else if (x >> 30 == 2) s ^= common(x);
        else s += tree(x >> 29);
    }
    out[here()] = s;
}

/* Lanes come to the function through a pointer, too, which may as well lead elsewhere. */
__device__ __noinline__ unsigned other(unsigned x) { return x & 16 ? between(x) : x * 3; }
__device__ unsigned (*const pointer[2])(unsigned) = { common, other };

KERNEL by_pointer(unsigned *out, unsigned n)
{
    unsigned x = here() * 77 + 3, s = 0;
    SIMT_PREDICT(common);
    for (unsigned i = 0; i < n; i++) {
        x = next(x);
        if (x >> 30 == 1) s += common(x >> 9);
        else if (x >> 30 == 2) s ^= pointer[x >> 27 & 1](x);
        s += x >> 3;
    }
    out[here()] = s;
}
