/* The image of a file, whatever kind of file.  SPDX-License-Identifier: Apache-2.0 */
#include "harness/api/image_file.h"
#include "cmodel/heddle.h"
#include "cmodel/image/asm.h"
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && !strcmp(s + n - m, suffix);
}

static struct hd_image *assemble(const char *path, struct hd_err *err)
{
    size_t n;
    char *text = cc_read(path, &n, err);
    struct hd_image *img = NULL;
    if (text) {
        text[n] = 0;                     /* cc_read left room */
        hd_asm(path, text, &img, err);
    }
    free(text);
    return img;
}

struct hd_image *image_file(const char *path, const struct cc_options *opt, struct hd_err *err)
{
    return ends_with(path, ".cu") || ends_with(path, ".ptx") ? hd_compile(path, opt, err)
         : ends_with(path, ".s")                             ? assemble(path, err)
                                                             : hd_image_read(path, err);
}

enum hd_status hd_image_open(const char *path, bool stack_mode, hd_image **out, char *why,
                             size_t room)
{
    const struct cc_options opt = { .stack_mode = stack_mode };
    struct hd_err err = { 0 };
    *out = image_file(path, &opt, &err);
    snprintf(why, room, "%s", err.text);
    return *out ? HD_OK : err.status == 4 ? HD_INTERNAL : HD_BAD_IMAGE;
}

void hd_image_close(hd_image *img)
{
    hd_image_free(img);
}
