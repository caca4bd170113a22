/* The compiler as a page: source to image, pass by pass.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include "compiler/regroup/access.h"
#include "compiler/regroup/redirect.h"
#include "compiler/select/minsn.h"

/* One function up to the point where analyses of the whole module are needed. */
static void prepare(struct fn *f, const struct cc_options *opt)
{
    cfg_build(f);
    switch_run(f);
    if (!opt->no_ifconv) ifconv_run(f);
    if (opt->stack_mode) stack_one_ret(f);
    dom_build(f);
    loop_build(f);
    order_run(f, opt->stack_mode);
    if (opt->stack_mode) stack_layers(f);
    else dom_build(f);
    loop_build(f);
}

/* Directives become predictions: their blocks are edges of the graph from here on. */
static bool predict(struct fn *f, const struct cc_options *opt, struct hd_err *err)
{
    if (!opt->predict || opt->stack_mode) return true;
    if (!predict_find(f, opt, err)) return false;
    if (f->npredictions) {
        dom_build(f);
        loop_build(f);
    }
    return true;
}

/* Directives of the compiler's own; whatever split blocks, uniform_run has to look at again. */
static bool detect(struct module *m, const struct cc_options *opt, struct hd_err *err)
{
    bool any = false;
    if (!auto_run(m, opt, err)) return false;
    for (int k = 0; k < m->nfns; k++) {
        struct fn *f = m->fns[k];
        if (!f->defined || f->npredictions) continue;      /* with directives by hand */
        if (!predict(f, opt, err)) return false;
        any |= f->npredictions > 0;
    }
    if (any) uniform_run(m);
    return true;
}

/* Convergence: barriers, or tokens of the stack. */
static bool place(struct fn *f, const struct cc_options *opt, struct hd_err *err)
{
    if (!opt->stack_mode) {
        place_postdom(f);
        predict_place(f, opt);
        rotate_run(f);
        place_waits(f);
        return verify_placement(f, err);
    }
    place_stack(f);
    return verify_stack(f, err);
}

static bool stack_meets(struct module *m)
{
    bool any = false;
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k]->defined) any |= stack_meet(m->fns[k]);
    return any;
}

bool cc_middle(struct module *m, const struct cc_options *opt, struct hd_err *err)
{
    m->library = softlib_find;
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k]->defined) prepare(m->fns[k], opt);
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k]->defined && !predict(m->fns[k], opt, err)) return false;
    if (!predict_calls(m, err)) return false;
    uniform_run(m);
    if (opt->stack_mode && stack_meets(m)) uniform_run(m);
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k]->defined) map_number(m->fns[k]);
    if (opt->map) map_functions(opt->map, m);
    if (opt->predict == CC_PREDICT_AUTO && !opt->stack_mode && !detect(m, opt, err)) return false;
    if (!opt->stack_mode && !m->is_library) meet_run(m);
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k]->defined && !place(m->fns[k], opt, err)) return false;
    return true;
}

static void show(const struct module *m, const struct cc_options *opt)
{
    FILE *out = opt->show_to ? opt->show_to : stdout;
    if (show_wants(opt->show, "ptx")) fwrite(m->text, 1, m->len, out);
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k]->entry && show_wants(opt->show, "access"))
            access_show(m, m->fns[k]->name, out);
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k]->defined) show_fn(m->fns[k], opt->show, out);
}

static struct hd_image *compile_text(const char *path, const char *text, size_t len,
                                     const struct cc_options *opt, struct hd_err *err)
{
    struct arena *arena = arena_new();
    struct hd_image *image = NULL;
    struct module *m = ptx_parse(arena, path, text, len, err);
    if (m && cc_middle(m, opt, err)) {
        if (opt->show) show(m, opt);
        image = backend_run(m, opt, err);
    }
    arena_free(arena);
    return image;
}

struct hd_image *hd_compile_ptx(const char *name, const char *text, const struct cc_options *opt,
                                struct hd_err *err)
{
    return compile_text(name, text, strlen(text), opt, err);
}

char *cc_ptx(const char *path, const struct cc_options *opt, size_t *len, struct hd_err *err)
{
    char *text = NULL;
    if (cc_is_cuda(path)) cuda_to_ptx(path, opt, &text, len, err);
    else text = cc_read(path, len, err);
    if (!text || !opt || !opt->redirect) return text;
    char *other = redirect_ptx(path, text, *len, opt->redirect, err);
    free(text);
    *len = other ? strlen(other) : 0;
    return other;
}

struct hd_image *hd_compile(const char *path, const struct cc_options *opt, struct hd_err *err)
{
    static const struct cc_options defaults;
    struct hd_err unseen = { 0 };
    size_t len = 0;
    if (!opt) opt = &defaults;
    if (!err) err = &unseen;
    char *text = cc_ptx(path, opt, &len, err);
    if (!text) return NULL;
    struct hd_image *image = compile_text(path, text, len, opt, err);
    free(text);
    return image;
}
