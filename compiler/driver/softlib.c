/* The library of routines that every program may call: its units are parsed and placed when first
 * needed.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: the program's options.
 * Ensures:  the function of that name: the program's own, or a routine of the library, which is
 *           placed without predictions; NULL: neither has it, or err says what failed. */
#include <string.h>
#include "compiler/select/minsn.h"
#include "softlib_ptx.h"

static const struct { const char *name, *text; size_t len; } units[LIB_UNITS] = {
    { "softlib.ptx", softlib_ptx, sizeof softlib_ptx - 1 },
    { "f64.ptx", f64_ptx, sizeof f64_ptx - 1 },
    { "print.ptx", print_ptx, sizeof print_ptx - 1 },
    { "math.ptx", math_ptx, sizeof math_ptx - 1 },
    { "single.ptx", single_ptx, sizeof single_ptx - 1 },
    { "half.ptx", half_ptx, sizeof half_ptx - 1 },
    { "special.ptx", special_ptx, sizeof special_ptx - 1 },
    { "gamma.ptx", gamma_ptx, sizeof gamma_ptx - 1 },
    { "alloc.ptx", alloc_ptx, sizeof alloc_ptx - 1 },
    { "mma.ptx", mma_ptx, sizeof mma_ptx - 1 },
    { "mbarrier.ptx", mbarrier_ptx, sizeof mbarrier_ptx - 1 },
    { "video.ptx", video_ptx, sizeof video_ptx - 1 },
    { "texture.ptx", texture_ptx, sizeof texture_ptx - 1 },
    { "children.ptx", children_ptx, sizeof children_ptx - 1 },
    { "errors.ptx", errors_ptx, sizeof errors_ptx - 1 },
    { "condition.ptx", condition_ptx, sizeof condition_ptx - 1 },
    { "meet.ptx", meet_ptx, sizeof meet_ptx - 1 },
};

static struct fn *named(struct module *m, const char *name)
{
    for (int k = 0; m && k < m->nfns; k++)
        if (!strcmp(m->fns[k]->name, name) && m->fns[k]->defined) return m->fns[k];
    return NULL;
}

/* Its text declares a function of that name. */
static bool declares(int unit, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = units[unit].text; (at = strstr(at, name)); at += n)
        if (at[-1] == ' ' && at[n] == '(') return true;
    return false;
}

static bool open_unit(struct backend *be, int unit)
{
    be->lib[unit] = ptx_parse(be->a, units[unit].name, units[unit].text, units[unit].len, be->err);
    if (!be->lib[unit]) return false;
    be->lib[unit]->is_library = true;
    struct cc_options quiet = *be->opt;
    quiet.show = NULL;
    quiet.predict = CC_PREDICT_OFF;
    quiet.map = NULL;
    layout_variables(be, be->lib[unit]);
    return cc_middle(be->lib[unit], &quiet, be->err);
}

struct fn *softlib_find(struct backend *be, const char *name)
{
    struct fn *f = named(be->m, name);       /* a program may bring its own */
    for (int k = 0; k < LIB_UNITS && !f && *name; k++) {
        if (!declares(k, name)) continue;
        if (!be->lib[k] && !open_unit(be, k)) return NULL;
        f = named(be->lib[k], name);
    }
    return f;
}
