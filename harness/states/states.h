/* States of an H200's convergence unit, as recorded.  SPDX-License-Identifier: Apache-2.0 */
#ifndef STATES_STATES_H
#define STATES_STATES_H
#include "cmodel/base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNIT_LANES = 32, UNIT_BARRIERS = 16, UNIT_INSNS = 48, UNIT_WORDS = 32 };
enum unit_op { UNIT_NOP, UNIT_BRA, UNIT_CALL, UNIT_BRX, UNIT_RET, UNIT_BSSY, UNIT_BSYNC, UNIT_BREAK,
               UNIT_YIELD, UNIT_EXIT, UNIT_WARPSYNC, UNIT_BMOV, UNIT_BMOV_CLEAR, UNIT_BAR };

/* word: of a guard, the lanes of each visit; of BRX and RET, each lane's target; of WARPSYNC and
 * BMOV, the mask.  dense: no record was made before it. */
struct unit_insn {
    enum unit_op op;
    bool guard, dense;
    unsigned arg, words;
    uint32_t word[UNIT_WORDS];
};
struct unit_program { char name[64]; unsigned n, lanes; struct unit_insn insn[UNIT_INSNS]; };

/* One record: the unit before instruction `insn`.  All lanes that are in none of the sets have
 * exited. */
struct unit_state {
    unsigned insn;
    uint32_t active, ready, yielded, waiting, blocked[UNIT_BARRIERS], members[8], alt;
    uint8_t stack[5], depth, pointer;
};
struct states_file { void *gz; const char *path; unsigned line; };
bool states_open(struct states_file *f, const char *path, struct hd_err *err);
void states_close(struct states_file *f);
/* The next program and its records: room for max.  False: there is none, or err. */
bool states_read(struct states_file *f, struct unit_program *p, struct unit_state *s, unsigned *n,
                 unsigned max, struct hd_err *err);
/* How many records, from the first on, the model's rules reproduce. */
unsigned states_equal(const struct unit_program *p, const struct unit_state *s, unsigned n);
#endif
