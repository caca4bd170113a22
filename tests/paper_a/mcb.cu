// MCB: particles through square zones, `particles` by each thread.
// SPDX-License-Identifier: Apache-2.0
// Loop Merge: how many events a particle lives through differs from one to a hundred.
#include "mcb.h"

extern "C" __global__ void mcb(unsigned *scores, unsigned *ends, int particles)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned escaped = 0, census = 0, events = 0;
    SIMT_PREDICT(event, 16);
    for (int k = 0; k < particles; k++) {
        mcb_particle p;
        mcb_birth(&p, thread * particles + k);
        bool alive = true;
        while (alive) {
            SIMT_LABEL(event);
            int zone = p.zy * MCB_ZONES + p.zx;
            mcb_event e = mcb_fly(&p);
            events++;
            if (e == MCB_COLLIDE) {
                float before = p.weight;
                p.weight *= MCB_SURVIVAL;
                alive = p.weight >= MCB_CUTOFF;
                atomicAdd(&scores[zone], (unsigned)((before - (alive ? p.weight : 0.0f)) * MCB_SCALE));
                mcb_isotropic(&p);
            } else if (e == MCB_END) {
                census++;
                alive = false;
            } else {
                if (e == MCB_CROSS_X)
                    p.zx += p.u > 0.0f ? 1 : -1;
                else
                    p.zy += p.v > 0.0f ? 1 : -1;
                alive = (unsigned)p.zx < MCB_ZONES && (unsigned)p.zy < MCB_ZONES;
                escaped += !alive;
            }
        }
    }
    ends[thread * 3] = escaped;
    ends[thread * 3 + 1] = census;
    ends[thread * 3 + 2] = events;
}
