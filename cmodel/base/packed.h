/* Bytes made small, and as letters: what a web page unpacks by the browser's own means.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_PACKED_H
#define HD_PACKED_H
#include <stddef.h>
#include <stdint.h>

/* Raw deflate, as DecompressionStream takes it; to be freed.  NULL: no memory. */
uint8_t *packed_deflate(const void *bytes, size_t n, size_t *packed);
/* Base64, as text to be freed; for an address: without what has to be quoted there, and without the
 * padding.  NULL: no memory. */
enum packed_letters { PACKED_BASE64, PACKED_FOR_ADDRESS };
char *packed_letters(const uint8_t *bytes, size_t n, enum packed_letters);
#endif
