/* PTX to image, through a cache.  SPDX-License-Identifier: Apache-2.0
 *
 * What names an image in it is the text, the options, and this library. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmodel/base/keep.h"
#include "cmodel/base/outfile.h"
#include "cuda/cudart/rt.h"

/* ---- the cache ---- */

static uint64_t hash(uint64_t h, const void *data, size_t n)
{
    for (const uint8_t *p = data; n--; p++)
        h = (h ^ *p) * 0x100000001b3u;
    return h;
}

static void cache_name(const char *ptx, char *out, size_t n)
{
    const struct cc_options *o = &rt.opt.cc;
    const int options[] = { o->stack_mode,     o->predict, o->deconflict,
                            o->soft,           o->maxregs, o->f64_routines,
                            o->constant_loads, (int)o->stack_bytes };
    struct stat st = { 0 };
    Dl_info self;
    if (dladdr((void *)(uintptr_t)&cache_name, &self) && self.dli_fname)
        stat(self.dli_fname, &st);
    uint64_t h[2] = { 0xcbf29ce484222325u, 0x9ae16a3b2f90404fu };
    for (int k = 0; k < 2; k++) {
        h[k] = hash(h[k], ptx, strlen(ptx));
        h[k] = hash(h[k], options, sizeof options);
        h[k] = hash(h[k], &st.st_size, sizeof st.st_size);
        h[k] = hash(h[k], &st.st_mtim, sizeof st.st_mtim);
    }
    snprintf(out, n, "%s/%016llx%016llx", rt.opt.cache, (unsigned long long)h[0],
             (unsigned long long)h[1]);
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (f && getdelim(&text, &room, 0, f) < 0) {
        free(text);
        text = NULL;
    }
    if (f)
        fclose(f);
    return text;
}

/* Best effort: a cache that cannot be written is no error. */
static void cache_write(const char *name, const struct hd_image *img, const char *refused)
{
    char path[1200];
    struct hd_err unseen = { 0 };
    keep_make(rt.opt.cache);
    snprintf(path, sizeof path, "%s.refused", name);
    struct outfile *o = outfile_open(path, &unseen);
    if (!o)
        return;
    fputs(refused ? refused : "", outfile_stream(o));
    snprintf(path, sizeof path, "%s.hx", name);
    if (outfile_keep(o, &unseen))
        hd_image_write(img, path, &unseen);
}

struct hd_image *rt_compile(const char *ptx, char **refused, struct hd_err *err)
{
    char name[1100], path[1200];
    struct hd_image *img = NULL;
    struct hd_err unseen = { 0 };
    *refused = NULL;
    rt.opt.cc.stack_bytes = (uint32_t)rt_limit(cudaLimitStackSize);
    if (rt.opt.cache) {
        cache_name(ptx, name, sizeof name);
        snprintf(path, sizeof path, "%s.hx", name);
        if (access(path, R_OK) == 0)
            img = hd_image_read(path, &unseen);
        if (img) {
            snprintf(path, sizeof path, "%s.refused", name);
            *refused = read_text(path);
            return img;
        }
    }
    img = hd_compile_some("device code", ptx, &rt.opt.cc, refused, err);
    if (img && rt.opt.cache)
        cache_write(name, img, *refused);
    return img;
}
