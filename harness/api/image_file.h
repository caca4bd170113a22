/* The image of a file.  SPDX-License-Identifier: Apache-2.0 */
#ifndef IMAGE_FILE_H
#define IMAGE_FILE_H
#include "compiler/all.h"

/* Reads it, compiles or assembles it, by its suffix; NULL: err says why. */
struct hd_image *image_file(const char *path, const struct cc_options *opt, struct hd_err *err);
#endif
