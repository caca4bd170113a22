/* The rows of commits.def as a page's table.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/stream/commits.h"
#include "stream/heddle_stream.h"
#include <stdio.h>

enum {
#define MEMBER(type, name, dimensions) IN_##name,
#include "cmodel/isa/commit.def"
    MEMBERS
};
enum {
#define E(name, sentence)
#define F(event, member) HAS_##event##_##member,
    HS_EVENTS(E, F)
#undef E
#undef F
};
static const char *const members[MEMBERS] = {
#define MEMBER(type, name, dimensions) #name,
#include "cmodel/isa/commit.def"
};
static const struct {
    unsigned of;
    const char *what;
} rows[] = {
/* An event that has no such member is an error here. */
#define COPY(event, member, field) \
    { IN_##field + 0 * HAS_##event##_##member, "`" #member "` of `" #event "`" },
#define MADE(field, events) { IN_##field, events },
#define SILENT(field, why) { IN_##field, "none: " why },
#include "harness/stream/commits.def"
};

void commit_stream_page(FILE *out)
{
    fprintf(out, "| of a record | events |\n| --- | --- |\n");
    for (unsigned m = 0; m < MEMBERS; m++) {
        const char *between = "";
        fprintf(out, "| `%s` | ", members[m]);
        for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++)
            if (rows[r].of == m) {
                fprintf(out, "%s%s", between, rows[r].what);
                between = ", ";
            }
        fprintf(out, "%s |\n", *between ? "" : "none");
    }
}
