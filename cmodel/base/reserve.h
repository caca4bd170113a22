/* Address space that is reserved: zero until written, and no memory until then.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef RESERVE_H
#define RESERVE_H
#include <stddef.h>

/* NULL: there is not so much. */
void *reserve(size_t bytes);
/* All of what one call of reserve gave, its size again; NULL: nothing. */
void reserve_end(void *at, size_t bytes);
#endif
