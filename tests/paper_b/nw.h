/* Needleman and Wunsch: the score of a read's global alignment with a query, DNA.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Substitution costs after Kimura: a transition (A and G, C and T) is likelier than a transversion;
 * in place of a base that the sequencer could not call (N), the column begins with the mean of all
 * four beside one letter of the query. */
#ifndef PAPER_B_NW_H
#define PAPER_B_NW_H
#include "../paper_a/shared.h"

enum { NW_QUERY = 16, NW_GAP = 5, NW_UNKNOWN = 4, NW_BASES = 5 };
/* For each base, its score with every letter of the query, four in a word. */
struct nw_row { pa_u32 scores[NW_QUERY / 4]; };

PA_FN int nw_score(const pa_u32 *scores, int k)
{
    return (int)(scores[k >> 2] << (24 - 8 * (k & 3))) >> 24;
}
#endif
