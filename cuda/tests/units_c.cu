// A file of units_a.cu's program that has nothing the host could name: no kernel, no variable.
// SPDX-License-Identifier: Apache-2.0
#include "units.h"
#ifndef __CUDACC_RDC__
#error not compiled to be linked
#endif
__device__ int scaled(int x) { return 5 * x; }
