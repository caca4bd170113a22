/* The launch port's registers as a table: see csr.c.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CSR_H
#define CSR_H
#include "harness/core/rtl.h"

/* The registers of a launch, and what they hold; how many. */
enum { CSR_LAUNCH = 24 + 4 * LAUNCH_RANGES };
struct csr_value { uint32_t offset, value; };
size_t csr_values(const struct launch *l, struct csr_value out[CSR_LAUNCH]);
/* Writes the registers of a launch; false: the port is stuck. */
bool csr_launch(struct rtl *r, const struct launch *l);
/* They are as csr_launch left them.  False: `why` says which is not. */
bool csr_holds_launch(struct rtl *r, const struct launch *l, char *why, size_t n);
/* Every register that can be written holds what is written, each bit as 0 and as 1, and no other
 * register changes.  No grid runs; leaves them changed. */
bool csr_try(struct rtl *r, char *why, size_t n);
const char *csr_name(uint32_t offset);
/* A register must read so. */
bool csr_is(struct rtl *r, uint32_t offset, uint32_t want, char *why, size_t n);
#endif
