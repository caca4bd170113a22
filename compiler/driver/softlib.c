/* The library of routines that every program may call: parsed and placed when one is first needed.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: the program's options.
 * Ensures:  the function of that name: the program's own, or a routine of the library, which is
 *           placed without predictions; NULL: neither has it, or err says what failed. */
#include <string.h>
#include "compiler/select/minsn.h"
#include "softlib_ptx.h"

static struct fn *named(struct module *m, const char *name)
{
    for (int k = 0; m && k < m->nfns; k++)
        if (!strcmp(m->fns[k]->name, name) && m->fns[k]->defined) return m->fns[k];
    return NULL;
}

struct fn *softlib_find(struct backend *be, const char *name)
{
    struct fn *f = named(be->m, name);       /* a program may bring its own */
    if (f) return f;
    if (!be->lib) {
        be->lib = ptx_parse(be->a, "softlib.ptx", softlib_ptx, sizeof softlib_ptx - 1, be->err);
        if (!be->lib) return NULL;
        be->lib->is_library = true;
        struct cc_options quiet = *be->opt;
        quiet.show = NULL;
        quiet.predict = CC_PREDICT_OFF;
        quiet.map = NULL;
        if (!cc_middle(be->lib, &quiet, be->err)) return NULL;
    }
    return named(be->lib, name);
}
