/* Materials of the reactor core; see materials.h.
 * SPDX-License-Identifier: Apache-2.0 */
#include "materials.h"

/* Fuel holds the first 321 nuclides; the others draw theirs, each at most once. */
void materials_make(struct materials *m, pa_u64 *seed)
{
    static const int count[MATERIALS] = MATERIAL_NUCLIDES;
    static const float share[MATERIALS] = MATERIAL_SHARE;
    int slot = 0;
    float sum = 0;
    for (int k = 0; k < MATERIALS; k++) {
        char taken[NUCLIDES] = { 0 };
        m->first[k] = slot;
        m->running[k] = sum += share[k];
        for (int i = 0; i < count[k]; slot++, i++) {
            int n = k ? (int)(pa_lcg(seed) * NUCLIDES) : i;
            while (taken[n])
                n = (n + 1) % NUCLIDES;
            taken[n] = 1;
            m->nuclide[slot] = n;
            m->density[slot] = pa_lcg(seed);
        }
    }
    m->first[MATERIALS] = slot;
}
