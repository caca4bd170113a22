/* Launches as the host's own code (hd_config.native): translated when an image is first launched,
 * or when as much was interpreted as the compiler costs; kept as long as the device has the image.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/native/native.h"
#include "cmodel/fast/bbv.h"
#include "harness/api/parts.h"

/* So many warp instructions are interpreted, for each instruction of an image, in the time that the
 * compiler needs for it: from there on it pays.  Who waits until it has cost as much to wait spends
 * at most twice what would have been best. */
enum { PAYS = 150000 };

static const char *folder(const hd_device *d)
{
    return *d->cfg.native ? d->cfg.native : NULL;
}

static struct native_code code(const hd_device *d, const struct loaded *l)
{
    struct native_code c = { .text = model_text(d->model),
                             .words = l->image->text_size / HD_INSN_BYTES,
                             .stack_mode = l->image->stack_mode };
    c.entry = fast_entries(d->model, &c.entries);
    return c;
}

/* What has become of an image's translation, after `insns' of this launch. */
static const struct native *look(void *user, uint64_t insns)
{
    hd_device *d = user;
    struct loaded *l = images_used(d);
    const struct native_code c = code(d, l);
    if (l->making) {
        if (native_ended(l->making, &l->native))
            l->making = NULL;
    } else if (!l->looked || (!l->tried && (l->interpreted + insns) / PAYS >= c.words)) {
        if (!l->looked)
            l->native = native_find(&c, folder(d));
        else
            l->making = native_begin(&c, folder(d));
        l->tried = l->looked;
        l->looked = true;
    }
    d->natively = l->native != NULL;
    return l->native;
}

static void make_now(hd_device *d, struct loaded *l)
{
    struct hd_err err = { 0 };
    const struct native_code c = code(d, l);
    l->native = native_open(&c, folder(d), &err);
    snprintf(l->native_why, sizeof l->native_why, "%s", err.text);
}

void native_drop(struct loaded *l)
{
    native_stop(l->making);
    native_free(l->native);
    l->making = NULL;
    l->native = NULL;
    l->native_why[0] = 0;
    l->looked = l->tried = false;
}

void native_use(hd_device *d, struct loaded *l, struct fast_run *how)
{
    const char *why = fast_interprets(d->model, how);
    d->native_why[0] = 0;
    d->natively = false;
    fast_set_native(d->model, NULL);
    const bool counts = code(d, l).entries > 0;
    if (l->counts != counts)
        native_drop(l);                     /* what counts blocks is another translation */
    l->counts = counts;
    if (!d->cfg.native || (why && d->cfg.native_where_it_pays))
        return;
    if (why) {
        snprintf(d->native_why, sizeof d->native_why, "%s", why);
        return;
    }
    if (d->cfg.native_where_it_pays && !l->native) {
        look(d, 0);
        how->translation = look;
        how->translation_user = d;
    } else if (!l->native && !l->native_why[0]) {
        make_now(d, l);
    }
    snprintf(d->native_why, sizeof d->native_why, "%s", l->native_why);
    d->natively = l->native != NULL;
    fast_set_native(d->model, l->native);
}

const char *hd_native_why(const hd_device *d)
{
    return d->native_why[0] ? d->native_why : NULL;
}

bool hd_natively(const hd_device *d)
{
    return d->natively;
}
