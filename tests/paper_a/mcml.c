/* GPU-MCML on the host.
 * SPDX-License-Identifier: Apache-2.0 */
#include "mcml.h"
#include "workload.h"

static const struct ml_layer tissue[ML_LAYERS] = ML_TISSUE;
struct grids { pa_u64 *absorbed, *reflected, *transmitted; };

/* From launch to its end. */
static void packet(struct ml_photon *p, const struct grids *to)
{
    ml_launch(p, tissue[0].n);
    do {
        const struct ml_layer *l = &tissue[p->layer];
        int way = ml_hop(p, l);
        if (way && ml_cross(p, tissue, way)) {
            (way < 0 ? to->reflected
                     : to->transmitted)[ml_ring(p)] += (uint32_t)(p->weight * ML_SCALE);
            return;
        }
        if (!way) {
            pa_u64 *cell = &to->absorbed[ml_ring(p) * ML_NZ + ml_depth(p)];
            *cell += (uint32_t)(ml_drop(p, l) * ML_SCALE);
            ml_spin(p, l->g);
        }
    } while (ml_roulette(p));
}

void mcml_make(struct problem *p, enum size size)
{
    int packets = size == SIZE_RTL ? 3 : 32;
    p->blocks = size == SIZE_RTL ? 1 : 2;
    p->threads = 64;
    memcpy(problem_in(p, "tissue", sizeof tissue), tissue, sizeof tissue);
    struct grids to = { .absorbed = problem_out(p, "absorbed", sizeof(pa_u64) * ML_NR * ML_NZ) };
    to.reflected = problem_out(p, "reflected", sizeof(pa_u64) * ML_NR);
    to.transmitted = problem_out(p, "transmitted", sizeof(pa_u64) * ML_NR);
    problem_int(p, "packets", packets);
    for (unsigned t = 0; t < p->blocks * p->threads; t++) {
        struct ml_photon one = { .rng = pa_hash(t + 1) };
        for (int k = 0; k < packets; k++)
            packet(&one, &to);
    }
}
