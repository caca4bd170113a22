/* What a launch would gain: the compiler is asked, and orders of threads are found.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cmd/profile_gain.h"
#include "harness/cli/branches.h"
#include "cmodel/image/image.h"
#include "cmodel/timing/timing.h"
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

/* "FILE:LINE: remark: loop merge applied: ... (x1.25) ...": auto.c's remark; false: another one. */
static bool read_remark(char *line, struct profile_predict *p)
{
    char *what = strstr(line, ": remark: "), *applied = what ? strstr(what, " applied: ") : NULL;
    char *times = applied ? strstr(applied, "(x") : NULL;
    if (!times)
        return false;
    *what = *applied = 0;
    char *number = strrchr(line, ':');
    if (!number)
        return false;
    *number = 0;
    *p = (struct profile_predict){ strdup(line), (unsigned)strtoul(number + 1, NULL, 10),
                                   strtod(times + 2, NULL), strdup(what + strlen(": remark: ")) };
    return p->file && p->what;
}

void gain_predict(struct cli *c, const char *counts, struct profile_gains *g)
{
    struct hd_err err = { 0 };
    struct cc_profile known;
    struct cc_options cc = c->cc;
    char *text = NULL, *save = NULL;
    size_t size = 0;
    if (!counts || c->cc.stack_mode || !profile_parse("counts of this run", counts, &known, &err))
        return;
    cc.predict = CC_PREDICT_AUTO;
    cc.deconflict = 1; /* dynamic, as --predict auto has it */
    cc.profile = &known;
    cc.map = NULL;
    cc.show = NULL;
    cc.remarks = open_memstream(&text, &size);
    struct hd_image *img = cc.remarks ? hd_compile(c->input, &cc, &err) : NULL;
    if (cc.remarks)
        fclose(cc.remarks);
    for (char *line = img ? strtok_r(text, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save)) {
        struct profile_predict *more = realloc(g->predict, (g->npredicts + 1) * sizeof *more);
        if (!more)
            break;
        g->predict = more;
        g->npredicts += read_remark(line, &more[g->npredicts]);
    }
    hd_image_free(img);
    profile_free(&known);
    free(text);
}

static double cost_of(const struct bbv *b, const double *lat, enum order_by by)
{
    struct order_how how = { .by = by, .rounds = 4 };
    struct hd_err err = { 0 };
    uint32_t *order = order_find(b, lat, &how, &err);
    double *warp = order ? metric_warps(b, lat, order) : NULL, sum = 0;
    for (uint64_t i = 0; warp && i < metric_warps_block(b) * b->threads / b->threads_block; i++)
        sum += warp[i];
    free(order);
    free(warp);
    return sum;
}

void gain_regroup(struct session *s, struct profile_gains *g)
{
    struct hd_err err = { 0 };
    struct bbv *b = NULL;
    struct timing *t = timing_open("core", &err);
    if (t && hd_block_counts(s->dev, &b) == HD_OK) {
        struct cost *blocks = cost_blocks(b, t, s->image),
                    *columns = blocks ? cost_columns(b, blocks) : NULL;
        double *lat = columns ? cost_field(b, columns, COST_LAT) : NULL;
        double was = lat ? cost_of(b, lat, BY_ORIGINAL) : 0,
               is = lat ? cost_of(b, lat, BY_BEST) : 0;
        double bound = lat ? bound_cost(b, lat, false) : 0;
        if (was > 0 && is > 0 && bound > 0) {
            g->regroup = was / is;
            g->bound = was / bound;
        }
        free(lat);
        free(columns);
        free(blocks);
    }
    bbv_free(b);
    free(t);
}

void gain_free(struct profile_gains *g)
{
    for (size_t i = 0; i < g->npredicts; i++) {
        free(g->predict[i].file);
        free(g->predict[i].what);
    }
    free(g->predict);
    *g = (struct profile_gains){ 0 };
}
