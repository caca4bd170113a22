/* What emscripten's C library does not declare.  SPDX-License-Identifier: Apache-2.0 */
#ifndef HOST_H
#define HOST_H
#include <stddef.h>
void qsort_r(void *at, size_t n, size_t size, int (*by)(const void *, const void *, void *),
             void *user);
#endif
