/* What a test file of `heddle check` asks for: its keys, read and refused in one place.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CHECK_FILE_H
#define CHECK_FILE_H
#include "cmodel/base/err.h"
#include <stdbool.h>

enum { MAX_EXPECT = 32 };
/* One launch: the words after RUN, and what must come of it. */
struct expectation {
    char *run, *expect[MAX_EXPECT], *hash[MAX_EXPECT], *message[MAX_EXPECT], *prints[MAX_EXPECT];
    int line, ne, nh, nm, np, status;
    unsigned lanes[6];
    int nlanes;                                      /* 0: the model alone */
    bool barrier_only;
};
struct check_file { struct expectation *run; int n; };

/* False: the file cannot be read, has a key that nothing knows, a value that says nothing, a RUN
 * without an expectation, or no RUN at all; `file:line: why' in err. */
bool check_read(const char *path, struct check_file *out, struct hd_err *err);
void check_free(struct check_file *f);
#endif
