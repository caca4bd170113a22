/* The instruction set as C sees it: decoded instructions, encode and decode, the table of rows.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names (OP_, SZ_, ...) and tables are generated from isa.def.  Everything here is pure. */
#ifndef HD_ISA_H
#define HD_ISA_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cmodel/isa/commit.h"
#include "isa_gen.h"

#define HD_INSN_BYTES 16

struct hd_word { uint32_t w[4]; };

/* One instruction, decoded.  Fields that its row does not use are zero.  `m` in an effect is
 * one. */
struct hd_insn {
    uint16_t op;                       /* enum hd_op */
    uint8_t pg, pn, pop;               /* guard, its negation, `.S` */
    uint8_t rd, ra, rb, rc;
    uint8_t pd, pq, ps, sn;
    uint8_t bx, bi, cb;
    uint8_t na, aa, nb, ab, nc;
    uint8_t lut;
    uint8_t rm, ftz, sat, icmp, fcmp, sg, bop, fbop, sz, aop, aw, mufu, vote, shfl, memb;
    uint32_t imm;                      /* immediate, branch target, special register number */
    int32_t off;                       /* address offset, sign-extended */
};

struct hd_op_info {
    const char *mnemonic, *operands, *mods, *effect, *sentence;
    uint16_t opcode;
    uint8_t unit, flags;               /* UNIT_*, F_* */
    uint8_t width[4];                  /* of Rd, Ra, Rb, Rc: WIDTH_* */
    uint8_t mod[8], nmods;             /* MOD_* in printing order */
    /* bits that may be set, with a register and with an immediate (bi) */
    struct hd_word used, used_imm;
};
struct hd_mod_info {
    const char *name;
    uint8_t lsb, width, count;
    size_t offset;
    const char *value[16];
};

extern const struct hd_op_info hd_ops[OP_COUNT];
extern const struct hd_mod_info hd_mods[MOD_COUNT];
extern const char *const hd_sreg_names[SREG_COUNT];

/* Decodes a word; false: illegal in that mode (`out` is then unspecified). */
bool hd_decode(const struct hd_word *w, bool stack_mode, struct hd_insn *out);
/* Encodes; every field must be in range and used by the row (asserted). */
struct hd_word hd_encode(const struct hd_insn *in);
/* Why an instruction whose fields are in range is illegal in that mode; NULL: it is legal. */
const char *hd_insn_fault(const struct hd_insn *in, bool stack_mode);
/* Its second source may be a constant, c[imm]. */
bool hd_insn_takes_constant(enum hd_op op);
/* An instruction with default operands: guard @PT, registers RZ, predicates PT. */
struct hd_insn hd_insn_make(enum hd_op op);

/* Registers that an operand spans, 0 when the instruction has none: which = 0 Rd, 1 Ra, 2 Rb, 3
 * Rc. */
int hd_insn_width(const struct hd_insn *in, int which);
#endif
