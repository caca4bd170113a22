/* Programs of test_rules.c with the group sequence that docs/convergence.md gives, in its order.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef RULE_CASES_H
#define RULE_CASES_H

/* A: all lanes, T: lanes 0-11 (the taken side), E: lanes 12-31, J: after the join on B0. */
#define SPLIT(a, e, t, j) \
    "BSSY B0, J; " a "; @P0 BRA T; " e "; BRA J; T: " t "; J: BSYNC B0; " j "; EXIT;"
/* Lanes 12-31 run e; of lanes 0-11 first 0-3 run s, then 4-11 run t. */
#define THREE(a, e, t, s) \
    "ISETP.LT.U32 P2, R0, 4, PT; " a "; @P0 BRA T; " e "; EXIT; T: @P2 BRA S; " t "; EXIT; S: " s \
    "; EXIT;"
/* Lanes 0-15 run r first, then 16-23 run k while 24-31 are deferred. */
#define HALVES(a, r, k) \
    "ISETP.GE.U32 P2, R0, 24, PT; " a "; @!P1 BRA Q; " r "; !R; EXIT; Q: @P2 BRA D; " k \
    "; EXIT; D: !D; EXIT;"
/* Four groups T1 T0 E1 E0 of 4, 8, 6 and 14 lanes; P2 splits T, P3 splits E. */
#define FOUR(body) FOUR_TO(body, "!J")
#define FOUR_TO(body, j) \
    "ISETP.LT.U32 P2, R0, 4, PT; ISETP.LT.U32 P3, R0, 18, PT; @P0 BRA T; @P3 BRA E1; !e; " body \
    "; BRA J; E1: !E; " body "; BRA J; T: @P2 BRA T1; !t; " body "; BRA J; T1: !T; " body "; J: " \
    j "; EXIT;"
/* A (lanes 0-3) runs x, then A, B (20-31) and C (4-19) yield in that order.  The pointer stays at
 * lane 0, where A is next, unless x moves it to 4: then it goes to 20, where B is. */
#define POINTER(x) \
    "IADD R5, R0, -4; ISETP.LT.U32 P2, R5, 16, PT; ISETP.LT.U32 P3, R0, 4, PT; @P2 BRA C; " \
    "@!P3 BRA B; " x "; YIELD; !A; EXIT; B: YIELD; !B; EXIT; C: YIELD; !C; EXIT;"
/* A (lanes 0-3) waits at B8, D (28-31) yields, b of B (20-27) releases A, which yields as C (4-19)
 * does after it.  Where the release moves the pointer to 4, it goes to 28, where D is. */
#define POINTER_OF(b) \
    "IADD R5, R0, -4; ISETP.LT.U32 P2, R5, 16, PT; IADD R5, R0, -20; ISETP.LT.U32 P3, R5, 8, PT; " \
    "ISETP.LT.U32 P4, R0, 4, PT; @P2 BRA C; @P3 BRA B; @!P4 BRA D; BMOV.B B8, 0xff0000f; " \
    "BSYNC B8; YIELD; !A; EXIT; D: YIELD; !D; EXIT; B: " b "; EXIT; C: YIELD; !C; EXIT;"
/* Lanes 16-31 run d at the bottom of STK, 8-15 run b above them, 4-7 run c as ALT, 0-3 run a. */
#define DEEP(pre, d, b, c, a) \
    "ISETP.LT.U32 P2, R0, 8, PT; ISETP.LT.U32 P3, R0, 4, PT; " pre "; @!P1 BRA " d "; @!P2 BRA " b \
    "; @!P3 BRA " c "; BRA " a "; "

static const struct { const char *name, *text, *want; unsigned threads; } cases[] = {
    /* The state of a warp. */
    { "the start: registers are zero", "BMOV.R R1, B8; EXIT;", "B8=00000000 end", 32 },
    { "participants: exited lanes stay",
      "BSSY B8, F; @P0 EXIT; BMOV.R R1, B8; F: EXIT;", "B8=ffffffff end", 32 },
    { "the start of a short warp",
      SPLIT("!A", "!E", "!T", "!J"), "A:0000ffff E:0000f000 T:00000fff J:0000ffff end", 16 },

    /* next() and the pointer. */
    { "next() 1: a group that was deferred does not merge",
      "@P0 BRA J; !E; J: !J; EXIT;", "J:00000fff E:fffff000 J:fffff000 end", 32 },
    { "next() 1: nor does ALT with a group of STK at its PC",
      "ISETP.LT.U32 P2, R0, 4, PT; @!P0 BRA J; @!P2 BRA J; !T; EXIT; J: !J; EXIT;",
      "T:0000000f J:00000ff0 J:fffff000 end", 32 },
    { "next() 2: ready lanes at the PC run, too",
      "ISETP.LT.U32 P2, R0, 4, PT; ISETP.LT.U32 P3, R0, 2, PT; @!P0 BRA J; @!P2 BRA J; @!P3 BRA "
      "C; !T; EXIT; C: !C; EXIT; J: !J; EXIT;", "T:00000003 C:0000000c J:fffffff0 end", 32 },
    { "next() 2: so do yielded ones",
      "ISETP.LT.U32 P2, R0, 4, PT; @!P0 BRA K; @!P2 BRA C; YIELD; K: !K; EXIT; C: !C; EXIT;",
      "C:00000ff0 K:fffff00f end", 32 },
    { "next() 2: of the last one the barrier gives way, though C, ready, participates",
      "ISETP.LT.U32 P2, R0, 4, PT; BSSY B8, X; @!P0 BRA X; @!P2 BRA C; X: BSYNC B8; !X; EXIT; C: "
      "BAR.SYNC 0, 8; !C; EXIT;", "X:fffff00f C:00000ff0 end", 32 },
    { "next() 2: of another one it does not: X waits for D",
      DEEP("BSSY B8, X", "D", "X", "C", "X") "X: BSYNC B8; !X; EXIT; C: !C; EXIT; D: !D; EXIT;",
      "C:000000f0 D:ffff0000 X:0000ff0f end", 32 },
    { "next() 2: nor if it is the last but one and the last goes with it",
      DEEP("BSSY B8, X", "X", "X", "C", "X") "X: BSYNC B8; !X; EXIT; C: BAR.SYNC 0, 4; !C; EXIT;",
      "C:000000f0 X:ffffff0f end", 32 },
    { "next() 3: all yielded lanes at the PC run",
      "@P0 BRA J; !E; J: YIELD; !J; EXIT;", "E:fffff000 J:ffffffff end", 32 },
    { "next() 3: a blocked lane is picked before a ready one, and its barrier gives way",
      SPLIT("BSSY B8, J", "BAR.SYNC 0, 20; !E; BREAK B8", "BSYNC B8; !T", "!J"),
      "T:00000fff E:fffff000 J:ffffffff end", 32 },
    { "next() 3: and before a yielded one",
      "BSSY B8, J; @P0 BRA T; YIELD; !E; BSYNC B8; !F; EXIT; T: BSYNC B8; !T; J: EXIT;",
      "T:00000fff E:fffff000 F:fffff000 end", 32 },
    /* Else S waited at B9 for T. */
    { "next() 3: a barrier gives way for the lanes at one PC, others stay blocked",
      THREE("BSSY B8, S; BMOV.B B9, 0xfff", "YIELD; !E", "BSYNC B8; !T", "BSYNC B8; BSYNC B9; !S"),
      "S:0000000f T:00000ff0 E:fffff000 end", 32 },
    { "next() 3: the warp is looked round",
      "@P0 BRA T; YIELD; !E; YIELD; !E; EXIT; T: YIELD; !T; YIELD; !T; EXIT;",
      "T:00000fff E:fffff000 T:00000fff E:fffff000 end", 32 },
    { "next() 3: of three groups each has its turn, whatever is released",
      "@P0 BRA T; @P1 BRA E; YIELD; !C; YIELD; !C; EXIT; T: YIELD; BSSY B1, t; BSYNC B1; t: !T; "
      "YIELD; BSSY B1, t2; BSYNC B1; t2: !T; YIELD; !T; EXIT; E: YIELD; BSSY B2, e; BSYNC B2; e: "
      "!E; YIELD; BSSY B2, e2; BSYNC B2; e2: !E; YIELD; !E; EXIT;",
      "T:00000fff E:0000f000 C:ffff0000 T:00000fff E:0000f000 C:ffff0000 T:00000fff "
      "E:0000f000 end", 32 },
    { "next(): four groups yield once",
      FOUR("YIELD; !y"),
      "T:0000000f t:00000ff0 E:0003f000 e:fffc0000 y:0000000f J:0000000f y:00000ff0 "
      "J:00000ff0 y:0003f000 J:0003f000 y:fffc0000 J:fffc0000 end", 32 },
    { "next(): round after round in that order",
      FOUR("YIELD; !y; YIELD; !z; YIELD"),
      "T:0000000f t:00000ff0 E:0003f000 e:fffc0000 y:0000000f y:00000ff0 y:0003f000 "
      "y:fffc0000 z:0000000f z:00000ff0 z:0003f000 z:fffc0000 J:0000000f J:00000ff0 "
      "J:0003f000 J:fffc0000 end", 32 },
    { "next(): one more YIELD at J, all continue as one",
      FOUR_TO("YIELD; !y", "YIELD; !J"),
      "T:0000000f t:00000ff0 E:0003f000 e:fffc0000 y:0000000f y:00000ff0 y:0003f000 "
      "y:fffc0000 J:ffffffff end", 32 },
    { "the pointer: from the picked lane on in case 3 (the worked example)",
      "IADD R5, R0, -22; ISETP.LT.U32 P2, R5, 4, PT; @P2 BRA T; YIELD; !E; EXIT; T: YIELD; !T; "
      "YIELD; !U; EXIT;", "T:03c00000 E:fc3fffff U:03c00000 end", 32 },
    { "the pointer: from the picked lane on, not from S, which is passed over",
      THREE("NOP", "YIELD; !E", "YIELD; !T; YIELD; !U", "WARPSYNC -1; !S"),
      "T:00000ff0 E:fffff000 U:00000ff0 S:0000000f end", 32 },
    /* It is at 4 when all lanes run; from there, in the second part, Z's turn brings it to Y. */
    { "the pointer: stays if all lanes run",
      "IADD R5, R0, -4; ISETP.LT.U32 P2, R5, 16, PT; ISETP.LT.U32 P3, R0, 4, PT; BSSY B0, J; "
      "@P2 BRA J; @!P3 BRA J; BSSY B1, J; BSYNC B1; J: BSYNC B0; MOV R5, 0xfff0f0; "
      "SHR.U32 R5, R5, R0; LOP.AND R5, R5, 1; ISETP.EQ.U32 P2, R5, 1, PT; MOV R5, 0xf0000f00; "
      "SHR.U32 R5, R5, R0; LOP.AND R5, R5, 1; ISETP.EQ.U32 P3, R5, 1, PT; @P2 BRA Z; @P3 BRA Y; "
      "YIELD; !X; EXIT; Y: YIELD; !Y; EXIT; Z: YIELD; !Z; EXIT;",
      "Y:f0000f00 Z:00fff0f0 X:0f00000f end", 32 },
    { "the pointer: stays while its lane does not run",
      POINTER("NOP"), "A:0000000f C:000ffff0 B:fff00000 end", 32 },
    { "the pointer: BSYNC moves it",
      POINTER("BSSY B1, n; BSYNC B1; n: NOP"), "B:fff00000 A:0000000f C:000ffff0 end", 32 },
    { "the pointer: not where all pass",
      POINTER("BSYNC B1"), "A:0000000f C:000ffff0 B:fff00000 end", 32 },
    { "the pointer: not where a WARPSYNC passes",
      POINTER("WARPSYNC 0xf"), "A:0000000f C:000ffff0 B:fff00000 end", 32 },
    { "the pointer: BREAK moves it",
      POINTER_OF("BREAK B8"), "D:f0000000 A:0000000f C:000ffff0 end", 32 },
    /* K (0-3) goes on alone at B8 and releases R (12-15); X is 4-11 and 16-31. */
    { "the pointer: BREAK moves it also where the running lanes go on",
      "MOV R5, 0xf00f; SHR.U32 R5, R5, R0; LOP.AND R5, R5, 1; ISETP.EQ.U32 P2, R5, 1, PT; "
      "ISETP.LT.U32 P3, R0, 4, PT; BMOV.B B8, 0xfffffff0; BMOV.B B9, 0xf00f; @!P2 BRA X; "
      "BSYNC B8; @!P3 BRA R; BREAK B9; YIELD; !K; EXIT; R: !R; EXIT; X: YIELD; !X; EXIT;",
      "R:0000f000 X:ffff0ff0 K:0000000f end", 32 },
    { "the pointer: EXIT moves it", POINTER_OF("NOP"), "D:f0000000 A:0000000f C:000ffff0 end", 32 },

    /* Rules 1 to 3. */
    { "rule 1: fewer lanes first",
      "@P0 BRA T; !E; EXIT; T: !T; EXIT;", "T:00000fff E:fffff000 end", 32 },
    { "rule 1: fewer lanes first, not taken",
      "@!P0 BRA E; !T; EXIT; E: !E; EXIT;", "T:00000fff E:fffff000 end", 32 },
    { "rule 1: equal, not taken first",
      "@P1 BRA T; !E; EXIT; T: !T; EXIT;", "E:ffff0000 T:0000ffff end", 32 },
    { "rule 1: equal, not taken first, other lanes",
      "@!P1 BRA T; !E; EXIT; T: !T; EXIT;", "E:0000ffff T:ffff0000 end", 32 },
    { "rule 1: CALL is a branch, then RET",
      "@P0 CALL R2, F; !J; EXIT; F: !F; RET R2;", "F:00000fff J:00000fff J:fffff000 end", 32 },
    { "rule 2: T, not larger, runs; the others wait as one group",
      "MOV R1, A1; ISETP.GE.U32 P2, R0, 10, PT; @P2 MOV R1, B1; ISETP.GE.U32 P2, R0, 20, PT; @P2 "
      "MOV R1, C1; BRX R1; A1: !A; EXIT; B1: !B; EXIT; C1: !C; EXIT;",
      "A:000003ff B:000ffc00 C:fff00000 end", 32 },
    { "rule 2: equal, T runs",
      "MOV R1, A1; @!P1 MOV R1, B1; BRX R1; A1: !A; EXIT; B1: !B; EXIT;",
      "A:0000ffff B:ffff0000 end", 32 },
    { "rule 2: T, larger, waits; of R the lowest lane's target runs, the others join T",
      "MOV R1, A1; ISETP.GE.U32 P2, R0, 20, PT; @P2 MOV R1, B1; ISETP.GE.U32 P2, R0, 26, PT; @P2 "
      "MOV R1, C1; BRX R1; A1: !A; EXIT; B1: !B; EXIT; C1: !C; EXIT;",
      "B:03f00000 C:fc000000 A:000fffff end", 32 },
    { "rule 2: who joined T divides again with it",
      "MOV R1, A1; ISETP.GE.U32 P2, R0, 17, PT; @P2 MOV R1, B1; ISETP.GE.U32 P2, R0, 20, PT; @P2 "
      "MOV R1, C1; ISETP.GE.U32 P2, R0, 30, PT; @P2 MOV R1, D1; BRX R1; A1: !A; EXIT; B1: !B; "
      "EXIT; C1: !C; EXIT; D1: !D; EXIT;", "B:000e0000 C:3ff00000 D:c0000000 A:0001ffff end", 32 },
    { "rule 2: lanes whose guard fails go on after it",
      "MOV R1, T; @P0 BRX R1; !E; EXIT; T: !T; EXIT;", "T:00000fff E:fffff000 end", 32 },
    { "rule 2: call through a register, and return",
      "MOV R1, F; CALLR R2, R1; !J; EXIT; F: !F; RET R2;", "F:ffffffff J:ffffffff end", 32 },
    { "rule 3: BSSY adds the active lanes",
      SPLIT("!A", "BSSY B8, J; BMOV.R R1, B8", "BSSY B8, J; BMOV.R R1, B8", "!J"),
      "A:ffffffff B8=00000fff B8=ffffffff J:ffffffff end", 32 },
    { "rule 3: and not those whose guard fails",
      "@P0 BSSY B8, F; BMOV.R R1, B8; F: EXIT;", "B8=00000fff end", 32 },

    /* Rule 4: BSYNC. */
    { "rule 4: the join",
      SPLIT("!A", "!E", "!T", "!J"), "A:ffffffff T:00000fff E:fffff000 J:ffffffff end", 32 },
    { "rule 4: no participant, all pass",
      "@P0 BRA T; !E; EXIT; T: BSYNC B8; !T; EXIT;", "T:00000fff E:fffff000 end", 32 },
    { "rule 4: participants wait, other active lanes continue alone",
      "BMOV.B B8, 0xfffff00f; @P0 BRA T; !E; BSYNC B8; !F; EXIT; T: BSYNC B8; !T; EXIT;",
      "T:00000ff0 E:fffff000 F:fffff000 T:0000000f end", 32 },
    { "rule 4: also where no lane is ready",
      "BMOV.B B8, 0xffff000f; @P0 BRA T; BSYNC B8; !E; EXIT; T: YIELD; !T; BSYNC B8; !U; EXIT;",
      "E:0000f000 T:00000fff U:00000fff E:ffff0000 end", 32 },
    { "rule 4: they wait while any lane is ready, G that does not participate",
      "BMOV.B B8, 0xffff; @P0 BRA T; @P1 BRA F; !G; EXIT; F: BSYNC B8; !F; EXIT; T: YIELD; !T; "
      "BSYNC B8; !U; EXIT;", "G:ffff0000 T:00000fff U:00000fff F:0000f000 end", 32 },
    /* Else B0 would not wait for T. */
    { "rule 4: yielded participants are not waited for where no lane is ready; they become ready",
      SPLIT("BSSY B8, J", "!E; BSYNC B8; BMOV.R R1, B8", "YIELD; !T; BSYNC B8", "!J"),
      "E:fffff000 B8=00000000 T:00000fff J:ffffffff end", 32 },
    { "rule 4: nor at the join",
      SPLIT("!A", "!E", "YIELD; !T", "!J"),
      "A:ffffffff E:fffff000 J:fffff000 T:00000fff J:00000fff end", 32 },
    { "rule 4: yielded lanes that do not participate stay yielded",
      SPLIT("!A", "BSSY B8, J; BSYNC B8; !E", "YIELD; !T", "!J"),
      "A:ffffffff E:fffff000 J:fffff000 T:00000fff J:00000fff end", 32 },
    { "rule 4: nor is a block barrier waited for",
      "BSSY B8, T; @P0 BRA T; BSYNC B8; !E; BAR.SYNC 0, 0; !F; EXIT; T: BAR.SYNC 0, 0; !T; EXIT;",
      "E:fffff000 T:00000fff F:fffff000 end", 32 },
    { "rule 4: nor a WARPSYNC, and who waits there stays",
      SPLIT("BSSY B8, J", "BSYNC B8; !E", "WARPSYNC -1; !T", "!J"),
      "E:fffff000 J:fffff000 T:00000fff J:00000fff end", 32 },
    /* At J T waits for E, which became ready there; the pointer picks both, B0 gives way. */
    { "rule 4: participants that are blocked elsewhere are not waited for, and become ready",
      SPLIT("BSSY B8, J; BSSY B9, J", "BSYNC B9; !E; BMOV.R R1, B9", "BSYNC B8; !T", "!J"),
      "E:fffff000 B9=00000000 T:00000fff J:ffffffff end", 32 },
    { "rule 4: nor though D is ready",
      HALVES("BMOV.B B8, 0xffffff; BMOV.B B9, 0xffffff", "BSYNC B8", "BSYNC B9; !K"),
      "K:00ff0000 D:ff000000 R:0000ffff end", 32 },
    { "rule 4: nor then those at a WARPSYNC",
      HALVES("BMOV.B B9, 0xffffff", "WARPSYNC -1", "BSYNC B9; !K"),
      "K:00ff0000 D:ff000000 R:0000ffff end", 32 },
    { "rule 4: participants here and the other active lanes continue together",
      "BMOV.B B8, 0xfff; BSYNC B8; !A; EXIT;", "A:ffffffff end", 32 },
    { "rule 4: lanes that arrived here and participate no more stay blocked; rule 8 counts",
      "BSSY B8, X; @P0 BRA X; BMOV.B B8, 0xfffff000; X: BSYNC B8; !J; EXIT;",
      "J:fffff000 gaveway J:00000fff end", 32 },
    { "rule 4: exited lanes are not waited for",
      SPLIT("BSSY B8, J", "BSYNC B8; !E", "!T; EXIT", "!J"),
      "T:00000fff E:fffff000 J:fffff000 end", 32 },
    { "rule 4: BSSY on a register with blocked lanes forgets no arrival",
      SPLIT("BSSY B8, J", "BSSY B8, J; BSYNC B8; !E", "BSYNC B8; !T", "!J"),
      "E:fffff000 T:00000fff J:ffffffff end", 32 },
    { "rules 3, 4, 9: four groups with barriers",
      "ISETP.LT.U32 P2, R0, 4, PT; ISETP.LT.U32 P3, R0, 18, PT; BSSY B0, J; @P0 BRA T; BSSY B2, "
      "JE; @P3 BRA E1; YIELD; BRA JE; E1: YIELD; JE: BSYNC B2; !E; BRA J; T: BSSY B1, JT; @P2 BRA "
      "T1; YIELD; BRA JT; T1: YIELD; JT: BSYNC B1; !T; J: BSYNC B0; !J; EXIT;",
      "T:0000000f T:00000ff0 J:00000fff E:fffff000 J:fffff000 end", 32 },

    /* Rule 5: BREAK. */
    { "rule 5: BREAK removes, then BSYNC passes, then a release clears",
      SPLIT("BSSY B8, J", "BSYNC B8; !E; BMOV.R R1, B8", "BREAK B8; BMOV.R R1, B8; BSYNC B8; !T",
            "!J"), "B8=fffff000 T:00000fff E:fffff000 B8=00000000 J:ffffffff end", 32 },
    { "rule 5: not lanes whose guard fails",
      "BSSY B8, J; @P0 BREAK B8; BMOV.R R1, B8; J: EXIT;", "B8=fffff000 end", 32 },
    { "rule 5: released lanes, fewer, run first",
      SPLIT("BSSY B8, J", "BREAK B8; BMOV.R R1, B8; !E", "BSYNC B8; !T", "!J"),
      "T:00000fff B8=00000000 E:fffff000 J:ffffffff end", 32 },
    { "rule 5: the register holds participants, not arrivals",
      SPLIT("BSSY B8, J", "BMOV.R R1, B8; BREAK B8; !E", "BSYNC B8; !T", "!J"),
      "B8=ffffffff T:00000fff E:fffff000 J:ffffffff end", 32 },
    { "rule 5: of the released lanes those at the PC of the lowest run, T is in no entry",
      THREE("BSSY B8, S", "BREAK B8; !E", "BSYNC B8; !T", "BSYNC B8; !S"),
      "S:0000000f E:fffff000 T:00000ff0 end", 32 },
    { "rule 5: equal, the running ones first",
      "BSSY B8, T; @P1 BRA T; BSYNC B8; !E; EXIT; T: BREAK B8; !T; EXIT;",
      "T:0000ffff E:ffff0000 end", 32 },
    { "rule 5: then ALT's lowest lane is pushed, the released lane above it",
      HALVES("BMOV.B B8, 0xffffff", "BSYNC B8", "BREAK B8; !K"),
      "K:00ff0000 R:0000ffff D:ff000000 end", 32 },
    { "rule 5: lanes that are blocked at another barrier count",
      SPLIT("BSSY B8, J; BSSY B9, J", "BREAK B8; BMOV.R R1, B8; BSYNC B9; !E", "BSYNC B9; !T",
            "!J"), "B8=00000000 E:fffff000 T:00000fff J:ffffffff end", 32 },
    { "rule 5: a BREAK of lanes that do not participate releases, too",
      "@P0 BSSY B8, F; ISETP.LT.U32 P2, R0, 4, PT; IADD R5, R0, -4; ISETP.LT.U32 P3, R5, 8, PT; "
      "@P3 BRA T; @P2 EXIT; BREAK B8; F: !F; EXIT; T: BSYNC B8; !T; EXIT;",
      "T:00000ff0 F:fffff000 end", 32 },
    { "rule 5: no live participant is left",
      "BSSY B8, F; @P0 EXIT; BREAK B8; BMOV.R R1, B8; F: EXIT;", "B8=00000000 end", 32 },
    { "rule 5: a BREAK that no lane executes does nothing",
      "@P0 BSSY B8, F; @P0 EXIT; @P0 BREAK B8; BMOV.R R1, B8; F: EXIT;", "B8=00000fff end", 32 },

    /* Rule 6: EXIT. */
    { "rule 6: EXIT releases",
      SPLIT("BSSY B8, J", "!E; EXIT", "BSYNC B8; !T", "!J"),
      "E:fffff000 T:00000fff J:00000fff end", 32 },
    { "rule 6: not while lanes of the group are left",
      "BMOV.B B8, 0xffff; @P0 BRA T; @P1 EXIT; !E; EXIT; T: BSYNC B8; !T; EXIT;",
      "E:ffff0000 T:00000fff end", 32 },
    { "rule 6: no barrier whose participants are blocked at another one",
      SPLIT("BSSY B8, J", "!E; EXIT", "BSYNC B8; BMOV.R R1, B0; !T", "!J"),
      "E:fffff000 B0=ffffffff T:00000fff J:00000fff end", 32 },
    { "rule 6: the lowest-numbered barrier first",
      THREE("BMOV.B B8, 0xfffffff0; BMOV.B B9, 0xfffff00f", "!E", "BSYNC B8; !T", "BSYNC B9; !S"),
      "E:fffff000 T:00000ff0 S:0000000f end", 32 },
    { "rule 6: before the group deferred last",
      HALVES("BMOV.B B8, 0xffffff", "BSYNC B8", "!K"), "K:00ff0000 R:0000ffff D:ff000000 end", 32 },
    { "rule 6: before a complete WARPSYNC",
      "ISETP.LT.U32 P2, R0, 4, PT; IADD R5, R0, -4; ISETP.LT.U32 P3, R5, 4, PT; @!P3 BSSY B8, C1; "
      "@P2 BRA A1; @P3 BRA C1; EXIT; A1: BSYNC B8; !A; EXIT; C1: WARPSYNC 0xfffffff0; !C; EXIT;",
      "A:0000000f C:000000f0 end", 32 },
    { "rule 6: of the released lanes those at the PC of the lowest run",
      THREE("BSSY B8, S", "!E", "BSYNC B8; !T", "BSYNC B8; !S"),
      "E:fffff000 S:0000000f T:00000ff0 end", 32 },
    { "rule 6: exited lanes leave a WARPSYNC",
      "@P0 BRA T; !E; EXIT; T: WARPSYNC -1; !T; EXIT;", "E:fffff000 T:00000fff end", 32 },
    { "rule 6: an exited warp leaves the count of a block barrier",
      "S2R R3, SR_WARPID; ISETP.EQ.U32 P2, R3, 1, PT; @P2 EXIT; BAR.SYNC 0, 0; !B; EXIT;",
      "B:ffffffff end", 64 },

    /* Rule 7: BMOV, WARPSYNC and BAR. */
    { "rule 7: BMOV takes the lowest executing lane's value",
      "MOV R1, R0; @!P0 BMOV.B B8, R1; BMOV.R R2, B8; EXIT;", "B8=0000000c end", 32 },
    { "rule 7: BMOV without an executing lane",
      "BSSY B8, J; @!PT BMOV.B B8, 1; BMOV.R R2, B8; J: EXIT;", "B8=ffffffff end", 32 },
    { "rule 7: BMOV changes no arrival, T does not wait again",
      SPLIT("BSSY B8, J", "BMOV.R R1, B8; BMOV.B B8, 0; BMOV.B B8, R1; BSYNC B8; !E",
            "BSYNC B8; !T", "!J"), "B8=ffffffff E:fffff000 T:00000fff J:ffffffff end", 32 },
    { "rule 7: WARPSYNC of a part passes",
      "@P0 BRA T; !E; EXIT; T: WARPSYNC 0xfff; !T; EXIT;", "T:00000fff E:fffff000 end", 32 },
    { "rule 7: of the mask of the lowest active lane",
      "ISETP.LT.U32 P2, R0, 4, PT; MOV R1, 0xfff; @!P2 MOV R1, -1; @P0 BRA T; !E; EXIT; T: "
      "WARPSYNC R1; !T; EXIT;", "T:00000fff E:fffff000 end", 32 },
    { "rule 7: a complete WARPSYNC waits for next(), and E comes first",
      THREE("NOP", "!E", "WARPSYNC 0xfff; !T", "WARPSYNC 0xfff; !S"),
      "E:fffff000 S:0000000f T:00000ff0 end", 32 },
    { "rule 7: WARPSYNC against BAR is a deadlock",
      "ISETP.EQ.U32 P2, R0, 0, PT; @P2 BRA T; L: BAR.SYNC 0, 0; EXIT; T: WARPSYNC -1; EXIT;",
      "deadlock", 32 },
    { "rule 7: a block barrier joins warps",
      "!A; BAR.SYNC 1, 0; !B; EXIT;", "A:ffffffff A:0000000f B:0000000f B:ffffffff end", 36 },
    { "rule 7: released lanes become ready and are grouped by PC",
      "@P0 BRA T; BAR.SYNC 0, 0; !E; EXIT; T: BAR.SYNC 0, 0; !T; EXIT;",
      "T:00000fff E:fffff000 end", 32 },
    { "rule 7: a block barrier for a number of lanes",
      "S2R R3, SR_WARPID; ISETP.EQ.U32 P2, R3, 2, PT; @P2 BRA W; BAR.SYNC 3, 64; !B; EXIT; W: !W; "
      "EXIT;", "B:ffffffff W:ffffffff B:ffffffff end", 96 },

    /* Rule 9: YIELD. */
    { "rule 9: a loop that waits for another lane needs YIELD",
      "MOV R4, 0; BSSY B0, X; @P0 BRA W; STS [RZ], R0; BRA X; W: YIELD; LDS R5, [RZ]; "
      "ISETP.EQ.U32 P3, R5, 0, PT; @P3 BRA W; X: BSYNC B0; !J; EXIT;",
      "J:fffff000 J:00000fff end", 32 },

    /* Where the rules leave a choice. */
    { "choice: the mask of the lane looked at decides, and it goes with those of its mask",
      THREE("NOP", "!E", "WARPSYNC -1; !T", "WARPSYNC 0xff0; !S"),
      "E:fffff000 S:00000001 T:00000ff0 S:00000002 S:00000004 S:00000008 end", 32 },
    { "choice: the count of the last arrival",
      "@P0 BRA T; BAR.SYNC 0, 20; !E; EXIT; T: BAR.SYNC 0, 64; !T; EXIT;",
      "T:00000fff E:fffff000 end", 32 },
    { "choice: of its lowest active lane",
      "MOV R1, 64; @P0 MOV R1, 32; BAR.SYNC 0, R1; !A; EXIT;", "A:ffffffff end", 32 },
    { "choice: an EXIT completes a block barrier before its next()",
      "@P0 BRA T; !E; EXIT; T: BAR.SYNC 0, 0; !T; EXIT;", "E:fffff000 T:00000fff end", 32 },
    { "choice: lanes released from a block barrier are in no entry of STK",
      THREE("NOP", "!E", "BAR.SYNC 0, 12; !T", "BAR.SYNC 0, 12; !S"),
      "E:fffff000 S:0000000f T:00000ff0 end", 32 },

    /* Where Heddle differs on purpose. */
    /* H200: all after E's. */
    { "differs: lanes that wait for one barrier at two places continue each after its own",
      SPLIT("BSSY B8, J", "BSYNC B8; !E", "BSYNC B8; !T", "!J"),
      "E:fffff000 T:00000fff J:ffffffff end", 32 },
    /* H200: it hangs. */
    { "differs: WARPSYNC at two places is complete",
      "@P0 BRA T; WARPSYNC -1; !E; EXIT; T: WARPSYNC -1; !T; EXIT;",
      "T:00000fff E:fffff000 end", 32 },
    { "differs: BAR counts lanes, T's do not count for the warp",
      "@P0 BRA T; !E; BAR.SYNC 0, 0; !F; EXIT; T: BAR.SYNC 0, 0; !T; EXIT;",
      "E:fffff000 T:00000fff F:fffff000 end", 32 },
};
#endif
