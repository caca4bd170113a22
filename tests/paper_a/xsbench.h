/* XSBench: cross sections of a nuclide by interpolation, and the checksum of a lookup, f32.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tramm, Siegel, Islam, Schulz: XSBench (2014): all nuclides' energies are merged into one
 * "unionized" grid, searched once a lookup; each of its points holds, for every nuclide, where the
 * nuclide's own grid continues.  Its verification hashes the printed line of each lookup: energy,
 * material, five cross sections with five decimals. */
#ifndef PAPER_A_XSBENCH_H
#define PAPER_A_XSBENCH_H
#include "materials.h"

enum { XS_KINDS = 5 };
/* total, elastic, absorption, fission, nu-fission */
struct xs_point { float energy, xs[XS_KINDS]; };

/* Between low and the point after it, times density, added to macro. */
PA_FN void xs_add(float macro[XS_KINDS], const struct xs_point *low, float e, float density)
{
    const struct xs_point *high = low + 1;
    float f = (high->energy - e) / (high->energy - low->energy);
    PA_UNROLL
    for (int k = 0; k < XS_KINDS; k++) {
        float micro = fmaf(-f, high->xs[k] - low->xs[k], high->xs[k]);
        macro[k] = fmaf(micro, density, macro[k]);
    }
}
#endif
