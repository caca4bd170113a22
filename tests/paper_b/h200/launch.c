/* A launch of `paper_b write', on the GPU: parameters, elements that move, what memory must be.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/paper_b/h200/gpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bad(const char *path, const char *what)
{
    fprintf(stderr, "gpu: %s: %s\n", path, what);
    exit(2);
}

size_t launch_threads(const struct launch *l) { return (size_t)l->blocks * l->threads; }

/* NAME:u32=VALUE or NAME:u8|u32[N]=zero|@FILE. */
static void read_line(struct buffer *b, const char *line, const char *want, const char *path)
{
    char file[512], name[600];
    size_t count, got;
    unsigned bits;
    if (sscanf(line, "%31[^:]:u32=%u", b->name, &b->value) == 2)
        return;
    if (sscanf(line, "%31[^:]:u%u[%zu]=%511s", b->name, &bits, &count, file) != 4 ||
        (bits != 8 && bits != 32) || !count)
        bad(path, line);
    b->bytes = count * (bits / 8);
    if (*file == '@') {
        b->data = (unsigned char *)contents(file + 1, &got);
        if (got != b->bytes)
            bad(file + 1, "its size is not what the launch says");
    }
    snprintf(name, sizeof name, "%s.%s", want, b->name);
    FILE *there = fopen(name, "rb");
    if (!there)
        return;
    fclose(there);
    b->want = (unsigned char *)contents(name, &got);
    if (got != b->bytes || b->data)
        bad(name, "this is no output that begins with zeros");
}

/* PACK/KERNEL.moved: PARAMETER:BYTES,.. of the elements that a layout moves. */
static void read_moved(struct launch *l, const char *path)
{
    size_t size, bytes;
    char *text = contents(path, &size);
    for (char *at = text; *at && *at != '\n'; at += strcspn(at, ",\n"), at += *at == ',') {
        unsigned p;
        if (sscanf(at, "%u:%zu", &p, &bytes) != 2 || !p || p > l->n ||
            bytes * launch_threads(l) != l->b[p - 1].bytes)
            bad(path, "this parameter has no such element for each thread");
        l->b[p - 1].element = bytes;
    }
    free(text);
}

/* PACK/KERNEL.bound: parameters with which threads' numbers are compared, a line each. */
static void read_bound(struct launch *l, const char *path)
{
    size_t size;
    char *text = contents(path, &size), *end = text;
    for (unsigned long p; (p = strtoul(end, &end, 10)) != 0; l->b[p - 1].bound = true)
        if (p > l->n || l->b[p - 1].bytes)
            bad(path, "this parameter is no number");
    free(text);
}

void launch_read(struct launch *l, const char *pack, const char *work, const char *kernel)
{
    char line[600], path[512], want[512];
    snprintf(path, sizeof path, "%s/%s.args", work, kernel);
    snprintf(want, sizeof want, "%s/%s.want", work, kernel);
    FILE *f = fopen(path, "r");
    *l = (struct launch){ .n = 0 };
    if (!f || fscanf(f, "--grid %u --block %u\n", &l->blocks, &l->threads) != 2)
        bad(path, "no launch");
    for (; fgets(line, sizeof line, f); l->n++) {
        if (l->n == MOST - 1)                    /* one is left for an order */
            bad(path, "too many parameters");
        read_line(&l->b[l->n], line, want, path);
    }
    fclose(f);
    snprintf(path, sizeof path, "%s/%s.moved", pack, kernel);
    read_moved(l, path);
    snprintf(path, sizeof path, "%s/%s.bound", pack, kernel);
    read_bound(l, path);
    for (struct buffer *b = l->b; b < l->b + l->n; b++) {
        b->at = b->bytes ? gpu_room(b->bytes) : 0;
        if (b->data)
            must(gpu.cuMemcpyHtoD_v2(b->at, b->data, b->bytes), "cuMemcpyHtoD");
    }
    launch_clear(l);
}

bool launch_moves(const struct launch *l)
{
    for (unsigned k = 0; k < l->n; k++)
        if (l->b[k].element)
            return true;
    return false;
}

void launch_clear(const struct launch *l)
{
    for (unsigned k = 0; k < l->n; k++)
        if (l->b[k].bytes && !l->b[k].data)
            must(gpu.cuMemsetD8_v2(l->b[k].at, 0, l->b[k].bytes), "cuMemset");
}

void elements_move(void *to, const void *from, const uint32_t *d, size_t n, size_t element)
{
    if (element == 4)                            /* what nearly all elements are */
        for (size_t i = 0; i < n; i++)
            memcpy((char *)to + 4 * i, (const char *)from + 4 * (size_t)d[i], 4);
    else
        for (size_t i = 0; i < n; i++)
            memcpy((char *)to + element * i, (const char *)from + element * d[i], element);
}

bool launch_right(const struct launch *l, const uint32_t *d)
{
    bool right = true;
    for (unsigned k = 0; k < l->n; k++) {
        const struct buffer *b = &l->b[k];
        if (!b->want)
            continue;
        unsigned char *got = room(b->bytes), *want = b->want;
        if (d && b->element)
            elements_move(want = room(b->bytes), b->want, d, launch_threads(l), b->element);
        must(gpu.cuMemcpyDtoH_v2(got, b->at, b->bytes), "cuMemcpyDtoH");
        right &= !memcmp(got, want, b->bytes);
        if (want != b->want)
            free(want);
        free(got);
    }
    return right;
}

unsigned launch_params(struct launch *l, void **params)
{
    for (unsigned k = 0; k < l->n; k++)
        params[k] = l->b[k].bytes ? (void *)&l->b[k].at : (void *)&l->b[k].value;
    return l->n;
}

char *launch_ptx(const char *pack, const char *kernel, const char *suffix)
{
    char path[512];
    size_t size;
    snprintf(path, sizeof path, "%s/%s%s.ptx", pack, kernel, suffix);
    return contents(path, &size);
}
