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
enum { HD_E5M2 = 1, HD_RELU = 2 };       /* of numbers of eight bits; else e4m3 */
#endif
