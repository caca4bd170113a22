/* The profiler of the driver API: there is none, and nothing is collected.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDAPROFILER_H
#define HEDDLE_CUDAPROFILER_H
#include "cuda.h"
#endif
