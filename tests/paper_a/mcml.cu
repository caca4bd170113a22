// GPU-MCML: photon packets through layered tissue, `packets` by each thread.
// SPDX-License-Identifier: Apache-2.0
// Loop Merge: a packet lives for one to many hundreds of steps.
#include "mcml.h"

extern "C" __global__ void mcml(const ml_layer *tissue, pa_u64 *absorbed, pa_u64 *reflected, pa_u64 *transmitted, int packets)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    ml_photon p;
    p.rng = pa_hash(thread + 1);
    SIMT_PREDICT(hop);
    for (int k = 0; k < packets; k++) {
        ml_launch(&p, tissue[0].n);
        bool alive = true;
        while (alive) {
            SIMT_LABEL(hop);
            const ml_layer *l = &tissue[p.layer];
            int way = ml_hop(&p, l);
            if (way) {
                if (ml_cross(&p, tissue, way)) {
                    atomicAdd(&(way < 0 ? reflected : transmitted)[ml_ring(&p)], (pa_u64)(unsigned)(p.weight * ML_SCALE));
                    alive = false;
                }
            } else {
                int cell = ml_ring(&p) * ML_NZ + ml_depth(&p);
                atomicAdd(&absorbed[cell], (pa_u64)(unsigned)(ml_drop(&p, l) * ML_SCALE));
                ml_spin(&p, l->g);
            }
            if (alive)
                alive = ml_roulette(&p);
        }
    }
}
