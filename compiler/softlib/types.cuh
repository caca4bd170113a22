// What every unit of the library begins with.
// SPDX-License-Identifier: Apache-2.0
#define DEVICE extern "C" __attribute__((device))
#define INLINE static __attribute__((device, always_inline)) inline
typedef unsigned u32;
typedef unsigned long long u64;
typedef int s32;
typedef long long s64;
