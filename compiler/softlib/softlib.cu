// The library that compiled programs call: what PTX has and the machine has not.
// SPDX-License-Identifier: Apache-2.0
//
// Compiled by clang to PTX when the compiler is built, embedded as text, and compiled like any program
// when a routine is needed: so these are ordinary functions with the ABI of docs/abi.md, pure but for
// the atomic, and right for every operand (division by zero and NaN included, as an H200 answers).
#include "softlib/types.cuh"

INLINE float rcp_approx(float f)
{
    float d;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(f));
    return d;
}

#include "softlib/integer.cuh"
#include "softlib/bits.cuh"
#include "softlib/float.cuh"
