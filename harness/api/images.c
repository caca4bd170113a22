/* The images of a device: one, or several of which one at a time is in use.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Code and constants of the image in use lie where every image's do.  Data lies at an address of
 * its own for each, one after the other from LAUNCH_DATA, so that pointers to it stay what they
 * are. */
#include <stdlib.h>
#include <string.h>
#include "harness/api/parts.h"

#define FAIL(d, status, ...) (snprintf((d)->error, sizeof (d)->error, __VA_ARGS__), (status))
#define CONSTANTS (LAUNCH_CONST + HD_CONST_DATA)
enum { DATA_ALIGN = 256 };

void images_drop(hd_device *d)
{
    if (d->model)
        fast_set_native(d->model, NULL);
    for (size_t i = 0; i < d->nimages; i++) {
        native_drop(&d->images[i]);
        free(d->images[i].cdata);
    }
    free(d->images);
    d->images = NULL;
    d->nimages = 0;
    d->image = NULL;
}

static struct loaded *loaded(const hd_device *d, const struct hd_image *img)
{
    for (size_t i = 0; i < d->nimages; i++)
        if (d->images[i].image == img)
            return &d->images[i];
    return NULL;
}

struct loaded *images_used(const hd_device *d)
{
    return loaded(d, d->image);
}

/* Writes code, constants and data, and makes it the image in use. */
static enum hd_status write_image(hd_device *d, const struct loaded *l)
{
    enum hd_status s = HD_OK;
    const struct hd_image *img = l->image;
    if (d->model)
        s = launch_load_at(model_memory(d->model), img, l->data, d->error, sizeof d->error);
    if (s == HD_OK && d->rtl)
        s = launch_load_at(d->rtl->bytes, img, l->data, d->error, sizeof d->error);
    if (s == HD_OK && d->model &&
        !model_load(d->model, LAUNCH_CODE, img->text_size, img->stack_mode))
        s = FAIL(d, HD_NO_MEMORY, "no memory for the code");
    if (s == HD_OK) {
        d->image = img;
        d->text_size = img->text_size;
        d->cdata_size = img->cdata_size;
    }
    return s;
}

static enum hd_status add(hd_device *d, const struct hd_image *img)
{
    uint32_t align = img->galign > DATA_ALIGN ? img->galign : DATA_ALIGN;
    uint64_t data = LAUNCH_DATA + ((uint64_t)d->gdata_size + align - 1) / align * align;
    struct loaded *grown = realloc(d->images, (d->nimages + 1) * sizeof *grown);
    if (grown)
        d->images = grown;
    if (data > (uint64_t)LAUNCH_DATA + LAUNCH_DATA_MAX)
        return FAIL(d, HD_TOO_BIG, "the data of %zu images does not fit", d->nimages + 1);
    if (!grown)
        return FAIL(d, HD_NO_MEMORY, "no memory");
    struct loaded *l = &grown[d->nimages];
    *l = (struct loaded){ .image = img,
                          .data = (uint32_t)data,
                          .cdata = malloc((size_t)img->cdata_size + 1) };
    if (!l->cdata)
        return FAIL(d, HD_NO_MEMORY, "no memory");
    enum hd_status s = write_image(d, l);
    if (s != HD_OK) {
        free(l->cdata);
        return s;
    }
    d->nimages++;
    d->gdata_size = (uint32_t)(data - LAUNCH_DATA) + img->gdata_size;
    return HD_OK;
}

enum hd_status hd_load(hd_device *d, const hd_image *img)
{
    if (d->image)
        return FAIL(d, HD_BAD_ARGUMENT, "an image is loaded already");
    d->gdata_size = 0;
    return add(d, img);
}

/* What the constants of the image in use hold now. */
static void keep_constants(hd_device *d)
{
    struct loaded *l = loaded(d, d->image);
    if (l && d->cdata_size)
        memcpy(l->cdata, device_memory(d) + CONSTANTS, d->cdata_size);
}

enum hd_status hd_use(hd_device *d, const hd_image *img)
{
    struct loaded *l = loaded(d, img);
    if (!d->image)
        return hd_load(d, img);
    if (d->image == img)
        return HD_OK;
    if (d->broken_off)
        return FAIL(d, HD_BAD_ARGUMENT, "the last launch was broken off");
    keep_constants(d);
    hd_count_blocks(d, false);
    if (!l)
        return add(d, img);
    /* its data has been here all the time */
    uint8_t *data = malloc((size_t)img->gdata_size + 1);
    if (!data)
        return FAIL(d, HD_NO_MEMORY, "no memory");
    memcpy(data, device_memory(d) + l->data, img->gdata_size);
    enum hd_status s = write_image(d, l);
    uint8_t *const memory[] = { d->model ? model_memory(d->model) : NULL,
                                d->rtl ? d->rtl->bytes : NULL };
    for (int i = 0; i < 2 && s == HD_OK; i++)
        if (memory[i]) {
            memcpy(memory[i] + l->data, data, img->gdata_size);
            memcpy(memory[i] + CONSTANTS, l->cdata, img->cdata_size);
        }
    free(data);
    return s;
}

enum hd_status hd_symbol(hd_device *d, const char *name, uint64_t *addr, size_t *bytes)
{
    const struct loaded *l = loaded(d, d->image);
    for (uint32_t i = 0; l && i < d->image->nsyms; i++) {
        const struct hd_symbol *s = &d->image->syms[i];
        if (s->section == HD_SEC_TEXT || strcmp(s->name, name))
            continue;
        *addr = s->value + (s->section == HD_SEC_GLOBAL ? l->data : (uint32_t)LAUNCH_CONST);
        *bytes = s->size;
        return HD_OK;
    }
    return FAIL(d, HD_BAD_ARGUMENT, "the image has no global symbol `%s`", name);
}
