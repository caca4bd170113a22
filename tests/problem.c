/* The buffers of a problem: made, put on a device, judged, written to files.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/problem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct buffer *add(struct problem *p, const char *name, size_t bytes)
{
    if (p->n == MAX_BUFFERS) {
        fprintf(stderr, "problem: MAX_BUFFERS is too small for %s\n", name);
        exit(4);
    }
    p->buf[p->n] = (struct buffer){ .name = name, .bytes = bytes };
    return &p->buf[p->n++];
}

static void *zeros(size_t bytes)
{
    void *at = calloc(1, bytes);
    if (!at) {
        fprintf(stderr, "problem: no memory\n");
        exit(4);
    }
    return at;
}

void *problem_in(struct problem *p, const char *name, size_t bytes)
{
    return add(p, name, bytes)->data = zeros(bytes);
}

void *problem_out(struct problem *p, const char *name, size_t bytes)
{
    return add(p, name, bytes)->expected = zeros(bytes);
}

void problem_int(struct problem *p, const char *name, int value)
{
    struct buffer *b = add(p, name, 0);
    b->scalar = true;
    b->value = (uint32_t)value;
}

void problem_free(struct problem *p)
{
    for (unsigned i = 0; i < p->n; i++) {
        free(p->buf[i].data);
        free(p->buf[i].expected);
    }
    p->n = 0;
}

bool problem_place(const struct problem *p, hd_device *d, uint64_t *block, uint64_t *at,
                   size_t *size)
{
    *size = 0;
    for (unsigned i = 0; i < p->n; i++) {
        const struct buffer *b = &p->buf[i];
        size_t width = b->scalar ? 4 : 8;
        uint64_t value = b->value;
        if (!b->scalar) {
            if (hd_malloc(d, b->bytes, &at[i]) != HD_OK ||
                (b->data && hd_write(d, at[i], b->data, b->bytes) != HD_OK))
                return false;
            value = at[i];
        }
        *size = (*size + width - 1) / width * width;
        memcpy((char *)block + *size, &value, width);
        *size += width;
    }
    return true;
}

bool problem_judge(const struct problem *p, const char *what, hd_device *d, const uint64_t *at)
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
            fprintf(stderr, "%s: `%s` differs from the host's at byte %zu\n", what, b->name, k);
            return false;
        }
    }
    return true;
}

bool problem_write(const struct problem *p, const char *name, const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.args", folder, name);
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
        const size_t threads = (size_t)p->blocks * p->threads;
        /* words, where each thread may have its own */
        const unsigned bits = b->bytes % (4 * threads) ? 8 : 32;
        if (!b->data) {
            fprintf(args, "%s:u%u[%zu]=zero\n", b->name, bits, b->bytes / (bits / 8));
            continue;
        }
        snprintf(path, sizeof path, "%s/%s.%s", folder, name, b->name);
        fprintf(args, "%s:u%u[%zu]=@%s\n", b->name, bits, b->bytes / (bits / 8), path);
        FILE *f = fopen(path, "wb");
        ok = f && fwrite(b->data, 1, b->bytes, f) == b->bytes;
        if (f)
            ok &= !fclose(f);
    }
    return args && !fclose(args) && ok;
}
