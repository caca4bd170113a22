/* The launch port's registers as a table: see csr.c.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CSR_H
#define CSR_H
#include "harness/core/rtl.h"

/* Writes the registers of a launch; false: the port is stuck. */
bool csr_launch(struct rtl *r, const struct launch *l);
/* They are as csr_launch left them.  False: `why` says which is not. */
bool csr_holds_launch(struct rtl *r, const struct launch *l, char *why, size_t n);
/* Every register that can be written holds what is written, each bit as 0 and as 1, and no other
 * register changes.  No grid runs; leaves them changed. */
bool csr_try(struct rtl *r, char *why, size_t n);
/* A register must read so. */
bool csr_is(struct rtl *r, uint32_t offset, uint32_t want, char *why, size_t n);
#endif
