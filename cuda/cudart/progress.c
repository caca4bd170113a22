/* What a launch that takes long says at a terminal while it runs.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cudart/rt.h"

void rt_progress_begin(struct rt_function *f)
{
    static char what[400];
    char name[300];
    rt_name(f->name, name, sizeof name);
    snprintf(what, sizeof what, "launch %llu, %s", (unsigned long long)rt.launches + 1, name);
    hd_show_progress(rt.dev, what);
}

void rt_progress_end(void)
{
    hd_show_progress(rt.dev, NULL);
}
