/* The row of an instruction in the parser's table.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_INS_H
#define PARSE_INS_H
#include "compiler/ptx/parse.h"
#include "isa_gen.h"

/* Modifiers that an instruction may carry.  M_TWO: it names two types, the result's first. */
enum {
    M_FTZ = 1, M_SAT = 2, M_RND = 4, M_APPROX = 8, M_FULL = 16, M_CC = 32, M_CMP = 64,
    M_SPACE = 128, M_VEC = 256, M_CACHE = 512, M_VOL = 1024, M_UNI = 2048, M_SYNC = 4096,
    M_NC = 8192, M_TWO = 16384, M_RELU = 1 << 15, M_NAN = 1 << 16, M_XORSIGN = 1 << 17,
    M_MAGNITUDE = 1 << 18, M_NOFTZ = 1 << 19,
    M_HINT = 1 << 20     /* a cache policy follows the operands */
};

/* operands, one letter each; after `?` they may be missing:
 *   d D U v   register of the type, twice as wide for .wide, 32 bits, 32 bits or predicate (vote)
 *   X G L     register of mov (or vector), ld (may be wider; vector), cvt (may be wider)
 *   q Q P     predicate; p or p|q; register or register|predicate
 *   a e w u   source of the type, of the second type, as wide as D, of 32 bits
 *   c S x p   source of cvt, of st (vector), of mov; predicate, may be negated
 *   i A       integer constant; 64-bit (or 32-bit) address register
 *   m t T C   address in brackets; label; list of labels; a call
 * subs: names whose position becomes ins.sub; "-" is the one without a name. */
struct opinfo {
    const char *name;
    enum pop op;
    const char *operands;
    unsigned types, mods;
    const char *subs;
};

extern const struct opinfo op_barwarp, op_barred[2];
bool op_unsupported(const char *name);
bool op_special(const char *name);               /* a register of PTX that is not there */
/* parse_mods.c: name and modifiers; the row of the table. */
const struct opinfo *parse_mnemonic(struct parser *, struct ins **);
/* parse_operand.c: by the letter of the row; a name; in brackets; a label. */
void parse_operand(struct parser *, char letter, struct opd *);
void parse_operand_named(struct parser *, struct opd *);
void parse_operand_address(struct parser *, struct opd *);
void parse_operand_label(struct parser *, struct opd *, char letter);
/* parse_ins.c */
_Noreturn void parse_ins_unsupported(struct parser *);
void parse_ins_append(struct parser *, struct ins *, int guard, bool guard_neg);
/* parse_texture.c: an instruction of textures or surfaces becomes a call; false: it is none. */
bool parse_texture(struct parser *, int guard, bool guard_neg);
void parse_texture_mov(struct parser *, struct ins *);   /* a P_MOV that has been read */
void check_operand(struct parser *, const struct opinfo *, struct ins *, char letter, struct opd *,
                   struct srcloc);                     /* check.c */
void check_call(struct parser *, struct ins *, struct srcloc);
/* modifiers of f16, bf16; check_half.c */
void check_half(struct parser *, const struct ins *, const char *name);
#endif
