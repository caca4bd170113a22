/* MeiyaMD5: searching the password of an MD5 hash.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hu, Ma, Huang: High throughput implementation of MD5 algorithm on GPU (2009) tries every password
 * of a space, one MD5 block each, all in registers.  Where the imbalance that paper A saw comes
 * from is not published; ours is that spaces differ: a mask ends in one character of a class, and
 * classes have 10 to 95 characters. */
#ifndef PAPER_A_MEIYAMD5_H
#define PAPER_A_MEIYAMD5_H
#include "shared.h"

enum { MD_PREFIX = 7, MD_CLASSES = 6 };    /* a password is seven characters and one of the class */
/* digits; letters; letters, digits; both cases; both cases, digits; printable */
#define MD_CLASS_SIZES { 10, 26, 36, 52, 62, 95 }
/* rest: characters 5 to 7, 0 */
struct md_mask { pa_u32 first, rest; int from, count; pa_u32 target[4]; };
/* -1: none; and all digests in one word, so that each counts */
struct md_found { int at; pa_u32 digests; };
#endif
