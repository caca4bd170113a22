/* `heddle regroup --apply layout`: elements of buffers change places.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: a launch that is placed: buffers have their addresses.
 * Ensures:  what can't be bounded in the text has been seen in a run, in which every access of a
 * thread to a buffer
 *           that moves was to its own elements. */
#include "harness/cmd/cmd_regroup.h"
#include "cmodel/image/image.h"
#include <stdlib.h>
#include <string.h>

#define FAIL(err, ...) (hd_err_set(err, 2, __VA_ARGS__), false)

/* Values and sizes by parameter. */
static bool describe(struct regroup *r, const struct session *s, struct hd_err *err)
{
    const struct launch_args *la = &s->cli->launch;
    size_t n = (size_t)r->access.nparams;
    r->value = calloc(n + 1, sizeof *r->value);
    r->bytes = calloc(n + 1, sizeof *r->bytes);
    r->kept = calloc(n + 1, sizeof *r->kept);
    if (!r->value || !r->bytes || !r->kept) {
        hd_err_set(err, 4, "no memory");
        return false;
    }
    for (size_t p = 0; p < n && p < la->nargs; p++) {
        const struct arg *a = &la->args[p];
        if (a->array) {
            r->value[p] = a->addr;
            r->bytes[p] = a->count * a->width;
        } else if (a->kind != ARG_BYTES)
            memcpy(&r->value[p], a->data, a->width);
    }
    r->layout = (struct layout){ &r->access, r->b->threads, r->value, r->bytes };
    if (la->grid.y * la->grid.z * la->block.y * la->block.z != 1)
        return FAIL(
            err,
            "no layout: elements move by ctaid.x * ntid.x + tid.x, and the launch has more "
            "dimensions");
    return layout_launch(&r->layout, err);
}

/* ---- the run that shows ---------------------------------------------------------------------- */

struct checking { const struct regroup *r; const struct hd_image *image; char why[400]; };

static bool see(void *user, const struct hd_commit *c)
{
    struct checking *k = user;
    const struct layout *l = &k->r->layout;
    uint32_t lanes = c->mem && c->space == SPACE_GLOBAL ? c->exec & ~c->shared_m & ~c->local_m : 0;
    for (unsigned lane = 0; lanes; lane++, lanes >>= 1) {
        uint64_t g = (uint64_t)c->block * k->r->b->threads_block + c->warp * HD_LANES + lane;
        int p = lanes & 1 ? layout_allows(l, g, c->addr[lane], c->size) : -1;
        if (p < 0)
            continue;
        const char *file = k->r->cli->input;
        unsigned line = 0;
        hd_image_line(k->image, c->pc, &file, &line);
        if (strrchr(file, '/'))
            file = strrchr(file, '/') + 1;
        snprintf(
            k->why, sizeof k->why,
            "%s:%u: no layout: this is beyond the thread's own element: thread %llu at byte %llu "
            "of %s, "
            "elements of %lld bytes",
            file, line, (unsigned long long)g, (unsigned long long)(c->addr[lane] - l->value[p]),
            k->r->cli->launch.args[p].name, (long long)l->x->buffer[p].size);
        return false;
    }
    return true;
}

/* Without a clock, and in the order as it is. */
static bool shown(struct regroup *r, struct hd_err *err)
{
    struct session s;
    struct checking k = { .r = r };
    const char *timing = r->cli->cfg.timing;
    r->cli->cfg.timing = NULL;
    bool ok = session_open(&s, r->cli, HD_MODEL) < 0;
    k.image = s.image;
    if (ok) {
        session_on_commit(&s, see, &k);
        ok = session_launch(&s) == HD_OK;
    }
    if (!ok)
        hd_err_set(err, 2, "%s",
                   k.why[0] ? k.why
                            : "no layout: the run that shows what accesses do came to no end");
    session_close(&s);
    r->cli->cfg.timing = timing;
    return ok;
}

bool regroup_layout(struct regroup *r, const struct session *s, struct hd_err *err)
{
    bool any = false;
    if (!access_find(r->cli->input, r->ptx, r->ptx_size, r->cli->launch.kernel, &r->access, NULL,
                     err) ||
        !describe(r, s, err))
        return false;
    for (int p = 0; p < r->access.nparams; p++)
        any |= r->access.buffer[p].form != ACCESS_FREE;
    if (!any)
        return FAIL(err,
                    "%s: no layout: no access depends on the thread's id, so no elements can move",
                    r->cli->input);
    return !r->access.unsure || shown(r, err);
}

/* ---- moved ----------------------------------------------------------------------------------- */

bool regroup_move(struct regroup *r, const uint32_t *order)
{
    for (int p = 0; p < r->access.nparams; p++) {
        struct arg *a = &r->cli->launch.args[p];
        if (r->access.buffer[p].form == ACCESS_FREE)
            continue;
        uint8_t *moved = malloc(r->bytes[p]);
        if (!moved)
            return false;
        layout_move(&r->layout, p, order, a->data, moved, false);
        r->kept[p] = a->data;
        a->data = moved;
    }
    return true;
}

void regroup_move_back(struct regroup *r)
{
    for (int p = 0; p < r->access.nparams; p++)
        if (r->kept[p]) {
            free(r->cli->launch.args[p].data);
            r->cli->launch.args[p].data = r->kept[p];
            r->kept[p] = NULL;
        }
}
