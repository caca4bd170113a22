/* Arrays in memory up to a limit, and in mapped files beyond.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Without a limit these are malloc's own arrays.  With one, each is in the list. */
#include "cmodel/base/spill.h"
#include "cmodel/base/scratch.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct array { struct array *next; void *at; size_t bytes; bool mapped; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct array *list;
static uint64_t limit, held, filed;
static char why[256];

void spill_limit(uint64_t bytes) { limit = bytes; }
uint64_t spill_bytes(void) { return filed; }
const char *spill_why(void) { return why[0] ? why : NULL; }

/* NULL: why. */
static void *map_file(size_t bytes)
{
    const char *folder = getenv("TMPDIR");
    char name[4096];
    folder = folder && *folder ? folder : "/tmp";
    void *at = MAP_FAILED;
    int fd = -1, error = ENAMETOOLONG;
    if (snprintf(name, sizeof name, "%s/heddle-XXXXXX", folder) < (int)sizeof name &&
        (fd = scratch_file(name)) < 0)
        error = errno;
    if (fd >= 0) {
        scratch_remove(name);                        /* the descriptor, then the mapping, keep it */
        error = posix_fallocate(fd, 0, (off_t)bytes);
        if (!error && (at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) ==
                          MAP_FAILED)
            error = errno;
        close(fd);
    }
    if (at != MAP_FAILED)
        return at;
    snprintf(why, sizeof why, "no file of %zu bytes in %.150s: %s", bytes, folder,
             strerror(error));
    return NULL;
}

void *spill_alloc(size_t bytes)
{
    bytes += !bytes;
    if (!limit)
        return calloc(1, bytes);
    struct array *a = malloc(sizeof *a);
    pthread_mutex_lock(&lock);
    bool mapped = bytes > limit - held;
    void *at = !a ? NULL : mapped ? map_file(bytes) : calloc(1, bytes);
    if (at) {
        *a = (struct array){ list, at, bytes, mapped };
        list = a;
        *(mapped ? &filed : &held) += bytes;
    }
    pthread_mutex_unlock(&lock);
    if (!at)
        free(a);
    return at;
}

void *spill_grow(void *p, size_t old, size_t bytes)
{
    if (!limit)
        return realloc(p, bytes);
    void *to = spill_alloc(bytes);
    if (to && old)
        memcpy(to, p, old);
    if (to)
        spill_free(p);
    return to;
}

void spill_free(void *p)
{
    struct array **at = &list, *a;
    pthread_mutex_lock(&lock);
    while ((a = *at) && a->at != p)
        at = &a->next;
    if (a) {
        *at = a->next;
        held -= a->mapped ? 0 : a->bytes;
    }
    pthread_mutex_unlock(&lock);
    if (a && a->mapped)
        munmap(p, a->bytes);
    else
        free(p);
    free(a);
}
