/* Fat binaries: the container in which a program carries device code for several machines.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A header, then entries; of these only PTX is read.  Layout as cuobjdump and others have described
 * it: magic 0xba55ed50, version 1, size of the header (16), size of what follows; an entry has kind
 * (1: PTX, 2: machine code), size of its header, of its payload, and, where flag 0x2000 (LZ4) or
 * 0x8000 (zstd) is set, the payload's size unpacked. */
#ifndef FATBIN_H
#define FATBIN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "cmodel/base/err.h"

/* The PTX for the newest machine that it has some for, as text to be freed.  Also takes text that
 * is PTX itself. NULL: err says why there is none. */
char *fatbin_ptx(const void *image, struct hd_err *err);
/* The PTX of several, one unit behind the other, as the compiler links them. */
char *fatbin_linked(const void *const *images, size_t n, struct hd_err *err);
/* The machine that fatbin_ptx's text is for: 70 for sm_70; 0: there is none. */
unsigned fatbin_arch(const void *image);
/* Whether it is a unit that is linked with others of its program. */
bool fatbin_is_unit(const void *image);
/* Writes a fat binary with this PTX alone; arch: 70 for sm_70; unit: fatbin_is_unit. */
bool fatbin_write(FILE *out, const char *ptx, size_t bytes, unsigned arch, bool unit);
#endif
