/* One instruction's text: what the assembler's two halves share.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef ASM_INSN_H
#define ASM_INSN_H
#include "cmodel/image/asm_lex.h"

/* A name whose value goes into the imm field once it is known; name "" : none. */
struct asm_ref { char name[256]; const char *at; int64_t add; bool target; };
/* Parses one instruction at the cursor, up to the end of the line. */
bool asm_insn(struct lex *l, bool stack_mode, struct hd_insn *in, struct asm_ref *ref);
/* [&]NAME[+-N] */
bool asm_reference(struct lex *l, struct asm_ref *ref);
#endif
