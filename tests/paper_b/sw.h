/* Smith and Waterman: the best local alignment of a peptide with each protein of a database.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gotoh's recurrence: a gap costs SW_OPEN for its first letter, SW_EXTEND for each more.  Scores
 * are BLOSUM62's, laid out as a profile of the query: for each letter, its score with every letter
 * of the query, four in a word. */
#ifndef PAPER_B_SW_H
#define PAPER_B_SW_H
#include "../paper_a/shared.h"

enum { SW_LETTERS = 20, SW_QUERY = 16, SW_OPEN = 12, SW_EXTEND = 1 };
struct sw_row { pa_u32 scores[SW_QUERY / 4]; };

PA_FN int sw_score(const pa_u32 *scores, int k)
{
    return (int)(scores[k >> 2] << (24 - 8 * (k & 3))) >> 24;
}
#endif
