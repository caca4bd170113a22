/* The cores of a page are linked in: there are no libraries to look for.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/library.h"
#include <string.h>

/* LANES of each; the last is that of a launch which names none. */
#ifndef PAGE_CORES
#define PAGE_CORES CORE(4) CORE(32)
#endif
#define CORE(lanes) \
    extern const struct rtl_calls rtl_calls_l##lanes; \
    const char *rtl_sources_l##lanes(void);
PAGE_CORES
#undef CORE
#define CORE(lanes) { &rtl_calls_l##lanes, rtl_sources_l##lanes },
static struct core {
    const struct rtl_calls *calls;
    const char *(*sources)(void);
} cores[] = { PAGE_CORES };
enum { CORES = sizeof cores / sizeof cores[0] };

void *rtl_library(unsigned lanes, const char *core, enum rtl_kind which, char *why, size_t why_size)
{
    struct core *found = NULL;
    char list[64] = "";
    for (struct core *k = cores; k < cores + CORES; k++) {
        const size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%u", n ? ", " : "", k->calls->lanes());
        if (k->calls->lanes() == lanes)
            found = k;
    }
    if (core)
        snprintf(why, why_size, "a page has cores of its own: no --core");
    else if (!found)
        snprintf(why, why_size, "--lanes %u: this page has cores of --lanes %s", lanes, list);
    else if (which != RTL_QUICK)
        snprintf(why, why_size, "this page has the core of two states without tracing alone");
    else
        return found;
    return NULL;
}

void *rtl_library_share(char *why, size_t why_size)
{
    snprintf(why, why_size, "this page runs one core at a time");
    return NULL;
}

void *rtl_library_board(unsigned lanes, const char *kind, char *why, size_t why_size)
{
    (void)lanes;
    (void)kind;
    snprintf(why, why_size, "this page has no board");
    return NULL;
}

void rtl_library_close(void *lib) { (void)lib; }
const struct rtl_calls *rtl_library_calls(void *lib) { return ((struct core *)lib)->calls; }
const struct share_calls *rtl_library_share_calls(void *lib) { return (void)lib, NULL; }
const struct board_calls *rtl_library_board_calls(void *lib) { return (void)lib, NULL; }
const char *rtl_library_file(void *lib) { return (void)lib, ""; }

void rtl_libraries(FILE *out)
{
    for (struct core *k = cores; k < cores + CORES; k++)
        fprintf(out, "core linked in, LANES=%u: %.*s\n", k->calls->lanes(),
                (int)strcspn(k->sources(), ";"), k->sources());
}
