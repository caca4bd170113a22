/* Counts in messages: "1 lane", "2 lanes".
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef COUNTED_H
#define COUNTED_H

/* The word that goes with this many. */
#define BY_COUNT(n, one, more) ((n) == 1 ? (one) : (more))
/* The number and what it counts, both for printf: "%u %s", COUNTED(n, "lane"). */
#define COUNTED(n, what) (n), BY_COUNT(n, what, what "s")
#endif
