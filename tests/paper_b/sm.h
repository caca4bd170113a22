/* Stereo matching: the disparity of each cell of a grid, the global maximum of how well the two
 * images agree.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cell of SM_CELL pixels square is compared at every disparity, row by row; a disparity is given
 * up once it can no longer be the best.  A second way over the disparities near the best tells how
 * sure it is; cells without texture have none. */
#ifndef PAPER_B_SM_H
#define PAPER_B_SM_H
#include "../paper_a/shared.h"

enum { SM_CELL = 8, SM_DISPARITIES = 24,
       SM_MARGIN = 2 * SM_DISPARITIES /* pixels at the left and right */, SM_FLAT = 200 };
struct sm_best { int disparity, cost, second; };
#endif
