/* MUMmer: maximal matches of queries in a suffix tree.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Schatz, Trapnell, Delcher, Varshney: High-throughput sequence alignment using Graphics Processing
 * Units (2007): a thread walks one query through the suffix tree of the reference; when a character
 * does not match, it reports the match, follows the suffix link of the last node, and goes on with
 * the next start. */
#ifndef PAPER_A_MUMMER_H
#define PAPER_A_MUMMER_H
#include "shared.h"

enum { MUM_LETTERS = 4, MUM_SHORTEST = 12 };  /* ACGT; matches shorter than this are not reported */

/* A node and the edge that leads to it.  Node 0 is the root; a child 0 is none. */
struct mum_node {
    int start, length;           /* of the edge's text in the reference; it may run to its end */
    int depth;                   /* characters from the root to the edge's end */
    int link;            /* of inner nodes: the node of the same text without its first character */
    int where;                   /* where in the reference the text is found first */
    int child[MUM_LETTERS];
};
struct mum_match { int length, where; };
#ifndef __CUDA__
/* mummer.c: the suffix tree of a text of letters, in a zeroed array of 2 * length nodes. */
void mum_tree(struct mum_node *node, const uint8_t *text, int length);
#endif
#endif
