/* One error, as a sentence for people.  SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_ERR_H
#define HD_ERR_H
#include <stdarg.h>
#include <stdio.h>

struct hd_err { char msg[1024]; };       /* may hold several lines: message, source line, caret */

__attribute__((format(printf, 2, 3)))
static inline void hd_err_set(struct hd_err *e, const char *fmt, ...)
{
    va_list ap;
    if (!e)
        return;
    va_start(ap, fmt);
    vsnprintf(e->msg, sizeof e->msg, fmt, ap);
    va_end(ap);
}
#endif
