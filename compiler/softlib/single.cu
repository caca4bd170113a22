// The library's unit of f32 mathematics that needs integers alone.
// SPDX-License-Identifier: Apache-2.0
#include "softlib/types.cuh"
#include "softlib/math_machine.cuh"
#include "softlib/pi.cuh"
#include "softlib/single.cuh"
