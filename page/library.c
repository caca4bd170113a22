/* The core of a page is linked in: there are no libraries to look for.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/library.h"
#include <string.h>

static char self;                                /* stands for the library */

void *rtl_library(unsigned lanes, const char *core, enum rtl_kind which, char *why, size_t why_size)
{
    const unsigned has = rtl_calls.lanes();
    if (core)
        snprintf(why, why_size, "a page has a core of its own: no --core");
    else if (lanes != has)
        snprintf(why, why_size, "this page has the core of --lanes %u alone", has);
    else if (which != RTL_QUICK)
        snprintf(why, why_size, "this page has the core of two states without tracing alone");
    else
        return &self;
    return NULL;
}

void *rtl_library_share(char *why, size_t why_size)
{
    snprintf(why, why_size, "this page has one core");
    return NULL;
}

void *rtl_library_board(unsigned lanes, char *why, size_t why_size)
{
    (void)lanes;
    snprintf(why, why_size, "this page has no board");
    return NULL;
}

void rtl_library_close(void *lib) { (void)lib; }
const struct rtl_calls *rtl_library_calls(void *lib) { return (void)lib, &rtl_calls; }
const struct share_calls *rtl_library_share_calls(void *lib) { return (void)lib, NULL; }
const struct board_calls *rtl_library_board_calls(void *lib) { return (void)lib, NULL; }
const char *rtl_library_file(void *lib) { return (void)lib, ""; }

void rtl_libraries(FILE *out)
{
    const char *text = rtl_sources();
    fprintf(out, "core linked in, LANES=%u: %.*s\n", rtl_calls.lanes(), (int)strcspn(text, ";"),
            text);
}
