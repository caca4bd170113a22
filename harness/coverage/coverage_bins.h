/* The axes of coverage: every value once, as enumerator and name.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef COVERAGE_BINS_H
#define COVERAGE_BINS_H
#include "harness/coverage/coverage.h"

#define GUARD_LIST(X) X(GUARD_ALWAYS, "always") X(GUARD_TRUE, "true") X(GUARD_FALSE, "false") \
    X(GUARD_MIXED, "mixed")
#define MASK_LIST(X) X(MASK_ALL, "all") X(MASK_ONE, "one") X(MASK_HALF, "half") \
    X(MASK_OTHER, "other")
#define OUTCOME_LIST(X) X(OUT_ALL, "all") X(OUT_NONE, "none") X(OUT_ONE, "one") \
    X(OUT_BUT_ONE, "all-but-one") X(OUT_HALF, "half") X(OUT_ALTERNATING, "alternating") \
    X(OUT_OTHER, "other")
#define DEPTH_LIST(X) X(DEPTH_0, "0") X(DEPTH_1, "1") X(DEPTH_2, "2") X(DEPTH_3, "3") \
    X(DEPTH_4, "4-7") X(DEPTH_8, "8+")
/* What the live lanes that are not active do. */
#define OTHERS_LIST(X) X(OTHERS_NONE, "none") X(OTHERS_READY, "ready") \
    X(OTHERS_BLOCKED, "blocked") X(OTHERS_YIELDED, "yielded") \
    X(OTHERS_ELSEWHERE, "block-or-warpsync") X(OTHERS_SEVERAL, "several") X(OTHERS_TOKEN, "token")
#define JUMP_LIST(X) X(JUMP_BRX, "BRX") X(JUMP_CALLR, "CALLR") X(JUMP_RET, "RET") \
    X(JUMP_CALR, "CAL.R")
#define SPLIT_LIST(X) X(SPLIT_ALL, "all") X(SPLIT_FEWER, "fewer") X(SPLIT_HALF, "half") \
    X(SPLIT_MORE, "more")
#define EVENT_LIST(X) X(EV_BSSY_FIRST, "BSSY-first") X(EV_BSSY_JOINS, "BSSY-joins") \
    X(EV_BSYNC_PASSES, "BSYNC-passes") X(EV_BSYNC_WAITS, "BSYNC-waits") \
    X(EV_BSYNC_COMPLETES, "BSYNC-completes") X(EV_BREAK_NOBODY, "BREAK-nobody") \
    X(EV_BREAK_LEAVES, "BREAK-leaves") X(EV_BREAK_COMPLETES, "BREAK-completes") \
    X(EV_BMOV_EMPTY, "BMOV.R-empty") X(EV_BMOV_READS, "BMOV.R-lanes") \
    X(EV_BMOV_CLEARS, "BMOV.B-clears") X(EV_BMOV_SETS, "BMOV.B-sets") \
    X(EV_YIELD_ALONE, "YIELD-goes-on") X(EV_YIELD_OTHERS, "YIELD-others-run") \
    X(EV_WARPSYNC_WAITS, "WARPSYNC-waits") X(EV_WARPSYNC_COMPLETES, "WARPSYNC-completes") \
    X(EV_BAR_WAITS, "BAR-waits") X(EV_BAR_COMPLETES, "BAR-completes")
#define BOP_LIST(X) X(BOP_BSSY, "BSSY") X(BOP_BSYNC, "BSYNC") X(BOP_BREAK, "BREAK") \
    X(BOP_BMOVR, "BMOV.R") X(BOP_BMOVB, "BMOV.B")
#define BARRIER_LIST(X) X(B0, "B0") X(B1, "B1") X(B2, "B2") X(B3, "B3") X(B4, "B4") X(B5, "B5") \
    X(B6, "B6") X(B7, "B7") X(B8, "B8") X(B9, "B9") X(B10, "B10") X(B11, "B11") X(B12, "B12") \
    X(B13, "B13") X(B14, "B14") X(B15, "B15")
#define TRIGGER_LIST(X) X(BY_BSYNC, "BSYNC") X(BY_BREAK, "BREAK") X(BY_EXIT, "EXIT") \
    X(BY_WARPSYNC, "WARPSYNC") X(BY_YIELD, "YIELD") X(BY_BAR, "BAR.SYNC")
#define FROM_LIST(X) X(FROM_BARRIER, "barrier") X(FROM_GAVE_WAY, "rule-8") \
    X(FROM_WARPSYNC, "warpsync") X(FROM_YIELD, "yield") X(FROM_BLOCK, "block-barrier")
#define LANES_LIST(X) X(LANES_ONE, "one") X(LANES_SOME, "some") X(LANES_EVERY, "all")
#define SIZE_LIST(X) X(SIZE_1, "1") X(SIZE_2, "2") X(SIZE_4, "4") X(SIZE_8, "8") X(SIZE_16, "16")
#define PATTERN_LIST(X) X(PAT_ONE, "one-lane") X(PAT_SAME, "same") X(PAT_COALESCED, "coalesced") \
    X(PAT_OFFSET, "coalesced-off-sector") X(PAT_BACKWARDS, "backwards") X(PAT_STRIDED, "strided") \
    X(PAT_SCATTERED, "scattered")
#define KIND_LIST(X) X(KIND_LOAD, "load") X(KIND_STORE, "store") X(KIND_ATOMIC, "atomic")
#define SECTORS_LIST(X) X(SECTORS_1, "1") X(SECTORS_2, "2-4") X(SECTORS_5, "5-8") \
    X(SECTORS_9, "9-16") X(SECTORS_17, "17-31") X(SECTORS_32, "32")
#define BANKS_LIST(X) X(BANKS_1, "1") X(BANKS_2, "2") X(BANKS_3, "3-4") X(BANKS_5, "5-8") \
    X(BANKS_9, "9-16") X(BANKS_17, "17+")
#define SHARE_LIST(X) X(SHARE_NO, "no") X(SHARE_SOME, "some") X(SHARE_ALL, "all")
#define GENERIC_LIST(X) X(GEN_GLOBAL, "global") X(GEN_SHARED, "shared") X(GEN_LOCAL, "local") \
    X(GEN_MIXED, "mixed")
#define ATOM_LIST(X) X(ATOM_GLOBAL, "ATOMG") X(ATOM_SHARED, "ATOMS") X(ATOM_GENERIC, "ATOM")
/* In the order of enum hd_fault, from HD_FAULT_ILLEGAL. */
#define FAULT_LIST(X) X(FLT_ILLEGAL, "illegal") X(FLT_PC, "pc") X(FLT_TRAP, "trap") \
    X(FLT_MISALIGNED, "misaligned") X(FLT_RANGE, "range") X(FLT_READONLY, "readonly") \
    X(FLT_SPACE, "space") X(FLT_SPILL, "spill") X(FLT_TOKEN, "token") X(FLT_BUS, "bus")
#define SOURCE_LIST(X) X(SRC_LOAD, "load") X(SRC_STORE, "store") X(SRC_ATOMIC, "atomic") \
    X(SRC_CONTROL, "control") X(SRC_OTHER, "other")
/* In the order of enum hd_token_kind. */
#define TOKEN_LIST(X) X(TOKEN_SYNC, "SYNC") X(TOKEN_DIV, "DIV") X(TOKEN_CALL, "CALL")
#define PUSH_LIST(X) X(PUSH_ROOM, "room") X(PUSH_SPILLS, "full-spills")
#define POP_LIST(X) X(POP_ON_CHIP, "on-chip") X(POP_FILLS, "empty-fills")
#define HOW_LIST(X) X(HOW_LANES, "lanes-go-on") X(HOW_DEAD, "no-lane-lives") \
    X(HOW_UNWIND, "unwinding")
#define TOKENS_LIST(X) X(TOKENS_0, "0") X(TOKENS_1, "1-4") X(TOKENS_5, "5-8") X(TOKENS_9, "9-15") \
    X(TOKENS_16, "16") X(TOKENS_17, "17-32") X(TOKENS_33, "33-64") X(TOKENS_65, "65+")
/* "Near": within 64 cycles, by another warp. */
#define STACK_LIST(X) X(STK_SPILL_NEAR_SPILL, "spill-near-spill") \
    X(STK_SPILL_NEAR_FILL, "spill-near-fill") X(STK_FILL_NEAR_SPILL, "fill-near-spill") \
    X(STK_FILL_NEAR_FILL, "fill-near-fill") X(STK_EXIT_TOKENS, "exit-under-tokens") \
    X(STK_EXIT_SPILLED, "exit-under-spilled-tokens") X(STK_CARRIER, "pop-suffix")

#define COV_ENUMERATOR(id, name) id,
#define COV_ENUM(list, count) enum { list(COV_ENUMERATOR) count }
COV_ENUM(GUARD_LIST, GUARDS);
COV_ENUM(MASK_LIST, MASKS);
COV_ENUM(OUTCOME_LIST, OUTCOMES);
COV_ENUM(DEPTH_LIST, DEPTHS);
COV_ENUM(OTHERS_LIST, OTHERS);
COV_ENUM(JUMP_LIST, JUMPS);
COV_ENUM(SPLIT_LIST, SPLITS);
COV_ENUM(EVENT_LIST, EVENTS);
COV_ENUM(BOP_LIST, BOPS);
COV_ENUM(BARRIER_LIST, BARRIERS);
COV_ENUM(TRIGGER_LIST, TRIGGERS);
COV_ENUM(FROM_LIST, FROMS);
COV_ENUM(LANES_LIST, LANES_CLASSES);
COV_ENUM(SIZE_LIST, SIZES);
COV_ENUM(PATTERN_LIST, PATTERNS);
COV_ENUM(KIND_LIST, KINDS);
COV_ENUM(SECTORS_LIST, SECTOR_CLASSES);
COV_ENUM(BANKS_LIST, BANK_CLASSES);
COV_ENUM(SHARE_LIST, SHARES);
COV_ENUM(GENERIC_LIST, GENERICS);
COV_ENUM(ATOM_LIST, ATOMS);
COV_ENUM(FAULT_LIST, FAULTS);
COV_ENUM(SOURCE_LIST, SOURCES);
COV_ENUM(TOKEN_LIST, TOKENS);
COV_ENUM(PUSH_LIST, PUSHES);
COV_ENUM(POP_LIST, POPS);
COV_ENUM(HOW_LIST, HOWS);
COV_ENUM(TOKENS_LIST, TOKEN_CLASSES);
COV_ENUM(STACK_LIST, STACK_EVENTS);
#endif
