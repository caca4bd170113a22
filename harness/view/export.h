/* A launch in formats that other programs read (docs/formats.md).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_H
#define EXPORT_H
#include "harness/view/profile.h"

/* ---- export_perfetto.c: Chrome's trace events, as JSON; one microsecond is a cycle ----------- */

struct perfetto;
/* Writes as commits come; the program may still grow.  NULL: no memory. */
struct perfetto *perfetto_open(const struct timeline_page *program, FILE *out);
void perfetto_add(struct perfetto *, const struct view_commit *);
void perfetto_close(struct perfetto *);          /* after the last one */

/* ---- export_konata.c: Konata's log of a pipeline --------------------------------------------- */

struct konata;
/* Of the stages that p, a profile of the core, finds.  NULL: no memory. */
struct konata *konata_open(struct profile *p);
/* After the profile has it.  False: no memory. */
bool konata_add(struct konata *, const struct view_commit *);
bool konata_close(struct konata *, FILE *out);   /* writes it; false: no memory */

/* ---- export_speedscope.c: a profile, by line, instruction and cause -------------------------- */

bool speedscope_write(const struct profile *, const char *title, FILE *out);
#endif
