/* The reactor core of RSBench and XSBench: twelve materials and how often a neutron is in each.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hoogenboom and Martin's benchmark, "large": 355 nuclides, 4 to 321 of them in a material.  Both
 * programs take the number of nuclides of a material and its probability from these tables. */
#ifndef PAPER_A_MATERIALS_H
#define PAPER_A_MATERIALS_H
#include "shared.h"

enum { NUCLIDES = 355, MATERIALS = 12, MATERIAL_SLOTS = 484 /* sum of MATERIAL_NUCLIDES */ };
#define MATERIAL_SEED 1070ull

/* fuel, cladding, cold and hot borated water, vessel, reflectors, plates, nozzles, assemblies */
#define MATERIAL_NUCLIDES { 321, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9 }
#define MATERIAL_SHARE                                                                             \
    {                                                                                              \
        0.140f, 0.052f, 0.275f, 0.134f, 0.154f, 0.064f, 0.066f, 0.055f, 0.008f, 0.015f, 0.025f,    \
            0.013f                                                                                 \
    }

/* Of a lookup's random number: the first material whose running share exceeds it. */
PA_FN int material_pick(const float *running, float roll)
{
    int m = 0;
    while (m < MATERIALS - 1 && roll >= running[m])
        m++;
    return m;
}
#ifndef __CUDA__
/* For each material its first slot (first[MATERIALS]: one past the last), nuclide and density of
 * each slot, and the running shares. */
struct materials {
    int first[MATERIALS + 1], nuclide[MATERIAL_SLOTS];
    float density[MATERIAL_SLOTS], running[MATERIALS];
};
void materials_make(struct materials *m, pa_u64 *seed);
#endif
#endif
