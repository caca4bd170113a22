/* The generator's view of isa.def: its rows as data, and the three writers.
 * Host program only; nothing of it is linked into the tools.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef ISAGEN_H
#define ISAGEN_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;

enum { UNIT_ALU, UNIT_MUL, UNIT_FPU, UNIT_SFU, UNIT_LSU, UNIT_CTL, UNIT_F64, UNIT_COUNT };
enum { F_NOGUARD = 1, F_LANES = 2, F_BARRIER = 4, F_STACK = 8, F_DISTINCT = 16 };
enum { ISA_RZ = 255, ISA_PT = 7 };   /* the register that is zero, the predicate that is true */
enum { ISA_OPERAND_BYTES = 256 };   /* bytes of the constant bank that are operands */
/* How many registers an operand is; WIDTH_SZ: as .SZ or .AW says. */
enum { WIDTH_NONE, WIDTH_1, WIDTH_2, WIDTH_SZ };

struct field { const char *name; int lsb, width; const char *what; };
struct mod { const char *name; int lsb, width; const char *value[16]; };
struct sreg { const char *name; int number; const char *what; };
struct row {
    const char *id, *mnemonic;
    int opcode;
    const char *operands, *mods;
    int unit, flags;
    const char *effect, *sentence;
};

extern const struct field isa_fields[];
extern const struct mod isa_mods[];
extern const struct sreg isa_sregs[];
extern const struct row isa_rows[];
extern const int isa_nfields, isa_nmods, isa_nsregs, isa_nrows;
extern const char *const isa_unit_names[UNIT_COUNT];
extern const char *const isa_space_names[];
extern const int isa_nspaces;

_Noreturn void isa_die(const char *fmt, ...);
const struct field *isa_field(const char *name);
u128 isa_field_mask(const char *name);
int isa_mod_count(const struct mod *);              /* listed values */
const char *isa_mod_value(const struct mod *, int); /* name of a value, also of "" */
bool isa_row_has(const struct row *, const char *letters);  /* has one of these operands */
bool isa_row_mod(const struct row *, const char *name);
int isa_row_width(const struct row *, char reg);    /* 'd' 'a' 'b' 'c': WIDTH_* */
int isa_row_space(const struct row *, const char *routine); /* SPACE_* or -1 */
bool isa_row_constant(const struct row *);          /* its second source may be a constant */
/* bits that may be set, with an immediate as source */
u128 isa_row_used(const struct row *, bool imm);
uint64_t isa_hash(void);

void isagen_rtl_insn(FILE *);
void isagen_rtl_header(FILE *);
void isagen_rtl_decode(FILE *);
void isagen_doc(FILE *);
#endif
