/* Where a core comes from: a library beside the program (library.c), or the program itself
 * (page/library.c).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBRARY_H
#define LIBRARY_H
#include "harness/core/board_shim.h"
#include "harness/core/rtl.h"
#include "harness/core/share_shim.h"

/* The library of that core, or the file `core`: the caller closes it.  NULL: `why` holds a
 * sentence. */
void *rtl_library(unsigned lanes, const char *core, enum rtl_kind which, char *why,
                  size_t why_size);
/* rtl/cores/share.v, likewise. */
void *rtl_library_share(char *why, size_t why_size);
/* rtl/fpga/board.v of that LANES, likewise; kind: what follows the LANES in the file's name. */
void *rtl_library_board(unsigned lanes, const char *kind, char *why, size_t why_size);
void rtl_library_close(void *lib);
/* NULL: it is no library of ours. */
const struct rtl_calls *rtl_library_calls(void *lib);
const struct share_calls *rtl_library_share_calls(void *lib);
const struct board_calls *rtl_library_board_calls(void *lib);
/* Its file; empty: there is none. */
const char *rtl_library_file(void *lib);
/* The libraries beside us, a line each: whether each is of the sources in its tree. */
void rtl_libraries(FILE *out);
#endif
