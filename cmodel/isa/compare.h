/* The fields of a commit record as data: one table for comparison, report, JSON and mutation tests.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_H
#define COMPARE_H
#include <stdbool.h>
#include <stddef.h>
#include "cmodel/isa/commit.h"

enum field_kind { FIELD_DEC, FIELD_HEX, FIELD_MASK, FIELD_PC };
/* What a field is about; the verdict counts comparisons by it. */
enum commit_part { PART_SCHEDULE, PART_INSTRUCTION, PART_LANES, PART_REGISTERS, PART_PREDICATES,
                   PART_MEMORY, PART_CONVERGENCE, PART_STACK, PART_CLOCKS, PART_FAULTS,
                   COMMIT_PARTS };
struct commit_field {
    const char *name;
    size_t offset;
    unsigned width;              /* bytes an element: 1, 2, 4, 8 */
    unsigned count;              /* elements: 32 for a value per lane */
    enum field_kind kind;
    enum commit_part part;
    const char *sentence;        /* docs/commit.md */
};
extern const struct commit_field commit_fields[];
extern const unsigned commit_nfields;        /* rows */
extern const char *const commit_part_names[COMMIT_PARTS];
/* A field that holds something where it does not apply (the table's `valid`); NULL: none. */
const struct commit_field *commit_misfit(const struct hd_commit *c);
unsigned commit_part_fields(enum commit_part part);      /* how many rows it has */
/* The parts, a bit each, of which a record holds anything but zeros. */
unsigned commit_parts(const struct hd_commit *c);

struct difference { const struct commit_field *field; unsigned lane; uint64_t rtl, model; };
uint64_t commit_get(const struct hd_commit *c, const struct commit_field *f, unsigned i);
void commit_set(struct hd_commit *c, const struct commit_field *f, unsigned i, uint64_t v);
/* Compares every field; returns true when equal, else tells the first difference. */
bool commit_equal(const struct hd_commit *rtl, const struct hd_commit *model,
                  struct difference *diff);
/* All differences, at most max; returns how many there are. */
unsigned commit_differences(const struct hd_commit *rtl, const struct hd_commit *model,
                            struct difference *diff, unsigned max);
#endif
