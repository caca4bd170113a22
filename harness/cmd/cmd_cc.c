/* `heddle cc`, `heddle as`, `heddle dis`: between source, listing and image.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/cli.h"
#include "cmodel/image/asm.h"
#include "cmodel/base/outfile.h"
#include <string.h>

/* The result goes to -o, a listing without -o to standard output.  What cannot be written is found
 * out before the work. */
static int convert(struct cli *c, bool listing)
{
    struct hd_image *img;
    struct hd_err err = { 0 };
    bool to_stdout = listing && (!c->output || !strcmp(c->output, "-"));
    if (!listing && !c->output)
        return cli_usage(c, "-o FILE is missing");
    struct outfile *o = to_stdout ? NULL : outfile_open(c->output, &err);
    if (!to_stdout && !o)
        return cli_usage(c, "%s", err.text);
    int status = session_image(c, c->input, &img);
    if (status != EXIT_YES) {
        outfile_drop(o);
        return status;
    }
    FILE *f = o ? outfile_stream(o) : stdout;
    bool ok = true;
    if (listing)
        hd_dis_image(f, img);
    else
        ok = hd_image_put(img, f, &err);
    hd_image_free(img);
    if (!ok)
        outfile_drop(o);
    else if (o)
        ok = outfile_keep(o, &err);
    return ok ? EXIT_YES : cli_usage(c, "%s", err.text);
}

int cmd_cc(struct cli *c)
{
    if (!c->output && !c->cc.asm_only && c->cc.show) {       /* only looking */
        struct hd_image *img;
        int status = session_image(c, c->input, &img);
        hd_image_free(img);
        return status;
    }
    return convert(c, c->cc.asm_only);
}
int cmd_as(struct cli *c) { return convert(c, false); }
int cmd_dis(struct cli *c) { return convert(c, true); }
