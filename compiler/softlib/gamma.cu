// The library's unit of the gamma function; of math.cuh it takes what it uses as its own.
// SPDX-License-Identifier: Apache-2.0
#include "softlib/types.cuh"
#include "softlib/math_machine.cuh"
#undef DEVICE
#define DEVICE static __attribute__((device, unused))
#include "softlib/pi.cuh"
#include "softlib/math.cuh"
#undef DEVICE
#define DEVICE extern "C" __attribute__((device))
#include "softlib/gamma_terms.cuh"
#include "softlib/gamma.cuh"
