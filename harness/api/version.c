/* Which heddle this is.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/library.h"
#include "harness/device/device.h"
#include "cmodel/isa/isa.h"

#define VERSION "1.0"

/* The program's link says it (harness/build.mk). */
extern const char heddle_commit[];
__attribute__((weak)) const char heddle_commit[] = "of no commit known";

void hd_show_version(FILE *out)
{
    fprintf(out, "heddle %s, %s, instruction set %08x\n", VERSION, heddle_commit,
            (unsigned)ISA_HASH);
    rtl_libraries(out);
}
