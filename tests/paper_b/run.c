/* Counts a workload, finds an order, predicts, runs and judges it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements move where they can, as --apply auto would have it; else the kernel is redirected.
 * Moved elements are judged where they are: what the host says of them has moved, too. */
#include "tests/paper_b/run.h"
#include "cmodel/image/image.h"
#include "cmodel/timing/timing.h"
#include "compiler/regroup/access.h"
#include "harness/cli/cli.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Exchanges of `best`: a number of passes, so that orders do not depend on the host's speed. */
enum { LIMIT = 400000000, ROUNDS = 8, SEEN = 4000000 };

struct work {
    const struct workload *w;
    const struct problem *p;
    struct hd_image *image;
    char *ptx; size_t ptx_size;
    struct timing *timing;
    struct bbv *b;
    struct cost *blocks, *columns;
    double *lat;
    struct inside *inside;
    struct sectors *sectors;
    struct machine machine;
    uint32_t *order;
    bool layout;                 /* elements can move, as `moves` says */
    struct access access;
    struct layout moves;
    uint64_t value[MAX_BUFFERS], bytes[MAX_BUFFERS];
};

static void path_of(const struct workload *w, char *path, size_t size)
{
    snprintf(path, size, "tests/paper_b/%s.cu", w->name);
}

char *workload_ptx(const struct workload *w, size_t *len, struct hd_err *err)
{
    char path[256], *ptx = NULL;
    path_of(w, path, sizeof path);
    if (cuda_to_ptx(path, &(struct cc_options){ 0 }, &ptx, len, err))
        return NULL;
    char *ended = realloc(ptx, *len + 1);
    if (ended)
        ended[*len] = 0;
    return ended;
}

/* ---- a launch -------------------------------------------------------------------------------- */

bool workload_place(struct placed *k, const struct problem *p, const struct hd_image *img,
                    const struct hd_config *cfg)
{
    *k = (struct placed){ .l = { .grid = { p->blocks, 1, 1 }, .block = { p->threads, 1, 1 } } };
    bool ok = hd_open(cfg, &k->d) == HD_OK && hd_load(k->d, img) == HD_OK &&
              problem_place(p, k->d, k->block, k->at, &k->l.params_size);
    k->l.params = k->block;
    if (!ok)
        fprintf(stderr, "paper_b: %s\n", hd_device_error(k->d));
    return ok;
}

/* D is the last parameter. */
static bool place_order(struct placed *k, const struct redirect *r, const struct problem *p,
                        const uint32_t *order)
{
    struct launch_args la = { .grid = k->l.grid, .block = k->l.block };
    struct hd_err err = { 0 };
    bool ok = args_order(&la, r, order, &err) &&
              hd_malloc(k->d, la.args[0].count * 4, &k->at[p->n]) == HD_OK &&
              hd_write(k->d, k->at[p->n], la.args[0].data, la.args[0].count * 4) == HD_OK;
    k->l.params_size = (k->l.params_size + 7) / 8 * 8;
    k->block[k->l.params_size / 8] = k->at[p->n];
    k->l.params_size += 8;
    if (!ok)
        fprintf(stderr, "paper_b: %s\n", err.text);
    args_free(&la);
    return ok;
}

static bool see(void *user, const struct hd_commit *c) { return sectors_see(user, c); }

/* Counts, and then looks at the sectors of a second run. */
static bool count(struct work *k, unsigned warps)
{
    struct hd_config cfg = { .kind = HD_MODEL, .limit = LIMIT, .warps = warps };
    struct placed at;
    bool ok = workload_place(&at, k->p, k->image, &cfg) && hd_count_blocks(at.d, true) == HD_OK &&
              hd_occupancy(at.d, &at.l, &k->machine.slots) == HD_OK &&
              hd_launch_grid(at.d, &at.l) == HD_OK && hd_block_counts(at.d, &k->b) == HD_OK &&
              hd_count_blocks(at.d, false) == HD_OK;
    ok = ok && (k->blocks = cost_blocks(k->b, k->timing, k->image)) &&
         (k->sectors = sectors_new(k->b, SEEN));
    if (ok) {
        hd_on_commit(at.d, see, k->sectors);
        enum hd_status st = hd_launch_grid(at.d, &at.l);
        ok = st == HD_OK || st == HD_STOPPED;
    }
    if (!ok)
        fprintf(stderr, "paper_b: %s: %s\n", k->w->name, hd_device_error(at.d));
    for (unsigned i = 0; ok && i < k->p->n; i++)
        k->value[i] = k->p->buf[i].scalar ? k->value[i] : at.at[i];
    hd_close(at.d);
    return ok && (k->inside = inside_fit(k->b, k->image)) &&
           (k->columns = cost_columns(k->b, k->blocks)) &&
           (k->lat = cost_field(k->b, k->columns, COST_LAT));
}

/* ---- orders ---------------------------------------------------------------------------------- */

static void describe(struct work *k)
{
    char path[256];
    struct hd_err err = { 0 };
    path_of(k->w, path, sizeof path);
    for (unsigned i = 0; i < k->p->n; i++) {
        const struct buffer *b = &k->p->buf[i];
        k->value[i] = b->scalar ? b->value : (uint64_t)(i + 1) << 32;
        k->bytes[i] = b->bytes;
    }
    k->moves = (struct layout){ &k->access, (uint64_t)k->p->blocks * k->p->threads, k->value,
                                k->bytes };
    k->layout = access_find(path, k->ptx, k->ptx_size, NULL, &k->access, NULL, &err) &&
                !k->access.unsure && layout_launch(&k->moves, &err);
}

/* This thread's, of the processor: other workloads run beside it. */
static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool find_order(struct work *k, enum order_by by, double *seconds)
{
    struct order_how how = { .by = by, .rounds = ROUNDS };
    struct hd_err err = { 0 };
    double start = processor_seconds();
    k->order = order_find(k->b, k->lat, &how, &err);
    if (k->order && by == BY_BEST && !order_blocks(k->b, k->columns, &k->machine, k->order))
        return false;
    *seconds = processor_seconds() - start;
    if (!k->order)
        fprintf(stderr, "paper_b: %s: %s\n", k->w->name, err.text);
    return k->order && (!k->layout || layout_fit(&k->moves, k->order, 0));
}

static uint64_t address(void *user, uint32_t thread, uint32_t place, uint64_t addr)
{
    const struct work *k = user;
    return layout_address(&k->moves, thread, place, addr);
}

static bool predicted(struct work *k, struct outcome *o)
{
    struct sectors_order in = { k->order, k->layout ? address : NULL, k };
    sectors_cost(k->sectors, k->timing, &in, k->blocks);
    struct basis basis = { k->b, k->blocks, k->inside, NULL, k->timing, k->machine };
    return predict(&basis, k->order, &o->p);
}

static void *moved(const struct work *k, unsigned i, const void *from)
{
    void *to = from ? malloc(k->bytes[i] + 1) : NULL;
    if (to)
        layout_move(&k->moves, (int)i, k->order, from, to, false);
    return to;
}

/* The problem with its elements in their new places; to be freed. */
static struct problem move(const struct work *k)
{
    struct problem q = *k->p;
    for (unsigned i = 0; k->layout && i < q.n; i++) {
        q.buf[i].data = moved(k, i, k->p->buf[i].data);
        q.buf[i].expected = moved(k, i, k->p->buf[i].expected);
    }
    return q;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void apply(struct work *k, enum order_by by, unsigned warps, bool lockstep,
                  struct outcome *o)
{
    struct hd_config cfg = { .kind = lockstep ? HD_LOCKSTEP : HD_MODEL,
                             .limit = LIMIT,
                             .warps = warps,
                             .timing = lockstep ? NULL : "core" };
    struct redirect r = { .scope = ORDER_GRID };
    bool redirect = by != BY_ORIGINAL && !k->layout;
    struct hd_err err = { 0 };
    struct placed at = { 0 };
    char path[256], what[300];
    path_of(k->w, path, sizeof path);
    snprintf(what, sizeof what, "%s: %s", path, order_names[by]);
    char *changed = redirect ? redirect_ptx(path, k->ptx, k->ptx_size, &r, &err) : NULL;
    struct hd_image *img = !redirect ? k->image
                           : changed
                               ? hd_compile_ptx(path, changed, &(struct cc_options){ 0 }, &err)
                               : NULL;
    struct problem q = move(k);
    if (img && workload_place(&at, &q, img, &cfg) &&
        (!redirect || place_order(&at, &r, &q, k->order))) {
        o->ran = hd_launch_grid(at.d, &at.l) == HD_OK;
        if (!o->ran)
            hd_explain(at.d, stderr);
        o->right = o->ran && problem_judge(&q, what, at.d, at.at);
        o->count = *hd_get_counters(at.d);
    } else if (err.status)
        fprintf(stderr, "%s\n", err.text);
    o->layout = k->layout && by != BY_ORIGINAL;
    hd_close(at.d);
    if (k->layout)
        problem_free(&q);
    if (img != k->image)
        hd_image_free(img);
    free(changed);
}

static bool begin(struct work *k, const struct workload *w, const struct problem *p, unsigned warps)
{
    struct hd_err err = { 0 };
    char path[256];
    path_of(w, path, sizeof path);
    *k = (struct work){ .w = w, .p = p, .machine = { 1, 0, 1 } };
    k->ptx = workload_ptx(w, &k->ptx_size, &err);
    k->image = k->ptx ? hd_compile_ptx(path, k->ptx, &(struct cc_options){ 0 }, &err) : NULL;
    k->timing = timing_open("core", &err);
    if (!k->image || !k->timing) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    describe(k);
    return count(k, warps);
}

static void end(struct work *k)
{
    access_free(&k->access);
    free(k->order);
    free(k->lat);
    free(k->columns);
    free(k->blocks);
    inside_free(k->inside);
    sectors_free(k->sectors);
    bbv_free(k->b);
    free(k->timing);
    hd_image_free(k->image);
    free(k->ptx);
}

struct outcome workload_run(const struct workload *w, const struct problem *p, enum order_by by,
                            unsigned warps, bool lockstep)
{
    struct outcome o = { 0 };
    struct work k;
    if (begin(&k, w, p, warps) && find_order(&k, by, &o.seconds) && predicted(&k, &o)) {
        o.bound = bound_cost(k.b, k.lat, false);
        apply(&k, by, warps, lockstep, &o);
    }
    end(&k);
    return o;
}

/* ---- equation (1) ---------------------------------------------------------------------------- */

/* The words of a thread's own elements that the kernel only reads. */
static bool take_inputs(const struct work *k, struct inputs *in)
{
    *in = (struct inputs){ .threads = k->b->threads };
    for (unsigned i = 0; i < k->p->n; i++) {
        const struct access_buffer *b = &k->access.buffer[i];
        uint32_t words = b->form == ACCESS_ELEMENT && !b->written ? (uint32_t)b->size / 4 : 0;
        struct input *more = realloc(in->input, (in->n + words + 1) * sizeof *more);
        if (!more)
            return false;
        in->input = more;
        for (uint32_t e = 0; e < words; e++)
            in->input[in->n++] = (struct input){ strdup(k->p->buf[i].name), words, e };
    }
    in->value = malloc(in->threads * (in->n + 1) * sizeof *in->value);
    for (uint64_t t = 0; in->value && t < in->threads; t++)
        for (uint32_t n = 0, i = 0; i < k->p->n; i++)
            for (uint32_t e = 0; n < in->n && !strcmp(in->input[n].name, k->p->buf[i].name);
                 e++, n++)
                in->value[t * in->n + n] =
                    ((const int32_t *)k->p->buf[i].data)[t * in->input[n].elements + e];
    return in->value;
}

double workload_fit(const struct workload *w, const struct problem *p, unsigned threads)
{
    struct work k;
    struct inputs in = { 0 };
    struct hd_err err = { 0 };
    double error = -1;
    if (begin(&k, w, p, 32) && k.layout && take_inputs(&k, &in)) {
        struct fit *f = fit_make(k.b, &in, threads, &err);
        struct bbv *by = f ? fit_counts(f, &in, k.b->grid, k.b->block, NULL) : NULL;
        if (by)
            error = fit_error(k.b, by);
        else
            fprintf(stderr, "paper_b: %s: %s\n", w->name, err.text);
        bbv_free(by);
        fit_free(f);
    }
    for (uint32_t n = 0; n < in.n; n++)
        free(in.input[n].name);
    free(in.input);
    free(in.value);
    end(&k);
    return error;
}
