/* An error message: what is wrong with the input, and the exit status it asks for.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_ERR_H
#define HD_ERR_H
#include <stdarg.h>
#include <stdio.h>

struct hd_err {
    int status;         /* 0: none; 2 wrong use or bad input; 4 internal fault */
    int line;           /* of PTX, where the compiler knows it; else 0 */
    char text[1024];    /* no newline at the end */
};

__attribute__((format(printf, 3, 4)))
static inline void hd_err_set(struct hd_err *e, int status, const char *fmt, ...)
{
    va_list ap;
    if (!e || e->status) return;    /* the first cause is the one that matters */
    e->status = status;
    va_start(ap, fmt);
    vsnprintf(e->text, sizeof e->text, fmt, ap);
    va_end(ap);
}
#endif
