/* `heddle regroup --apply`: every order runs, and must leave what the original one leaves.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cmd/cmd_regroup.h"
#include "cmodel/image/image.h"
#include "cmodel/places.h"
#include <stdlib.h>
#include <string.h>

/* What a launch has left: the contents of all buffers but D, and of global variables. */
struct left { uint8_t *bytes; size_t size; };

static size_t buffers(const struct launch_args *la) { return la->nargs - la->ordered; }

static bool read_left(const struct session *s, struct left *out)
{
    const struct launch_args *la = &s->cli->launch;
    size_t at = s->image->gdata_size;
    for (size_t k = 0; k < buffers(la); k++)
        at += la->args[k].array ? la->args[k].count * la->args[k].width : 0;
    *out = (struct left){ malloc(at + 1), at };
    if (!out->bytes || (s->image->gdata_size &&
                        hd_read(s->dev, LAUNCH_DATA, out->bytes, s->image->gdata_size) != HD_OK))
        return false;
    at = s->image->gdata_size;
    for (size_t k = 0; k < buffers(la); k++) {
        const struct arg *a = &la->args[k];
        if (a->array && hd_read(s->dev, a->addr, out->bytes + at, a->count * a->width) != HD_OK)
            return false;
        at += a->array ? a->count * a->width : 0;
    }
    return true;
}

/* The first difference in words: true. */
static bool differs(const struct regroup *r, const struct asked *a, const struct left *x,
                    const struct left *y, size_t globals)
{
    const struct launch_args *la = &r->cli->launch;
    size_t at = 0;
    if (x->size == y->size && !memcmp(x->bytes, y->bytes, x->size))
        return false;
    while (at < x->size && at < y->size && x->bytes[at] == y->bytes[at])
        at++;
    fprintf(stderr, "heddle regroup: %s leaves other memory: ", a->name);
    if (at < globals || x->size != y->size) {
        fprintf(stderr, "byte %zu of the global variables\n", at);
        return true;
    }
    at -= globals;
    for (size_t k = 0; k < buffers(la); k++) {
        const struct arg *b = &la->args[k];
        size_t bytes = b->array ? b->count * b->width : 0;
        if (at < bytes) {
            fprintf(stderr, "%s[%zu]\n", b->name, at / b->width);
            break;
        }
        at -= bytes;
    }
    return true;
}

/* One launch, on a device of its own.  globals: bytes of the global variables.  -1, or the exit
 * status. */
static int run(struct regroup *r, struct asked *a, const char *timing, struct left *left,
               size_t *globals)
{
    struct cli *c = r->cli;
    struct session s;
    char doing[96];
    snprintf(doing, sizeof doing, "regroup, order %u of %u, %s", (unsigned)(a - r->asked) + 1, r->n,
             a->name);
    c->doing = doing;
    c->cfg.timing = c->regroup.lockstep ? NULL : timing;
    int status = session_open(&s, c, c->regroup.lockstep ? HD_LOCKSTEP : HD_MODEL);
    if (status < 0) {
        enum hd_status st = session_launch(&s);
        if (st == HD_FAULT || st == HD_MISMATCH || st == HD_DEADLOCK)
            session_explain(&s, stderr);
        if (st > HD_STOPPED)
            status = session_error(&s, st);
        else if (st != HD_OK)
            status = cli_exit_status(st),
            fprintf(stderr, "heddle regroup: %s: %s\n", a->name, hd_strerror(st));
        else if (!read_left(&s, left))
            status = cli_usage(c, "no memory for what %s leaves", a->name);
        const struct hd_counters *n = hd_get_counters(s.dev);
        *globals = s.image->gdata_size;
        a->cycles = n->cycles;
        a->branches = n->branches;
        a->divergent = n->divergent_branches;
        a->pushes = n->pushes;
        a->spills = n->spills;
    }
    session_close(&s);
    c->doing = NULL;
    return status;
}

/* The order's D takes its place after the other parameters, and leaves it again. */
static bool give_order(struct cli *c, const uint32_t *order)
{
    struct hd_err err = { 0 };
    return args_order(&c->launch, &c->redirect, order, &err) ||
           (cli_usage(c, "%s", err.text), false);
}

static void take_order(struct launch_args *la)
{
    if (!la->ordered)
        return;
    struct arg *d = &la->args[--la->nargs];
    free(d->name);
    free(d->data);
    la->ordered = false;
}

/* The redirected kernel, once for all orders. */
int regroup_compile(struct regroup *r)
{
    struct cli *c = r->cli;
    c->redirect.scope = c->regroup.block_scope ? ORDER_BLOCK : ORDER_GRID;
    c->redirect.kernel = c->launch.kernel;
    c->cc.redirect = &c->redirect;
    int status = session_image(c, c->input, &c->image);
    return status == EXIT_YES ? -1 : status;
}

void regroup_uncompile(struct regroup *r)
{
    take_order(&r->cli->launch);
    hd_image_free(r->cli->image);
    r->cli->image = NULL;
    r->cli->cc.redirect = NULL;
}

/* What the elements' new places hold goes back to the old ones. */
static bool put_back(const struct regroup *r, const struct asked *a, struct left *left,
                     size_t globals)
{
    uint8_t *at = left->bytes + globals, *copy = malloc(left->size + 1);
    for (size_t k = 0; copy && k < r->cli->launch.nargs; k++) {
        const struct arg *b = &r->cli->launch.args[k];
        size_t bytes = b->array ? b->count * b->width : 0;
        if (bytes) {
            layout_move(&r->layout, (int)k, a->order, at, copy, true);
            memcpy(at, copy, bytes);
        }
        at += bytes;
    }
    free(copy);
    return copy != NULL;
}

static int run_moved(struct regroup *r, struct asked *a, const char *timing, struct left *left,
                     size_t *globals)
{
    int status = regroup_move(r, a->order) ? run(r, a, timing, left, globals)
                                           : cli_usage(r->cli, "no memory");
    regroup_move_back(r);
    return status < 0 && !put_back(r, a, left, *globals) ? cli_usage(r->cli, "no memory") : status;
}

static int run_redirected(struct regroup *r, struct asked *a, const char *timing, struct left *left,
                          size_t *globals)
{
    int status = give_order(r->cli, a->order) ? run(r, a, timing, left, globals) : EXIT_USAGE;
    take_order(&r->cli->launch);
    return status;
}

int regroup_apply(struct regroup *r, const char *timing)
{
    struct left first = { 0 };
    size_t globals = 0;
    int status = run(r, &r->asked[0], timing, &first, &globals);
    if (status < 0 && r->n > 1 && r->apply == APPLY_REDIRECT)
        status = regroup_compile(r);
    for (unsigned k = 1; status < 0 && k < r->n; k++) {
        struct left now = { 0 };
        status = (r->apply == APPLY_LAYOUT ? run_moved : run_redirected)(r, &r->asked[k], timing,
                                                                         &now, &globals);
        if (status < 0 && differs(r, &r->asked[k], &first, &now, globals))
            status = EXIT_NO;
        free(now.bytes);
    }
    free(first.bytes);
    regroup_uncompile(r);
    return status;
}
