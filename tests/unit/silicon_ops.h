/* Reads the operations measured on an H200 (tests/silicon/ops), for the unit tests.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SILICON_OPS_H
#define SILICON_OPS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SILICON_SLOTS = 2048, SILICON_OPS = 458 };

struct silicon_ops {
    char name[SILICON_OPS][40];
    uint64_t in32[3][SILICON_SLOTS], in64[3][SILICON_SLOTS];
    uint64_t out[SILICON_OPS][SILICON_SLOTS];
};

static inline bool silicon_read(const char *dir, const char *file, void *to, size_t size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", dir, file);
    gzFile f = gzopen(path, "rb"); /* reads plain files too */
    bool ok = f && gzread(f, to, (unsigned)size) == (int)size;
    if (f)
        gzclose(f);
    if (!ok)
        fprintf(stderr, "%s: cannot read %zu bytes\n", path, size);
    return ok;
}

/* The operations of $SILICON/ops or tests/silicon/ops; NULL, with a message, when they are missing.
 * The caller frees it. */
static inline struct silicon_ops *silicon_load(void)
{
    const char *root = getenv("SILICON");
    char dir[400], path[440], line[256];
    snprintf(dir, sizeof dir, "%s/ops", root ? root : "tests/silicon");
    struct silicon_ops *s = calloc(1, sizeof *s);
    bool ok = s && silicon_read(dir, "expected.u64.gz", s->out, sizeof s->out);
    for (int i = 0; ok && i < 3; i++) {
        snprintf(path, sizeof path, "in32_%c.u64", 'a' + i);
        ok = silicon_read(dir, path, s->in32[i], sizeof s->in32[i]);
        snprintf(path, sizeof path, "in64_%c.u64", 'a' + i);
        ok = ok && silicon_read(dir, path, s->in64[i], sizeof s->in64[i]);
    }
    snprintf(path, sizeof path, "%s/ops.tsv", dir);
    FILE *f = ok ? fopen(path, "r") : NULL;
    for (int k = 0; f && k < SILICON_OPS && fgets(line, sizeof line, f);)
        if (line[0] != '#')
            sscanf(line, "%39s", s->name[k++]);
    if (!f) {
        free(s);
        return NULL;
    }
    fclose(f);
    return s;
}

/* The number of the operation of that name; -1: none. */
static inline int silicon_find(const struct silicon_ops *s, const char *name)
{
    for (int k = 0; k < SILICON_OPS; k++)
        if (strcmp(s->name[k], name) == 0)
            return k;
    return -1;
}

#endif
