/* The nine workloads.
 * SPDX-License-Identifier: Apache-2.0 */
#include "workload.h"

const struct workload workloads[] = {
    { "rsbench", "loop merge", rsbench_make },
    { "xsbench", "loop merge", xsbench_make },
    { "mcb", "loop merge", mcb_make },
    { "pathtracer", "loop merge", pathtracer_make },
    { "mcgpu", "loop merge", mcgpu_make },
    { "mummer", "loop merge", mummer_make },
    { "meiyamd5", "loop merge", meiyamd5_make },
    { "optix", "iteration delay", optix_make },
    { "mcml", "loop merge", mcml_make },
};
const unsigned workload_count = sizeof workloads / sizeof *workloads;
