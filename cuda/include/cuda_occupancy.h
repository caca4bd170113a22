/* Nothing: who includes it wants cudaOccupancy... functions, which cuda_runtime.h declares; its own
 * cudaOcc... are not here.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cuda_runtime.h"
