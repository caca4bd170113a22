/* How views show why a lane does not run.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/isa/waits.h"
#include <stdio.h>
#include <string.h>

const struct wait_form wait_forms[] = {
#define WAIT(name, code, letter, mark, brief, where, words, what) \
    { code, letter, mark, brief, where, words },
#include "cmodel/isa/commit.def"
};
const unsigned wait_nforms = sizeof wait_forms / sizeof wait_forms[0];

const struct wait_form *wait_form(unsigned wait)
{
    const unsigned code = wait < HD_WAIT_BARRIER ? wait : wait & ~15u;
    const struct wait_form *ready = wait_forms;
    for (unsigned i = 0; i < wait_nforms; i++) {
        if (wait_forms[i].code == code)
            return &wait_forms[i];
        if (wait_forms[i].code == HD_WAIT_READY)
            ready = &wait_forms[i];
    }
    return ready;
}

void wait_text(const char *form, unsigned wait, char *out, size_t n)
{
    const char *number = strstr(form, "%u");
    if (number)
        snprintf(out, n, "%.*s%u%s", (int)(number - form), form, wait & 15, number + 2);
    else
        snprintf(out, n, "%s", form);
}
