/* What a paper states beside what we find, and the claims that are known to differ.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CLAIMS_H
#define CLAIMS_H
#include <stdbool.h>

enum { CLAIMS_MAX = 128, CLAIM_NAME = 48 };
struct claims {
    const char *paper, *yes;             /* `paper-a', `holds' */
    unsigned n;
    struct { char name[CLAIM_NAME]; bool holds; } list[CLAIMS_MAX];
};

/* Prints `PAPER: OF.WHAT, OURS, THEIRS, YES|differs'. */
__attribute__((format(printf, 6, 7))) void claim(struct claims *c, const char *of, const char *what,
                                                 const char *theirs, bool holds, const char *ours,
                                                 ...);
/* The file says which claims differ: a line each, its name, where (`core', `model', `both' of
 * these, or `h200'), why; # begins a comment.  True: there are claims, and those that differ are
 * the file's for `where'.  Else says what is wrong. */
bool claims_as_known(const struct claims *c, const char *path, const char *where);
#endif
