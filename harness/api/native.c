/* Launches as the host's own code (hd_config.native): translated when an image is first launched,
 * kept as long as the device has it.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/native/native.h"
#include "harness/api/parts.h"

void native_use(hd_device *d, struct loaded *l, const struct model_run *how)
{
    struct hd_err err = { 0 };
    const char *why = model_interprets(d->model, how);
    d->native_why[0] = 0;
    model_set_native(d->model, NULL);
    if (!d->cfg.native)
        return;
    if (why) {
        snprintf(d->native_why, sizeof d->native_why, "%s", why);
        return;
    }
    if (!l->native && !l->native_why[0]) {
        const struct hd_image *img = l->image;
        l->native = native_open(model_text(d->model), img->text_size / HD_INSN_BYTES,
                                img->stack_mode, *d->cfg.native ? d->cfg.native : NULL, &err);
        snprintf(l->native_why, sizeof l->native_why, "%s", err.text);
    }
    snprintf(d->native_why, sizeof d->native_why, "%s", l->native_why);
    model_set_native(d->model, l->native);
}

const char *hd_native_why(const hd_device *d)
{
    return d->native_why[0] ? d->native_why : NULL;
}
