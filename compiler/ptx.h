/* What ins.sub means, per PTX instruction.
 * SPDX-License-Identifier: Apache-2.0
 * The parser's modifier tables (parse_table.c) list the same names in the same order. */
#ifndef PTX_H
#define PTX_H
enum { MUL_LO, MUL_HI, MUL_WIDE };                      /* mul mad mul24 mad24 madc dp2a (lo, hi) */
enum { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR };          /* setp set */
/* atom red redux */
enum { AT_ADD, AT_MIN, AT_MAX, AT_AND, AT_OR, AT_XOR, AT_EXCH, AT_INC, AT_DEC, AT_CAS };
enum { PS_UP, PS_DOWN, PS_BFLY, PS_IDX };                 /* shfl */
enum { PV_ALL, PV_ANY, PV_UNI, PV_BALLOT };               /* vote */
enum { PM_ANY, PM_ALL };                                  /* match */
enum { PRMT_INDEX, PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16 };
enum { SHF_L = 0, SHF_R = 1, SHF_CLAMP = 2 };             /* shf: bits */
enum { TP_FINITE, TP_INFINITE, TP_NUMBER, TP_NOTANUMBER, TP_NORMAL, TP_SUBNORMAL };   /* testp */
enum { MB_CTA, MB_GL, MB_SYS };                           /* membar; fence */
enum { BFIND_PLAIN, BFIND_SHIFTAMT };
enum { BM_CLAMP, BM_WRAP };                               /* bmsk szext */
enum { BR_POPC, BR_AND, BR_OR };                          /* bar.red */
enum { BAR_ANY, BAR_ALIGNED };                            /* barrier.sync, and bar.sync */
/* opd.sreg below zero: registers that PTX has and the machine has not. */
enum { SREG_CLOCK64 = -1, SREG_GLOBALTIMER = -2, SREG_ZERO = -3 };
#endif
