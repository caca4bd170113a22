/* Random machine code for the core's tests.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Registers: R0-R15 are anybody's; R16 and R17 hold thread and lane; R20-R24 addresses; from R26 on the
 * structure of stack programs lives.  P0-P3 differ between lanes, P6 belongs to the structure. */
#ifndef CORE_PROGRAM_H
#define CORE_PROGRAM_H
#include "cmodel/isa.h"
#include "cmodel/launch.h"

enum { CORE_PROLOGUE = 17, CORE_BODY = 96, CORE_WORDS = 1024 };
enum { BASE_LO = 20, BASE_HI, SHARED_AT, LOCAL_AT, TARGET, COUNTER = 26, GOAL = 48 };
/* What a program may hold; KIND_CONV: barriers everywhere; KIND_STRUCTURE: regions that nest (stack mode). */
enum { KIND_CTL = 1, KIND_MEM = 2, KIND_FLOAT = 4, KIND_BAD = 8, KIND_STACK = 16, KIND_STRUCTURE = 32,
       KIND_CONV = 64 };

struct rng { uint64_t s; };
static inline uint32_t rnd(struct rng *r, uint32_t n)
{
	r->s ^= r->s << 13, r->s ^= r->s >> 7, r->s ^= r->s << 17;
	return n ? (uint32_t)((r->s * 0x2545f4914f6cdd1dull) >> 33) % n : 0;
}

/* An instruction with an immediate second source (or special register). */
struct hd_insn core_insn(enum hd_op op, unsigned rd, unsigned ra, uint32_t imm);
/* Addresses, predicates, values; `body` is where indirect branches may go, in instructions.  CORE_PROLOGUE
 * instructions. */
void core_prologue(struct hd_insn *w, struct rng *r, unsigned body);
/* A legal instruction for place `at` of a program of `words`; of plain units alone where kind says so. */
struct hd_insn core_random(struct rng *r, unsigned kind, bool plain, unsigned at, unsigned words);
/* A whole program; returns its length. */
unsigned core_program(struct hd_word *w, struct rng *r, unsigned kind);
/* core_stack.c: a program of nested regions, loops, calls and switches. */
unsigned core_stack_program(struct hd_insn *w, struct rng *r, unsigned kind);
#endif
