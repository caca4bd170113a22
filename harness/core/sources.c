/* Whether a core is made of the sources that lie in its tree: somebody who edits rtl/ and runs
 * lockstep asks about the core as it is now.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Contents are compared, not times: a file that is put back, or copied with its time, says nothing
 * by it.  All of them together are less than a megabyte, a millisecond's work. */
#include "harness/core/sources.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *sources_text(void *lib)
{
    const char *(*of)(void) = NULL;
    void *sym = lib ? dlsym(lib, "rtl_sources") : NULL;
    memcpy(&of, &sym, sizeof of);
    return sym ? of() : "";
}

bool sources_equal(const char *a, const char *b)
{
    size_t n = strcspn(a, ";");
    return n == strcspn(b, ";") && !strncmp(a, b, n);
}

/* ---- cksum: the polynomial of Ethernet, most significant bit first, the length at the end ---- */

struct crc { uint32_t table[8][256]; };

static void prepare(struct crc *c)
{
    for (unsigned i = 0; i < 256; i++) {
        uint32_t v = i << 24;
        for (int bit = 0; bit < 8; bit++)
            v = v << 1 ^ (v >> 31 ? 0x04c11db7u : 0);
        c->table[0][i] = v;
    }
    for (unsigned k = 1; k < 8; k++)
        for (unsigned i = 0; i < 256; i++)
            c->table[k][i] = c->table[k - 1][i] << 8 ^ c->table[0][c->table[k - 1][i] >> 24];
}

static uint32_t sum(const struct crc *c, const uint8_t *p, size_t n)
{
    const uint32_t (*t)[256] = c->table;
    const size_t size = n;
    uint32_t v = 0;
    for (; n >= 8; p += 8, n -= 8) {
        v ^= (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
        v = t[7][v >> 24] ^ t[6][v >> 16 & 255] ^ t[5][v >> 8 & 255] ^ t[4][v & 255] ^ t[3][p[4]] ^
            t[2][p[5]] ^ t[1][p[6]] ^ t[0][p[7]];
    }
    for (; n; p++, n--)
        v = v << 8 ^ t[0][v >> 24 ^ *p];
    for (size_t left = size; left; left >>= 8)
        v = v << 8 ^ t[0][v >> 24 ^ (left & 255)];
    return ~v;
}

uint32_t sources_cksum(const uint8_t *data, size_t n)
{
    struct crc c;
    prepare(&c);
    return sum(&c, data, n);
}

/* ---- the tree ---- */

/* 1: the file holds that; 0: something else; -1: there is no such file. */
static int holds(const struct crc *c, const char *path, uint32_t want, uint64_t size)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC), same = -1;
    if (fd >= 0 && !fstat(fd, &st)) {
        void *data = st.st_size ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                                : NULL;
        same = data != MAP_FAILED && (uint64_t)st.st_size == size &&
               sum(c, data, (size_t)st.st_size) == want;
        if (data && data != MAP_FAILED)
            munmap(data, (size_t)st.st_size);
    }
    if (fd >= 0)
        close(fd);
    return same;
}

static const char *next(const char *field)
{
    field += strcspn(field, ";");
    return *field ? field + 1 : field;
}

/* The tree that this library was built in: its folder and the text's way from there.  False: there
 * is none, or it lies elsewhere now. */
static bool find_tree(const char *text, const char *library, char tree[PATH_MAX])
{
    char real[PATH_MAX], way[PATH_MAX + 64];
    const char *from = next(text);
    int n = *from ? (int)strcspn(from, ";") : 5;     /* of one that says nothing of it: */
    if (!realpath(library, real) || !strrchr(real, '/'))
        return false;
    *strrchr(real, '/') = 0;
    snprintf(way, sizeof way, "%s/%.*s", real, n, *from ? from : "../..");
    if (!realpath(way, tree))
        return false;
    snprintf(way, sizeof way, "%s/rtl/simt_core.v", tree);
    return !access(way, F_OK);
}

/* It may be gone with its folder. */
static bool is_generated(const char *name)
{
    return strncmp(name, "rtl/", 4) && strncmp(name, "harness/", 8);
}

bool sources_current(const char *text, const char *library, char *what, size_t what_size,
                     char *command, size_t command_size)
{
    char tree[PATH_MAX], here[PATH_MAX], path[2 * PATH_MAX];
    unsigned crc;
    unsigned long long size;
    int name;
    struct crc c;
    if (!find_tree(text, library, tree))
        return true;
    const char *in = getcwd(here, sizeof here) && !strcmp(here, tree) ? NULL : tree;
    const char *make = next(next(text)), *file = next(make);
    if (in)
        snprintf(command, command_size, "cd %s && %.*s", in, (int)strcspn(make, ";"), make);
    else
        snprintf(command, command_size, "%.*s", (int)strcspn(make, ";"), make);
    snprintf(what, what_size, "it does not say what it was built from");
    if (!*file) {
        snprintf(command, command_size, "cd %s && make run", tree);
        return false;
    }
    prepare(&c);
    for (; *file; file = next(file)) {
        int n = (int)strcspn(file, ";");
        if (sscanf(file, "%u %llu %n", &crc, &size, &name) < 2 || name >= n)
            return false;
        snprintf(path, sizeof path, "%s/%.*s", file[name] == '/' ? "" : tree, n - name,
                 file + name);
        int same = holds(&c, path, crc, size);
        if (same == 1 || (same < 0 && is_generated(file + name)))
            continue;
        snprintf(what, what_size, "%.*s %s since it was built", n - name, file + name,
                 same ? "has gone" : "has changed");
        return false;
    }
    return true;
}
