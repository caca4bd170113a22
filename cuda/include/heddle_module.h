/* What stands in front of a source that becomes a module (-ptx, -fatbin, -cubin, NVRTC), after
 * heddle_program.h: the host finds its variables by name, static ones too, so none may be taken for
 * unused or for a constant because no code stores to it.  cuda/nvcc/brackets.c ends the pragma
 * after the source.  SPDX-License-Identifier: Apache-2.0 */
#undef __constant__
#define __constant__ __attribute__((constant, used))
#pragma clang attribute push(__attribute__((annotate("heddle"))), apply_to = variable(is_global))
