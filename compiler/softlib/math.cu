// The library's unit of mathematics, and the operations of the machine that it is made of.
// SPDX-License-Identifier: Apache-2.0
#include "softlib/types.cuh"
#include "softlib/math_machine.cuh"
#include "softlib/pi.cuh"
#include "softlib/math.cuh"
