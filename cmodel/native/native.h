/* Machine code of the host in place of interpretation: an image's code, translated to C by the
 * effects of isa.def and compiled by the system's compiler.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is compiled is kept in a folder, under a name that is a hash of the whole text, of the
 * compiler's options and of the processor: so another version, or another machine, has its own.  An
 * entry that is broken is made again; processes that make the same one do not meet. */
#ifndef HD_NATIVE_H
#define HD_NATIVE_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "cmodel/base/err.h"
#include "cmodel/isa/isa.h"
#include "cmodel/native/region.h"

struct native {
    void *library;
    const struct region_table *table;
};

/* What is translated: the words as they are in memory, and where blocks begin that are counted:
 * their PCs, ascending; entries 0: none is. */
struct native_code {
    const struct hd_word *text;
    uint32_t words;
    bool stack_mode;
    const uint32_t *entry;
    uint32_t entries;
};

/* folder: where translations are kept; NULL: the user's, or none if the environment names none.
 * NULL: why not, a sentence in err. */
struct native *native_open(const struct native_code *, const char *folder, struct hd_err *err);
void native_free(struct native *n);
/* The same where it is kept already; NULL: it is not. */
struct native *native_find(const struct native_code *, const char *folder);
/* Makes it in another process while this one goes on; NULL: it cannot. */
struct native_making;
struct native_making *native_begin(const struct native_code *, const char *folder);
/* Whether that has ended, and is freed; *made is what became of it, NULL: nothing. */
bool native_ended(struct native_making *w, struct native **made);
/* Breaks it off. */
void native_stop(struct native_making *w);

/* regions.c: the runs of `code` that are worth it, ascending; the caller frees them.  legal[i]:
 * there is an instruction at i. */
struct native_run { uint32_t first, length; };
struct native_run *native_runs(const struct hd_insn *code, const bool *legal, uint32_t words,
                               uint32_t *n);
/* What becomes of an instruction: LANES: computed lane by lane, as vectors; ALONE: lane by lane,
 * where the host has no vectors for it; CALL: an operation of the interpreter's; JOIN: lanes come
 * to a convergence barrier; a run's last instruction: BRANCH, LEAP: a branch to where a register
 * says, MEET: lanes may wait, or be released; EXIT: without a guard a run's last one; LEFT: the
 * interpreter executes it, between regions. */
enum native_kind { NATIVE_LEFT, NATIVE_LANES, NATIVE_ALONE, NATIVE_CALL, NATIVE_JOIN,
                   NATIVE_BRANCH, NATIVE_LEAP, NATIVE_MEET, NATIVE_EXIT };
enum native_kind native_kind(const struct hd_insn *i);
/* Whether it loads from a place in the constant bank that no register decides about: then it is
 * one of LANES. */
bool native_constant(const struct hd_insn *i);
/* Whether it reads the clock. */
bool native_clock(const struct hd_insn *i);

/* emit.c: the whole translation, as C.  block[i]: the number of the block that begins at i and is
 * counted; NATIVE_NO_BLOCK: none does.  block NULL: nothing is counted.  Returns of how many parts
 * it is, to be compiled with PART 0, 1, ... and linked; 0: no memory. */
#define NATIVE_NO_BLOCK UINT32_MAX
enum { NATIVE_PARTS = 2 };
unsigned native_emit(FILE *out, const struct hd_insn *code, const struct native_run *run,
                     uint32_t n, const uint32_t *block);
#endif
