/* `heddle regroup --apply`: by what orders are applied, and whether that pays.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cmd/cmd_regroup.h"
#include <stdlib.h>
#include <string.h>

/* Our metric's error on paper B's workloads is of this size (docs/paper-b.md): what gains less may
 * gain nothing. */
static const double marginal = 1.05;

static int refuse(const struct cli *c, const struct hd_err *err)
{
    return cli_usage(c, "%s", err->text), err->status == 4 ? EXIT_BUG : EXIT_USAGE;
}

/* The kernel's PTX. */
bool regroup_source(struct regroup *r, struct hd_err *err)
{
    struct cli *c = r->cli;
    size_t n = strlen(c->input);
    bool cuda = cc_is_cuda(c->input);
    if (!cuda && (n < 4 || strcmp(c->input + n - 4, ".ptx"))) {
        hd_err_set(err, 2, "--apply changes PTX, or needs to know it: it needs CUDA C or PTX");
        return false;
    }
    if (cuda)
        cuda_to_ptx(c->input, &c->cc, &r->ptx, &r->ptx_size, err);
    else
        r->ptx = cc_read(c->input, &r->ptx_size, err);
    return r->ptx != NULL;
}

bool regroup_redirects(struct regroup *r, struct hd_err *err)
{
    struct redirect how = { .scope = r->cli->regroup.block_scope ? ORDER_BLOCK : ORDER_GRID,
                            .kernel = r->cli->launch.kernel };
    char *text = redirect_ptx(r->cli->input, r->ptx, r->ptx_size, &how, err);
    free(text);
    return text != NULL;
}

/* Of an error: "file:line: reason", without the PTX. */
static int first_line(const struct hd_err *err)
{
    const char *ptx = strstr(err->text, "; in its PTX:");
    return (int)(ptx ? (size_t)(ptx - err->text) : strcspn(err->text, "\n"));
}

static void choose(struct regroup *r, const struct session *s)
{
    struct hd_err layout = { 0 }, redirect = { 0 };
    if (regroup_layout(r, s, &layout)) {
        r->apply = APPLY_LAYOUT;
        snprintf(r->why, sizeof r->why, "elements can move with their threads%s",
                 r->access.unsure ? ", as a run has shown" : "");
    } else if (regroup_redirects(r, &redirect)) {
        r->apply = APPLY_REDIRECT;
        snprintf(r->why, sizeof r->why, "%.*s", first_line(&layout), layout.text);
    } else {
        r->apply = APPLY_NONE;
        snprintf(r->why, sizeof r->why, "%.*s", first_line(&redirect), redirect.text);
    }
}

int regroup_choose(struct regroup *r, const struct session *s)
{
    struct hd_err err = { 0 };
    r->apply = (enum regroup_apply)r->cli->regroup.apply;
    if (r->apply == APPLY_NONE)
        return -1;
    if (!regroup_source(r, &err))
        return refuse(r->cli, &err);
    if (r->apply == APPLY_AUTO)
        choose(r, s);
    else if (r->apply == APPLY_LAYOUT && !regroup_layout(r, s, &err))
        return refuse(r->cli, &err);
    return -1;
}

/* The model's units never wait, so that there the metric without them counts; another machine's
 * do. */
void regroup_gain(struct regroup *r)
{
    const bool units = r->cli->regroup.lockstep || r->sampled ||
                       (r->cli->regroup.machine[0] && r->sectors);
    const struct prediction *o = &r->asked[0].p, *p;
    double best = 0;
    for (unsigned k = 1; k < r->n; k++) {
        p = &r->asked[k].p;
        double gain = units ? o->units / p->units : o->inside / p->inside;
        best = gain > best ? gain : best;
    }
    if (r->cli->regroup.apply != APPLY_AUTO || r->apply == APPLY_NONE || !(best < marginal))
        return;
    r->apply = APPLY_NONE;
    snprintf(r->why, sizeof r->why, "the predicted gain is marginal: %.3f times, less than %.2f",
             best, marginal);
}

void regroup_free(struct regroup *r)
{
    access_free(&r->access);
    free(r->value);
    free(r->bytes);
    free(r->kept);
    free(r->ptx);
}
