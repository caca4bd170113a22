/* The loops of bench_model as native vector code.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/native.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LANES = 32, TURNS = 1000000, DIVERGENT_ROUNDS = 2000 };
typedef uint32_t row __attribute__((vector_size(4 * LANES)));
typedef float float_row __attribute__((vector_size(4 * LANES)));
static row r[64] __attribute__((aligned(128)));

/* Nothing is kept in the host's registers from one instruction to the next. */
#define BARRIER __asm__ volatile("" ::: "memory")

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void start(void)
{
    for (unsigned i = 0; i < LANES; i++) {
        r[1][i] = i + 1;
        r[2][i] = i * 7 + 3;
        r[3][i] = i;
    }
}

double native_int(void)
{
    start();
    double t0 = seconds();
    for (unsigned k = 0; k < TURNS; k++) {
        r[1] = r[1] * r[2] + r[3]; BARRIER;
        r[3] = r[3] + r[1]; BARRIER;
        r[4] = r[3] ^ r[1]; BARRIER;
        r[5] = r[4] << 3; BARRIER;
        r[2] = r[5] + r[4]; BARRIER;
        r[6] = r[6] + 1; BARRIER;
    }
    return 7.0 * TURNS / (seconds() - t0);
}

static inline void fma_row(unsigned d, unsigned a, unsigned b, unsigned c)
{
    float *to = (float *)&r[d];
    const float *x = (const float *)&r[a], *y = (const float *)&r[b], *z = (const float *)&r[c];
#pragma GCC ivdep
    for (unsigned l = 0; l < LANES; l++)
        to[l] = __builtin_fmaf(x[l], y[l], z[l]);
    BARRIER;
}

double native_f32(void)
{
    float_row one = (float_row){ 0 } + 1.0f;
    start();
    memcpy(&r[1], &one, sizeof one);
    one *= 0.5f;
    memcpy(&r[2], &one, sizeof one);
    double t0 = seconds();
    for (unsigned k = 0; k < TURNS; k++) {
        fma_row(1, 1, 2, 3);
        fma_row(3, 3, 2, 1);
        fma_row(4, 3, 2, 1);
        fma_row(5, 4, 2, 3);
        fma_row(7, 5, 2, 4);
        r[6] = r[6] + 1; BARRIER;
    }
    return 7.0 * TURNS / (seconds() - t0);
}

/* One instruction of the lanes in `mask`. */
#define UNDER(d, value) do { row v_ = (value); r[d] = (v_ & mask) | (r[d] & ~mask); BARRIER; } while (0)
#define HASH(k, shift) \
    do { \
        UNDER(24, (row){ 0 } + (k)); \
        UNDER(24, r[3] * ((k) | 1) + r[24]); \
        UNDER(25, r[24] >> (shift)); \
        UNDER(3, r[24] ^ r[25]); \
    } while (0)

/* A turn of the inner loop: 16 steps of four instructions, a word counted up by each lane, three stores, STEP. */
static unsigned turn(row mask, uint32_t lanes, uint32_t *log, uint32_t *counter)
{
    uint32_t *old = (uint32_t *)&r[13];
    for (unsigned k = 0; k < 4; k++) {
        HASH(0x9e3779b1u + k, 7); HASH(0x9e3b2efbu + k, 9); HASH(0x9e3ee445u + k, 11); HASH(0x9e42998fu + k, 5);
        if (k != 1)
            continue;
        for (uint32_t left = lanes; left; left &= left - 1)
            old[__builtin_ctz(left)] = (*counter)++;
        for (unsigned i = 0; i < 3; i++) {
            row *to = (row *)(log + LANES * i);
            *to = (r[13 + i] & mask) | (*to & ~mask); BARRIER;
        }
    }
    UNDER(2, r[2] * 1664525u + r[3]); UNDER(25, r[2] >> 16); UNDER(11, r[11] * 31u + r[25]);
    UNDER(18, r[18] + 1); UNDER(22, r[22] + 1); UNDER(10, r[10] + 1);
    return 64 + 4 + 6 + 2;                      /* and compare and branch */
}

/* Lane l makes (x >> 20) & 15 turns, as in the kernel: lanes leave one after the other. */
double native_divergent(void)
{
    static uint32_t log[3 * LANES] __attribute__((aligned(128)));
    uint32_t x = 12345, counter = 0;
    uint64_t insns = 0;
    start();
    double t0 = seconds();
    for (unsigned round = 0; round < DIVERGENT_ROUNDS; round++) {
        uint32_t turns[LANES];
        for (unsigned l = 0; l < LANES; l++, x = x * 1664525u + 1013904223u)
            turns[l] = x >> 20 & 15;
        for (uint32_t k = 0; ; k++) {
            row mask = { 0 };
            uint32_t lanes = 0;
            for (unsigned l = 0; l < LANES; l++) {
                mask[l] = 0u - (turns[l] > k);
                lanes |= (uint32_t)(turns[l] > k) << l;
            }
            if (!lanes)
                break;
            insns += turn(mask, lanes, log, &counter);
        }
    }
    return (double)insns / (seconds() - t0);
}

double native_copy(size_t bytes)
{
    static char *from, *to;
    if (!from) {
        from = aligned_alloc(1 << 21, bytes);
        to = aligned_alloc(1 << 21, bytes);
        if (!from || !to)
            return 0;
        memset(from, 1, bytes);
        memset(to, 2, bytes);
    }
    double t0 = seconds();
    memcpy(to, from, bytes);
    BARRIER;
    return 2.0 * (double)bytes / (seconds() - t0);
}
