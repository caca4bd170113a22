/* `heddle cc`, `heddle as`, `heddle dis`: between source, listing and image.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/cli.h"
#include "cmodel/image/asm.h"
#include "cmodel/base/outfile.h"
#include <stdlib.h>
#include <string.h>

/* Compiled code that nobody can launch.  An image of nothing would be found out later. */
static int lacks_kernel(struct cli *c)
{
    return cli_usage(c, "%s: no kernel in it: a launch needs a __global__ function (in PTX .entry)",
                     c->input);
}

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
    if (c->launch.kernel && !kernel_by_name(img, c->launch.kernel, &err)) {
        hd_image_free(img);
        outfile_drop(o);
        return cli_usage(c, "%s", err.text);
    }
    if (c->cmd->run == cmd_cc && !img->nkernels) {
        hd_image_free(img);
        outfile_drop(o);
        return lacks_kernel(c);
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

/* PTX as the compiler reads it: clang's, redirected. */
static int write_ptx(struct cli *c)
{
    struct hd_err err = { 0 };
    size_t len = 0;
    struct outfile *o = outfile_open(c->output, &err);
    if (!o)
        return cli_usage(c, "%s", err.text);
    char *text = cc_ptx(c->input, &c->cc, &len, &err);
    bool ok = text;
    if (ok && !strstr(text, ".entry")) {
        free(text);
        outfile_drop(o);
        return lacks_kernel(c);
    }
    if (ok) {
        fwrite(text, 1, len, outfile_stream(o));
        ok = outfile_keep(o, &err);
    } else
        outfile_drop(o);
    free(text);
    if (!ok)
        fprintf(c->err, "%s\n", err.text);
    return ok ? EXIT_YES : err.status == 4 ? EXIT_BUG : EXIT_USAGE;
}

static bool is_ptx(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && !strcmp(path + n - 4, ".ptx");
}

int cmd_cc(struct cli *c)
{
    if (c->output && !c->cc.asm_only && is_ptx(c->output))
        return write_ptx(c);
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
