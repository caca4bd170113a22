/* `heddle cc`, `heddle as`, `heddle dis`: between source, listing and image.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "cmodel/asm.h"
#include <errno.h>
#include <string.h>

/* Writes an image, or its listing, to -o; a listing without -o goes to standard output. */
static int write_result(struct cli *c, const struct hd_image *img, bool listing)
{
    struct hd_err err = { 0 };
    if (!listing) {
        if (!c->output)
            return cli_usage(c, "-o FILE is missing");
        if (hd_image_write(img, c->output, &err))
            return EXIT_YES;
        return cli_usage(c, "%s", err.text);
    }
    FILE *f = c->output && strcmp(c->output, "-") ? fopen(c->output, "w") : stdout;
    if (!f)
        return cli_usage(c, "cannot write %s: %s", c->output, strerror(errno));
    hd_dis_image(f, img);
    bool bad = fflush(f) != 0;
    if (f != stdout)
        bad |= fclose(f) != 0;
    if (bad)
        return cli_usage(c, "cannot write %s: %s", c->output ? c->output : "the listing", strerror(errno));
    return EXIT_YES;
}

static int convert(struct cli *c, bool listing)
{
    struct hd_image *img;
    int status = session_image(c, c->input, &img);
    if (status != EXIT_YES)
        return status;
    status = write_result(c, img, listing);
    hd_image_free(img);
    return status;
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
