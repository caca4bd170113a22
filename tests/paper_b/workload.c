/* The seven workloads.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/paper_b/workload.h"

const struct workload workloads[] = {
    { "mc", "triangles of a voxel", false, mc_make },
    { "sw", "a protein's local alignment", false, sw_make },
    { "nw", "a read's global alignment score", false, nw_make },
    { "ec", "a read's correction", true, ec_make },
    { "mum", "matches of a read in a suffix tree", true, mum_make },
    { "sl", "directions of a ring of the sky", false, sl_make },
    { "sm", "a grid cell's disparity", false, sm_make },
};
const unsigned workload_count = sizeof workloads / sizeof *workloads;

void workload_grid(struct problem *p, int n, int block)
{
    p->threads = (unsigned)block;
    p->blocks = (unsigned)((n + block - 1) / block);
}
