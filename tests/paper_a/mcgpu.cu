// MC-GPU: x-rays through a voxel phantom, `histories` by each thread.
// SPDX-License-Identifier: Apache-2.0
// Loop Merge: a photon takes few steps or many, most of them virtual.
#include "mcgpu.h"

extern "C" __global__ void mcgpu(const unsigned char *phantom, const mg_mu *mu, const float *woodcock, unsigned *dose,
                                 unsigned *detector, int histories)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    SIMT_PREDICT(step);
    for (int k = 0; k < histories; k++) {
        mg_photon p;
        p.rng.a = pa_hash(2 * (thread * histories + k)) % 2147483561 + 1;
        p.rng.b = pa_hash(2 * (thread * histories + k) + 1) % 2147483397 + 1;
        mg_birth(&p);
        for (;;) {
            SIMT_LABEL(step);
            int bin = mg_bin(p.energy), voxel = mg_fly(&p, woodcock[bin]);
            if (voxel < 0) {
                if (p.at.z >= (float)MG_SIDE)
                    atomicAdd(&detector[bin], 1u);
                break;
            }
            const mg_mu *m = &mu[phantom[voxel] * MG_BINS + bin];
            float roll = pa_ranecu(&p.rng) * woodcock[bin];
            if (roll < m->compton) {
                atomicAdd(&dose[voxel], (unsigned)(mg_compton(&p) * MG_SCALE));
            } else if (roll < m->compton + m->rayleigh) {
                mg_rayleigh(&p);
            } else if (roll < m->compton + m->rayleigh + m->photo || p.energy < MG_LOWEST) {
                atomicAdd(&dose[voxel], (unsigned)(p.energy * MG_SCALE));
                break;
            }
        }
    }
}
