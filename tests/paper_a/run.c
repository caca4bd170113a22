/* Compiles, launches and judges a workload.
 * SPDX-License-Identifier: Apache-2.0 */
#include "run.h"
#include "harness/cli/cli.h"
#include <stdlib.h>
#include <string.h>

static const char source_dir[] = "tests/paper_a";
static const struct command command = { "paper_a", "", "", OPT_CC, NULL };
enum { LIMIT = 400000000, MAX_WORDS = 16 };

static struct hd_image *compile(const struct workload *w, const struct placement *with)
{
    char path[256], *argv[MAX_WORDS] = { (char *)(uintptr_t)command.name, path };
    int argc = 2;
    struct cli c;
    struct hd_err err = { 0 };
    struct hd_image *img = NULL;
    snprintf(path, sizeof path, "%s/%s.cu", source_dir, w->name);
    for (const char *const *o = with->options; *o && argc < MAX_WORDS - 1; o++)
        argv[argc++] = (char *)(uintptr_t)*o;
    if (cli_parse(&command, argc, argv, &c) < 0 && !(img = hd_compile(path, &c.cc, &err)))
        fprintf(stderr, "%s\n", err.text);
    cli_free(&c);
    return img;
}

/* The parameter block: addresses, then 32-bit scalars, as every kernel here has them. */
static bool place(const struct problem *p, hd_device *d, uint64_t *block, uint32_t *at, size_t *size)
{
    *size = 0;
    for (unsigned i = 0; i < p->n; i++) {
        const struct buffer *b = &p->buf[i];
        size_t width = b->scalar ? 4 : 8;
        uint64_t value = b->value;
        if (!b->scalar) {
            if (hd_malloc(d, b->bytes, &at[i]) != HD_OK || (b->data && hd_write(d, at[i], b->data, b->bytes) != HD_OK))
                return false;
            value = at[i];
        }
        *size = (*size + width - 1) / width * width;
        memcpy((char *)block + *size, &value, width);
        *size += width;
    }
    return true;
}

/* Memory as the host says; names the first byte that is not. */
static bool judge(const struct workload *w, const struct problem *p, const struct placement *with, hd_device *d,
                  const uint32_t *at)
{
    for (unsigned i = 0; i < p->n; i++) {
        const struct buffer *b = &p->buf[i];
        const unsigned char *want = b->expected ? b->expected : b->data;
        unsigned char *got = b->scalar ? NULL : malloc(b->bytes);
        size_t k = 0;
        if (got && hd_read(d, at[i], got, b->bytes) == HD_OK)
            while (k < b->bytes && got[k] == want[k])
                k++;
        free(got);
        if (k < b->bytes) {
            fprintf(stderr, "%s/%s.cu: %s: `%s` differs from the host's at byte %zu\n", source_dir, w->name, with->name,
                    b->name, k);
            return false;
        }
    }
    return true;
}

struct outcome workload_run(const struct workload *w, const struct problem *p, const struct placement *with, bool lockstep)
{
    struct outcome o = { 0 };
    struct hd_config cfg = { .kind = lockstep ? HD_LOCKSTEP : HD_MODEL, .limit = LIMIT, .timing = lockstep ? NULL : "core" };
    uint64_t block[MAX_BUFFERS];
    uint32_t at[MAX_BUFFERS] = { 0 };
    hd_device *d = NULL;
    struct hd_launch l = { .grid = { p->blocks, 1, 1 }, .block = { p->threads, 1, 1 }, .params = block };
    struct hd_image *img = compile(w, with);
    if (!img)
        return o;
    if (hd_open(&cfg, &d) == HD_OK && hd_load(d, img) == HD_OK && place(p, d, block, at, &l.params_size)) {
        o.ran = hd_launch_grid(d, &l) == HD_OK;
        if (!o.ran)
            hd_explain(d, stderr);
        o.right = o.ran && judge(w, p, with, d, at);
        o.count = *hd_get_counters(d);
    } else
        fprintf(stderr, "%s/%s.cu: %s\n", source_dir, w->name, hd_device_error(d));
    hd_close(d);
    hd_image_free(img);
    return o;
}

double outcome_efficiency(const struct outcome *o)
{
    return o->count.warp_insns ? 100.0 * (double)o->count.active_lanes / 32 / (double)o->count.warp_insns : 0;
}

bool workload_write(const struct workload *w, const struct problem *p, const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.args", folder, w->name);
    FILE *args = fopen(path, "w");
    bool ok = args != NULL;
    if (ok)
        fprintf(args, "--grid %u --block %u\n", p->blocks, p->threads);
    for (unsigned i = 0; ok && i < p->n; i++) {
        const struct buffer *b = &p->buf[i];
        if (b->scalar) {
            fprintf(args, "%s:u32=%u\n", b->name, b->value);
            continue;
        }
        if (!b->data) {
            fprintf(args, "%s:u8[%zu]=zero\n", b->name, b->bytes);
            continue;
        }
        snprintf(path, sizeof path, "%s/%s.%s", folder, w->name, b->name);
        fprintf(args, "%s:u8[%zu]=@%s\n", b->name, b->bytes, path);
        FILE *f = fopen(path, "wb");
        ok = f && fwrite(b->data, 1, b->bytes, f) == b->bytes;
        if (f)
            ok &= !fclose(f);
    }
    return args && !fclose(args) && ok;
}
