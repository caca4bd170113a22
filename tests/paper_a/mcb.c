/* MCB on the host: one particle's life is a function.
 * SPDX-License-Identifier: Apache-2.0 */
#include "mcb.h"
#include "workload.h"

struct tally { uint32_t *scores, *ends; };       /* ends: escaped, census, events */

static void live(struct mcb_particle *p, const struct tally *t)
{
    for (;;) {
        uint32_t *score = &t->scores[p->zy * MCB_ZONES + p->zx];
        float before = p->weight;
        t->ends[2]++;
        switch (mcb_fly(p)) {
        case MCB_END:
            t->ends[1]++;
            return;
        case MCB_CROSS_X:
            p->zx += p->u > 0.0f ? 1 : -1;
            break;
        case MCB_CROSS_Y:
            p->zy += p->v > 0.0f ? 1 : -1;
            break;
        case MCB_COLLIDE:
            p->weight *= MCB_SURVIVAL;
            if (p->weight < MCB_CUTOFF) {
                *score += (uint32_t)(before * MCB_SCALE);
                return;
            }
            *score += (uint32_t)((before - p->weight) * MCB_SCALE);
            mcb_isotropic(p);
        }
        if (p->zx < 0 || p->zx >= MCB_ZONES || p->zy < 0 || p->zy >= MCB_ZONES) {
            t->ends[0]++;
            return;
        }
    }
}

void mcb_make(struct problem *p, enum size size)
{
    unsigned particles = size == SIZE_RTL ? 12 : 64;
    p->blocks = size == SIZE_RTL ? 1 : 4;
    p->threads = 128;
    unsigned threads = p->blocks * p->threads;
    struct tally t = { .scores = problem_out(p, "scores",
                                             sizeof(uint32_t) * MCB_ZONES * MCB_ZONES) };
    uint32_t *ends = problem_out(p, "ends", sizeof(uint32_t) * 3 * threads);
    problem_int(p, "particles", (int)particles);
    for (unsigned i = 0; i < threads * particles; i++) {
        struct mcb_particle one;
        mcb_birth(&one, i);
        t.ends = ends + 3 * (i / particles);
        live(&one, &t);
    }
}
