/* Barrier mode: each rule of docs/convergence.md and each row of the silicon probes as a program
 * with the group sequence it must give; then random programs against a second reading of the rules.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "rule_run.h"
#include "rules_naive.h"

/* A: all lanes, T: lanes 0-11 (the taken side), E: lanes 12-31, J: after the join on B0. */
#define SPLIT(a, e, t, j) \
    "BSSY B0, J; " a "; @P0 BRA T; " e "; BRA J; T: " t "; J: BSYNC B0; " j "; EXIT;"
/* Four groups T1 T0 E1 E0 of 4, 8, 6 and 14 lanes; P2 splits T, P3 splits E. */
#define FOUR(body) FOUR_TO(body, "!J")
#define FOUR_TO(body, j) \
    "ISETP.LT.U32 P2, R0, 4, PT; ISETP.LT.U32 P3, R0, 18, PT; @P0 BRA T; @P3 BRA E1; !e; " body \
    "; BRA J; E1: !E; " body "; BRA J; T: @P2 BRA T1; !t; " body "; BRA J; T1: !T; " body "; J: " \
    j "; EXIT;"

static const struct { const char *name, *text, *want; unsigned threads; } cases[] = {
    { "rule 1: fewer lanes first", "@P0 BRA T; !E; EXIT; T: !T; EXIT;", "T:00000fff E:fffff000 end",
      32 },
    { "rule 1: fewer lanes first, not taken", "@!P0 BRA E; !T; EXIT; E: !E; EXIT;",
      "T:00000fff E:fffff000 end", 32 },
    { "rule 1: equal, not taken first", "@P1 BRA T; !E; EXIT; T: !T; EXIT;",
      "E:ffff0000 T:0000ffff end", 32 },
    { "rule 1: equal, not taken first, other lanes", "@!P1 BRA T; !E; EXIT; T: !T; EXIT;",
      "E:0000ffff T:ffff0000 end", 32 },
    { "no barrier: no merging at J", "@P0 BRA J; !E; J: !J; EXIT;",
      "J:00000fff E:fffff000 J:fffff000 end", 32 },
    { "the join", SPLIT("!A", "!E", "!T", "!J"), "A:ffffffff T:00000fff E:fffff000 J:ffffffff end",
      32 },
    { "the join of a short warp", SPLIT("!A", "!E", "!T", "!J"),
      "A:0000ffff E:0000f000 T:00000fff J:0000ffff end", 16 },
    { "rule 2: sizes decide, R splits again",
      "MOV R1, A1; ISETP.GE.U32 P2, R0, 20, PT; @P2 MOV R1, B1; ISETP.GE.U32 P2, R0, 26, PT; "
      "@P2 MOV R1, C1; BRX R1; A1: !A; EXIT; B1: !B; EXIT; C1: !C; EXIT;",
      "B:03f00000 C:fc000000 A:000fffff end", 32 },
    { "rule 2: the flag ends with R: R' decides by size again",
      "MOV R1, A1; ISETP.GE.U32 P2, R0, 17, PT; @P2 MOV R1, B1; ISETP.GE.U32 P2, R0, 20, PT; "
      "@P2 MOV R1, C1; ISETP.GE.U32 P2, R0, 30, PT; @P2 MOV R1, D1; BRX R1; "
      "A1: !A; EXIT; B1: !B; EXIT; C1: !C; EXIT; D1: !D; EXIT;",
      "B:000e0000 D:c0000000 C:3ff00000 A:0001ffff end", 32 },
    { "rule 2: lanes whose guard fails go on after it",
      "MOV R1, T; @P0 BRX R1; !E; EXIT; T: !T; EXIT;", "T:00000fff E:fffff000 end", 32 },
    { "call and return", "@P0 CALL R2, F; !J; EXIT; F: !F; RET R2;",
      "F:00000fff J:00000fff J:fffff000 end", 32 },
    { "call through a register", "MOV R1, F; CALLR R2, R1; !J; EXIT; F: !F; RET R2;",
      "F:ffffffff J:ffffffff end", 32 },
    { "probe: BSSY adds the active lanes",
      SPLIT("!A", "BSSY B8, J; BMOV.R R1, B8", "BSSY B8, J; BMOV.R R1, B8", "!J"),
      "A:ffffffff B8=00000fff B8=ffffffff J:ffffffff end", 32 },
    { "probe: BREAK removes, then passes, then release clears",
      SPLIT("BSSY B8, J", "BSYNC B8; !E; BMOV.R R1, B8", "BREAK B8; BMOV.R R1, B8; BSYNC B8; !T",
            "!J"),
      "B8=fffff000 T:00000fff E:fffff000 B8=00000000 J:ffffffff end", 32 },
    { "BREAK has a guard", "BSSY B8, J; @P0 BREAK B8; BMOV.R R1, B8; J: EXIT;", "B8=fffff000 end",
      32 },
    /* H200: all lanes continue after the last arrival's BSYNC; here each lane keeps its place. */
    { "two BSYNCs of one barrier", SPLIT("BSSY B8, J", "BSYNC B8; !E", "BSYNC B8; !T", "!J"),
      "E:fffff000 T:00000fff J:ffffffff end", 32 },
    { "probe: the register holds participants, not arrivals",
      SPLIT("BSSY B8, J", "BMOV.R R1, B8; BREAK B8; !E", "BSYNC B8; !T", "!J"),
      "B8=ffffffff T:00000fff E:fffff000 J:ffffffff end", 32 },
    { "probe: BREAK releases, T first",
      SPLIT("BSSY B8, J", "BREAK B8; BMOV.R R1, B8; !E", "BSYNC B8; !T", "!J"),
      "T:00000fff B8=00000000 E:fffff000 J:ffffffff end", 32 },
    { "rule 5: equal, the running ones first",
      "BSSY B8, T; @P1 BRA T; BSYNC B8; !E; EXIT; T: BREAK B8; !T; EXIT;",
      "T:0000ffff E:ffff0000 end", 32 },
    { "rule 5: a BREAK that removes no lane completes nothing",
      "@P0 BSSY B8, F; ISETP.LT.U32 P2, R0, 4, PT; IADD R5, R0, -4; ISETP.LT.U32 P3, R5, 8, PT; "
      "@P3 BRA T; "
      "@P2 EXIT; BREAK B8; F: !F; EXIT; T: BSYNC B8; !T; EXIT;",
      "F:fffff000 T:00000ff0 end", 32 },
    { "probe: EXIT releases", SPLIT("BSSY B8, J", "!E; EXIT", "BSYNC B8; !T", "!J"),
      "E:fffff000 T:00000fff J:00000fff end", 32 },
    { "probe: exited lanes are no participants",
      SPLIT("BSSY B8, J", "BSYNC B8; !E", "!T; EXIT", "!J"), "T:00000fff E:fffff000 J:fffff000 end",
      32 },
    /* Silicon: when E then blocks at J, T's barrier gives way, though E blocked last; the rule is
     * ours. */
    { "rule 8: probe, the BSYNC that blocked last gives way",
      SPLIT("BSSY B8, J; BSSY B9, J", "BSYNC B9; !E; BMOV.R R1, B9", "BSYNC B8; !T", "!J"),
      "gaveway E:fffff000 B9=00000000 gaveway J:fffff000 T:00000fff J:00000fff end", 32 },
    /* Silicon forgets T's arrival; here T stays arrived and joins. */
    { "BSSY on a register with blocked lanes",
      SPLIT("BSSY B8, J", "BSSY B8, J; BSYNC B8; !E", "BSYNC B8; !T", "!J"),
      "E:fffff000 T:00000fff J:ffffffff end", 32 },
    { "probe: YIELD lets E run; barriers do not wait for yielded lanes",
      SPLIT("BSSY B8, J", "!E; BSYNC B8; BMOV.R R1, B8", "YIELD; !T; BSYNC B8", "!J"),
      "E:fffff000 B8=00000000 T:00000fff J:ffffffff end", 32 },
    { "probe: nor does J, if nothing gave up on them before", SPLIT("!A", "!E", "YIELD; !T", "!J"),
      "A:ffffffff E:fffff000 J:fffff000 T:00000fff J:00000fff end", 32 },
    { "probe: YIELD in T and E alternate",
      "@P0 BRA T; YIELD; !E; YIELD; !E; EXIT; T: YIELD; !T; YIELD; !T; EXIT;",
      "T:00000fff E:fffff000 T:00000fff E:fffff000 end", 32 },
    { "next() 3: lanes that releases make ready again and again leave a third group its turn",
      "@P0 BRA T; @P1 BRA E; YIELD; !C; YIELD; !C; EXIT; "
      "T: YIELD; BSSY B1, t; BSYNC B1; t: !T; "
      "YIELD; BSSY B1, t2; BSYNC B1; t2: !T; YIELD; !T; EXIT; "
      "E: YIELD; BSSY B2, e; BSYNC B2; e: !E; "
      "YIELD; BSSY B2, e2; BSYNC B2; e2: !E; YIELD; !E; EXIT;",
      "T:00000fff C:ffff0000 E:0000f000 T:00000fff C:ffff0000 E:0000f000 T:00000fff E:0000f000 end",
      32 },
    { "probe: where both stand at one PC after a YIELD they merge",
      "@P0 BRA J; !E; J: YIELD; !J; EXIT;", "E:fffff000 J:ffffffff end", 32 },
    { "probe: four groups yield once", FOUR("YIELD; !y"),
      "T:0000000f t:00000ff0 E:0003f000 e:fffc0000 y:0000000f J:0000000f y:00000ff0 J:00000ff0 "
      "y:0003f000 J:0003f000 y:fffc0000 J:fffc0000 end",
      32 },
    { "probe: round after round in that order", FOUR("YIELD; !y; YIELD; !z; YIELD"),
      "T:0000000f t:00000ff0 E:0003f000 e:fffc0000 y:0000000f y:00000ff0 y:0003f000 y:fffc0000 "
      "z:0000000f z:00000ff0 z:0003f000 z:fffc0000 J:0000000f J:00000ff0 J:0003f000 J:fffc0000 end",
      32 },
    { "probe: four groups with barriers all meet at J",
      "ISETP.LT.U32 P2, R0, 4, PT; ISETP.LT.U32 P3, R0, 18, PT; "
      "BSSY B0, J; @P0 BRA T; BSSY B2, JE; @P3 BRA E1; YIELD; BRA JE; E1: YIELD; JE: BSYNC B2; "
      "!E; BRA J; "
      "T: BSSY B1, JT; @P2 BRA T1; YIELD; BRA JT; T1: YIELD; JT: BSYNC B1; !T; J: BSYNC B0; !J; "
      "EXIT;",
      "T:00000fff E:fffff000 J:ffffffff end", 32 },
    { "probe: one more YIELD at J, all continue as one", FOUR_TO("YIELD; !y", "YIELD; !J"),
      "T:0000000f t:00000ff0 E:0003f000 e:fffc0000 y:0000000f y:00000ff0 y:0003f000 y:fffc0000 "
      "J:ffffffff end",
      32 },
    { "rule 7: BMOV takes the lowest executing lane's value",
      "MOV R1, R0; @!P0 BMOV.B B8, R1; BMOV.R R2, B8; EXIT;", "B8=0000000c end", 32 },
    { "rule 7: BMOV without an executing lane",
      "BSSY B8, J; @!PT BMOV.B B8, 1; BMOV.R R2, B8; J: EXIT;", "B8=ffffffff end", 32 },
    { "probe: WARPSYNC in T only waits for E's end",
      "@P0 BRA T; !E; EXIT; T: WARPSYNC -1; !T; EXIT;", "E:fffff000 T:00000fff end", 32 },
    /* Silicon hangs on WARPSYNC.ALL at two places. */
    { "rule 7: WARPSYNC at two places",
      "@P0 BRA T; WARPSYNC -1; !E; EXIT; T: WARPSYNC -1; !T; EXIT;", "E:fffff000 T:00000fff end",
      32 },
    { "WARPSYNC of a part", "@P0 BRA T; !E; EXIT; T: WARPSYNC 0xfff; !T; EXIT;",
      "T:00000fff E:fffff000 end", 32 },
    { "WARPSYNC against BSYNC is a deadlock of the program",
      SPLIT("BSSY B8, J", "BSYNC B8; !E", "WARPSYNC -1; !T", "!J"),
      "gaveway E:fffff000 gaveway J:fffff000 T:00000fff J:00000fff end", 32 },
    { "next(): a complete barrier comes before a complete WARPSYNC",
      "ISETP.LT.U32 P2, R0, 4, PT; IADD R5, R0, -4; ISETP.LT.U32 P3, R5, 4, PT; @!P3 BSSY B8, C1; "
      "@P2 BRA A1; "
      "@P3 BRA C1; EXIT; A1: BSYNC B8; !A; EXIT; C1: WARPSYNC 0xfffffff0; !C; EXIT;",
      "A:0000000f C:000000f0 end", 32 },
    { "rule 8 never frees WARPSYNC",
      "ISETP.EQ.U32 P2, R0, 0, PT; @P2 BRA T; L: BAR.SYNC 0, 0; EXIT; T: WARPSYNC -1; EXIT;",
      "deadlock", 32 },
    { "block barrier joins warps", "!A; BAR.SYNC 1, 0; !B; EXIT;",
      "A:ffffffff A:0000000f B:0000000f B:ffffffff end", 36 },
    { "block barrier: an exited warp leaves the count",
      "S2R R3, SR_WARPID; ISETP.EQ.U32 P2, R3, 1, PT; @P2 EXIT; BAR.SYNC 0, 0; !B; EXIT;",
      "B:ffffffff end", 64 },
    { "block barrier within a divided warp: lanes are grouped by pc",
      "@P0 BRA T; BAR.SYNC 0, 0; !E; EXIT; T: BAR.SYNC 0, 0; !T; EXIT;",
      "T:00000fff E:fffff000 end", 32 },
    { "block barrier for a number of lanes",
      "S2R R3, SR_WARPID; ISETP.EQ.U32 P2, R3, 2, PT; @P2 BRA W; BAR.SYNC 3, 64; !B; EXIT; W: !W; "
      "EXIT;",
      "B:ffffffff W:ffffffff B:ffffffff end", 96 },
    { "rule 8 waits for the block barrier",
      SPLIT("BSSY B8, J", "BAR.SYNC 0, 20; !E; BREAK B8", "BSYNC B8; !T", "!J"),
      "E:fffff000 T:00000fff J:ffffffff end", 32 },
    { "a spin loop between lanes needs YIELD",
      "MOV R4, 0; BSSY B0, X; @P0 BRA W; STS [RZ], R0; BRA X; "
      "W: YIELD; LDS R5, [RZ]; ISETP.EQ.U32 P3, R5, 0, PT; @P3 BRA W; X: BSYNC B0; !J; EXIT;",
      "J:fffff000 J:00000fff end", 32 },
};

static void test_cases(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char got[2000];
        char text[4000];
        snprintf(text, sizeof text, "%s\n", cases[i].text);
        rule_run(text, cases[i].threads, got, sizeof got);
        if (strcmp(got, cases[i].want)) {
            print_error("%s:\n  want %s\n  got  %s\n", cases[i].name, cases[i].want, got);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

/* ---- random programs ------------------------------------------------------------------------- */

enum { WORDS = 48, WARPS = 2, STEPS = 400 };
struct trial {
    struct model *m;
    struct naive n[WARPS];
    uint32_t need[16];
    struct hd_word text[WORDS];
    uint64_t seed;
};

static uint32_t rnd(struct trial *t, uint32_t below)
{
    t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((t->seed >> 33) % below);
}

/* R1 holds PCs, R2 masks; both differ between lanes now and then.  P1..P3 come from bits of R3. */
static struct hd_insn random_insn(struct trial *t, unsigned at)
{
    static const uint16_t ops[] = {
        OP_BRA,   OP_BRA,   OP_BRA,      OP_BRA,      OP_BRA,   OP_BRX,   OP_CALL,  OP_RET,
        OP_BSSY,  OP_BSSY,  OP_BSSY,     OP_BSYNC,    OP_BSYNC, OP_BSYNC, OP_BREAK, OP_BREAK,
        OP_BMOVR, OP_BMOVB, OP_WARPSYNC, OP_WARPSYNC, OP_YIELD, OP_YIELD, OP_BAR,   OP_EXIT,
        OP_SHFRW, OP_SHFRW, OP_SHFRW,    OP_ISETP,    OP_ISETP, OP_ISETP, OP_NOP,
    };
    struct hd_insn i = hd_insn_make((enum hd_op)ops[rnd(t, sizeof ops / sizeof *ops)]);
    const char *o = hd_ops[i.op].operands;
    if (!(hd_ops[i.op].flags & F_NOGUARD) && i.op != OP_SHFRW && rnd(t, 2)) {
        i.pg = (uint8_t)(1 + rnd(t, 3));
        i.pn = (uint8_t)rnd(t, 2);
    }
    if (strchr(o, '@'))
        i.imm = 16 * rnd(t, at > WORDS - 4 ? at : WORDS);
    if (strchr(o, 'x'))
        i.bx = (uint8_t)rnd(t, 3);
    switch (i.op) {
    case OP_BRX: case OP_RET: i.ra = 1; break;
    case OP_CALL: i.rd = 1; break;
    case OP_BMOVR: i.rd = 4; break;
    case OP_BMOVB: i.rb = 2; break;
    case OP_WARPSYNC:
        i.bi = 1, i.rb = 0, i.imm = rnd(t, 2) ? 0xffffffff : rnd(t, 2) ? 0xffff : 0xff0000ff;
        break;
    case OP_BAR: i.bi = 1, i.rb = 0, i.imm = rnd(t, 4) ? 0 : 20; break;
    case OP_SHFRW: i.rd = i.ra = i.rc = 3, i.bi = 1, i.rb = 0, i.imm = 1 + rnd(t, 7); break;
    case OP_ISETP:
        i.pd = (uint8_t)(1 + rnd(t, 3)), i.ra = 3, i.bi = 1, i.rb = 0, i.imm = rnd(t, 0x7fffffff),
        i.icmp = ICMP_LT, i.sg = SG_S32;
        break;
    default: break;
    }
    if (i.op == OP_EXIT && i.pg == HD_PT && rnd(t, 3))
        i = hd_insn_make(OP_YIELD);
    return i;
}

/* Lanes get their own R1, R2 and R3 by multiplying the thread number. */
static void random_program(struct trial *t)
{
    struct hd_insn i = hd_insn_make(OP_S2R);
    unsigned n = 0;
    i.rd = 0, i.imm = SREG_TID_X;
    t->text[n++] = hd_encode(&i);
    for (uint8_t r = 1; r <= 3; r++) {
        i = hd_insn_make(OP_IMAD);
        i.rd = r, i.ra = 0, i.bi = 1, i.rb = 0, i.rc = HD_RZ,
        i.imm = 2654435761u * (r + rnd(t, 1000));
        t->text[n++] = hd_encode(&i);
    }
    i = hd_insn_make(OP_SHRU); /* R1 = 16 * (hash >> 26): a few targets, some outside the program */
    i.rd = i.ra = 1, i.bi = 1, i.rb = 0, i.imm = 27 + rnd(t, 3);
    t->text[n++] = hd_encode(&i);
    i = hd_insn_make(OP_SHL);
    i.rd = i.ra = 1, i.bi = 1, i.rb = 0, i.imm = 4;
    t->text[n++] = hd_encode(&i);
    for (; n < WORDS - 1; n++) {
        i = random_insn(t, n);
        t->text[n] = hd_encode(&i);
    }
    i = hd_insn_make(OP_EXIT);
    t->text[n] = hd_encode(&i);
}

static bool block_barrier_complete(const struct trial *t, int x)
{
    unsigned waiting = 0, live = 0;
    for (int w = 0; w < WARPS; w++)
        for (int l = 0; l < 32; l++) {
            waiting += t->n[w].lane[l].state == AT_BLOCK_BARRIER && t->n[w].lane[l].barrier == x;
            live += t->n[w].lane[l].state != EXITED;
        }
    return waiting && waiting >= (t->need[x] ? t->need[x] : live);
}

/* Barriers of the block after warp `at` executed a BAR (x) or an EXIT (x < 0: any). */
static void block_part(struct trial *t, int at, int x)
{
    for (int b = 0; b < 16; b++) {
        if ((x >= 0 && b != x) || !block_barrier_complete(t, b))
            continue;
        for (int w = 0; w < WARPS; w++) {
            bool waited = false;
            for (int l = 0; l < 32; l++)
                waited |= t->n[w].lane[l].state == AT_BLOCK_BARRIER && t->n[w].lane[l].barrier == b;
            naive_block_release(&t->n[w], b);
            if (waited && !naive_runs(&t->n[w]))
                naive_next(&t->n[w]);
        }
    }
    if (!naive_runs(&t->n[at]) && naive_state(&t->n[at], EXITED) != ~0u)
        naive_next(&t->n[at]);
}

static uint8_t naive_wait(const struct naive *n, int l)
{
    switch (n->lane[l].state) {
    case RUNS: return HD_WAIT_NONE;
    case READY: return HD_WAIT_READY;
    case YIELDED: return HD_WAIT_YIELD;
    case AT_WARPSYNC: return HD_WAIT_WARPSYNC;
    case BLOCKED: return (uint8_t)(HD_WAIT_BARRIER + n->lane[l].barrier);
    case AT_BLOCK_BARRIER: return (uint8_t)(HD_WAIT_BLOCK + n->lane[l].barrier);
    default: return HD_WAIT_EXITED;
    }
}

static void compare(const struct trial *t, const struct hd_commit *c)
{
    const struct naive *n = &t->n[c->warp];
    uint32_t runs = naive_state(n, RUNS);
    bool same = runs == c->next_active && naive_mask(&n->released) == c->released &&
                n->gave_way == c->gaveway && c->live == ~naive_state(n, EXITED);
    for (int l = 0; l < 32; l++)
        same &= c->wait[l] == naive_wait(n, l) &&
                (n->lane[l].state == EXITED || c->npc[l] == n->lane[l].pc);
    same &= !c->conv || c->bafter == naive_mask(&n->b[c->bx]);
    if (!same)
        fail_msg("seq %u warp %u pc 0x%x: next %08x want %08x, released %08x want %08x",
                 (unsigned)c->seq, c->warp, c->pc, c->next_active, runs, c->released,
                 naive_mask(&n->released));
}

/* One instruction in the model and in the naive reading. */
static enum step_status step_both(struct trial *t, unsigned slot, uint32_t *ops_seen)
{
    uint32_t value[32];
    struct hd_commit c;
    struct hd_insn i;
    struct warp_view v;
    model_view(t->m, slot, &v);
    uint32_t pc = v.pc / 16 < WORDS && v.pc % 16 == 0 ? v.pc / 16 : WORDS - 1;
    assert_true(hd_decode(&t->text[pc], false, &i));
    for (unsigned l = 0; l < 32; l++)
        value[l] = i.bi ? i.imm : model_register(t->m, slot, i.op == OP_BMOVB ? 2 : 1, l);
    assert_int_equal(v.used ? v.active : 0, v.used ? naive_state(&t->n[slot], RUNS) : 0);
    enum step_status s = model_step(t->m, slot, &c, NULL);
    if (s != STEP_OK)
        return s;
    naive_step(&t->n[slot], &i, c.exec, value);
    if (i.op == OP_BAR) {
        t->need[i.bx] = value[0];
        block_part(t, (int)slot, i.bx);
    } else if (i.op == OP_EXIT) {
        block_part(t, (int)slot, -1);
    }
    compare(t, &c);
    ops_seen[i.op] += 1;
    return s;
}

static void test_random(void **state)
{
    static const struct launch_limits limits = {
        .warps = WARPS, .regs = 256, .shared_bytes = 4096, .stack_depth = 0
    };
    const char *count = getenv("RULES_COUNT"), *seed = getenv("RULES_SEED");
    unsigned trials = count ? (unsigned)atoi(count) : 3000, first = seed ? (unsigned)atoi(seed) : 1;
    uint32_t seen[OP_COUNT] = { 0 };
    struct trial *t = calloc(1, sizeof *t);
    (void)state;
    t->m = model_new(&limits);
    for (unsigned k = first; k < first + trials; k++) {
        t->seed = k * 0x9e3779b97f4a7c15u;
        random_program(t);
        uint32_t threads = 33 + rnd(t, 32);
        struct launch l = { .code_base = LAUNCH_CODE,
                            .code_size = sizeof t->text,
                            .grid = { 1, 1, 1 },
                            .block = { threads, 1, 1 },
                            .threads = threads,
                            .warps_block = WARPS,
                            .block_slots = 1 };
        memcpy(model_memory(t->m) + LAUNCH_CODE, t->text, sizeof t->text);
        assert_true(model_load(t->m, LAUNCH_CODE, sizeof t->text, false));
        model_launch(t->m, &l);
        assert_null(model_place(t->m, 0, 0));
        memset(t->need, 0, sizeof t->need);
        naive_start(&t->n[0], ~0u, 0);
        naive_start(&t->n[1], threads == 64 ? ~0u : (1u << (threads - 32)) - 1, 0);
        for (unsigned s = 0, idle = 0; s < STEPS && idle < 20; s++) {
            enum step_status st = step_both(t, rnd(t, WARPS), seen);
            idle = st == STEP_OK ? 0 : idle + 1;
            if (st == STEP_FAULT)
                break;
        }
    }
    for (unsigned op = OP_BRA; op <= OP_YIELD; op++)
        if (op != OP_TRAP && op != OP_CALLR)
            assert_true(count || seen[op] > 1000);
    model_free(t->m);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases),
                                        cmocka_unit_test(test_random) };
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
