/* Speculative reconvergence in CUDA C: where lanes of a warp should meet although no post-dominator
 * says so.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Damani et al., "Speculative Reconvergence for Improved SIMT Efficiency" (CGO 2020), section 4.1:
 *
 *     SIMT_PREDICT(hit);                   the region starts here: in front of the loop
 *     for (...) {
 *         ...
 *         if (rare) {
 *             SIMT_LABEL(hit);             the lanes of the region wait here for each other
 *             ...
 *
 *   SIMT_PREDICT(name)          all lanes of the region wait at SIMT_LABEL(name), or where none
 *                               stands in the function: at the entry of the function `name`
 *                               (declare it __noinline__)
 *   SIMT_PREDICT(name, n)       they go on when more than n have come (a soft barrier, section
 *                               4.6); 0: all
 *   SIMT_LABEL(name)            first in its block; several of one name mean all of them, as
 *                               inlining makes
 *
 * They become .pragma directives of PTX.  `heddle cc --predict user` follows them; an assembler
 * that does not know them warns and goes on, so the same source runs on every GPU, and on a host
 * they are nothing. */
#ifndef SIMT_PREDICT_H
#define SIMT_PREDICT_H
#ifdef __CUDA_ARCH__
#define SIMT_PRAGMA(text) __asm__ volatile(".pragma \"" text "\";" ::: "memory")
#else
#define SIMT_PRAGMA(text) ((void)0)
#endif
#define SIMT_PREDICT_NAMED(name, lanes, ...) SIMT_PRAGMA("simt.predict " #name " " #lanes)
#define SIMT_PREDICT(...) SIMT_PREDICT_NAMED(__VA_ARGS__, 0, 0)
#define SIMT_LABEL(name) SIMT_PRAGMA("simt.label " #name)
#endif
