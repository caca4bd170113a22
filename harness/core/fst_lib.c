/* Verilator's FST library for waveforms without the traced core, compiled from where Verilator has
 * it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * It looks at the result of no write, and maps its helper files: a full disk gives a waveform that
 * is not whole, or ends the process with SIGBUS.  So all its files lie in memory, and what they
 * refuse is noted (rtl_shim.cpp does the same to the copy in the traced core). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int whole = -1, why;

static FILE *in_memory(void)
{
    int fd = memfd_create("fst", MFD_CLOEXEC);
    return fd < 0 ? NULL : fdopen(fd, "w+b");
}

static const char fst_name[] = "waveform";

static FILE *open_file(const char *name, const char *mode)
{
    if (strncmp(name, fst_name, sizeof fst_name - 1))
        return fopen(name, mode);                    /* it asks how much memory there is */
    FILE *f = in_memory();
    if (f && !strcmp(name, fst_name))
        whole = dup(fileno(f));
    return f;
}

static int refused(void)
{
    struct rlimit size;
    return getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur != RLIM_INFINITY ? EFBIG : ENOMEM;
}

static int close_file(FILE *f)
{
    if (ferror(f))
        why = refused();
    return fclose(f);
}

static int keep(const char *name) { return (void)name, 0; }

/* A mapping always holds: of a file that a refused write has left too short, of nothing. */
static void *map(void *at, size_t n, int prot, int flags, int fd, off_t off)
{
    struct stat s;
    if (fd < 0 || (fstat(fd, &s) == 0 && (size_t)s.st_size >= (size_t)off + n))
        return mmap(at, n, prot, flags, fd, off);
    why = refused();
    return mmap(at, n, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

#define fopen open_file
#define tmpfile in_memory
#define fclose close_file
#define unlink keep
#define mmap map
#define FST_CONFIG_INCLUDE "fst_config.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include "gtkwave/fastlz.c"
#include "gtkwave/fstapi.c"
#include "gtkwave/lz4.c"
#pragma GCC diagnostic pop
#undef fopen
#undef tmpfile
#undef fclose
#undef unlink
#undef mmap
#include "harness/core/fst_calls.h"

bool fst_open(struct fst_out *f)
{
    enum { FILES = 8 };    /* with no descriptor left the library would go on with a null pointer */
    int fd[FILES], n = 0;
    while (n < FILES && (fd[n] = dup(STDERR_FILENO)) >= 0)
        n++;
    for (int i = 0; i < n; i++)
        close(fd[i]);
    if (n < FILES)
        return false;
    why = 0;
    whole = -1;
    void *ctx = fstWriterCreate(fst_name, 1);
    if (!ctx)
        return false;
    fstWriterSetPackType(ctx, FST_WR_PT_LZ4);
    fst_begin(f, ctx);
    return true;
}

int fst_close(struct fst_out *f)
{
    fstWriterClose(f->ctx);
    f->ctx = NULL;
    int fd = whole;
    whole = -1;
    if (why && fd >= 0) {
        close(fd);
        fd = -1;
    }
    errno = why ? why : errno;
    return fd;
}
