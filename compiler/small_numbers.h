/* What is asked of the routines of softlib/video.cu: one word.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SMALL_NUMBERS_H
#define SMALL_NUMBERS_H
enum { HD_VADD, HD_VSUB, HD_VAVRG, HD_VABSDIFF, HD_VMIN, HD_VMAX, HD_VSET, HD_OP = 7,
       HD_BYTES = 8,                     /* four numbers, else two */
       HD_A_SIGNED = 16, HD_B_SIGNED = 32, HD_D_SIGNED = 64, HD_SAT = 128,
       HD_SUM = 256,                     /* all results and c are added; else they are parts of c */
       HD_MASK = 12, HD_CMP = 16 };      /* where these begin: parts that count; enum below */
enum { HD_EQ, HD_NE, HD_LT, HD_LE, HD_GT, HD_GE };
/* Of one number of 32 bits, after a and b were selected: an operation, HD_A_SIGNED to HD_SAT, and
 * these.  HD_NEGATE is of a product. */
enum { HD_SVADD, HD_SVSUB, HD_SVABSDIFF, HD_SVMIN, HD_SVMAX, HD_SVSET, HD_SVSHL, HD_SVSHR, HD_SVMAD,
       HD_SOP = 15, HD_WRAP = 256, HD_PLUS_ONE = 512, HD_NEGATE = 1024, HD_NEGATE_C = 2048,
       HD_SECOND = 12,                   /* where these begin: 0 none, add, min, max */
       HD_PART_AT = 20, HD_PART_BITS = 25,       /* of d: where it is, and its bits; 0: all of d */
       HD_SCALE = 20 };                  /* of vmad: how far it is shifted */
enum { HD_E5M2 = 1, HD_RELU = 2 };       /* of numbers of eight bits; else e4m3 */
#endif
