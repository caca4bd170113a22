/* States of an H200's convergence unit, as recorded.  SPDX-License-Identifier: Apache-2.0 */
#ifndef STATES_STATES_H
#define STATES_STATES_H
#include "harness/states/unit.h"
#include "cmodel/base/err.h"
#include <stddef.h>

/* One record: the unit before instruction `insn`.  All lanes that are in none of the sets have
 * exited. */
struct unit_state {
    unsigned insn;
    uint32_t active, ready, yielded, waiting, blocked[UNIT_BARRIERS], members[8], alt;
    uint16_t alt_pc;
    uint8_t stack[5], depth, pointer;
};
struct states_file { void *gz; const char *path; unsigned line; };
bool states_open(struct states_file *f, const char *path, struct hd_err *err);
void states_close(struct states_file *f);
/* The next program and its records: room for max.  False: there is none, or err. */
bool states_read(struct states_file *f, struct unit_program *p, struct unit_state *s, unsigned *n,
                 unsigned max, struct hd_err *err);
/* How many records, from the first on, the unit's rules and the core's model reproduce: the model's
 * count leaves out what it has none of, the stack's entries and the pointer. */
unsigned states_by_unit(const struct unit_program *p, const struct unit_state *s, unsigned n);
unsigned states_by_model(const struct unit_program *p, const struct unit_state *s, unsigned n);
#endif
