/* Device code that archives hold.  SPDX-License-Identifier: Apache-2.0
 *
 * nvcc's linker takes from an archive what device code of other files calls.  The run time links
 * ours, but it sees only what the host's linker took, which knows nothing of such calls.  So each
 * object that was compiled with -dc defines a symbol (heddle_program.h), and a link asks for all
 * those that its archives have. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "compiler/all.h"
#include "cuda/nvcc/nvcc.h"

static const char prefix[] = NVCC_DEVICE_CODE;

char *nvcc_code_symbol(const char *source, const char *object)
{
    char *whole = realpath(source, NULL);
    unsigned long long hash = 14695981039346656037u;
    for (const char *p = whole ? whole : source; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 1099511628211u;
    for (const char *p = object; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 1099511628211u;
    free(whole);
    return words_print("%s%016llx", prefix, hash);
}

static unsigned long big_endian(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return (unsigned long)b[0] << 24 | (unsigned long)b[1] << 16 | (unsigned long)b[2] << 8 | b[3];
}

/* Those of an archive's index, which is its first member: a count, that many offsets, names. */
static void add_symbols(struct words *to, const char *path)
{
    enum { MAGIC = 8, HEADER = 60, SIZE = 48 };
    struct hd_err err = { 0 };
    size_t length = 0;
    char *text = cc_read(path, &length, &err);
    if (!text || length < MAGIC + HEADER + 4 || memcmp(text, "!<arch>\n/ ", MAGIC + 2)) {
        free(text);
        return;
    }
    const char *body = text + MAGIC + HEADER, *end = text + length;
    const unsigned long size = strtoul(text + MAGIC + SIZE, NULL, 10), count = big_endian(body);
    if (size < (unsigned long)(end - body))
        end = body + size;
    if (count > (unsigned long)(end - body) / 4 - 1)
        end = body;
    for (const char *name = body + 4 + 4 * count; name < end; name += strlen(name) + 1)
        if (!strncmp(name, prefix, sizeof prefix - 1))
            words_add(to, words_print("%s", name));
    free(text);
}

static bool is_archive(const char *s)
{
    const size_t n = strlen(s);
    return n > 2 && !strcmp(s + n - 2, ".a");
}

/* -l of an archive in a folder that -L names, as the host's linker would find it. */
static void add_library(struct words *to, const struct words *link, const char *name)
{
    for (size_t k = 0; k < link->n; k++) {
        if (strncmp(link->word[k], "-L", 2))
            continue;
        char *shared = words_print("%s/lib%s.so", link->word[k] + 2, name),
             *archive = words_print("%s/lib%s.a", link->word[k] + 2, name);
        const bool is_shared = !access(shared, R_OK), is_here = is_shared || !access(archive, R_OK);
        if (is_here && !is_shared)
            add_symbols(to, archive);
        free(shared);
        free(archive);
        if (is_here)
            return;
    }
}

void nvcc_archived_code(const struct nvcc *n, struct words *to)
{
    for (size_t k = 0; k < n->inputs.n; k++)
        if (is_archive(n->inputs.word[k]))
            add_symbols(to, n->inputs.word[k]);
    for (size_t k = 0; k < n->link.n; k++)
        if (!strncmp(n->link.word[k], "-l", 2))
            add_library(to, &n->link, n->link.word[k] + 2);
}
