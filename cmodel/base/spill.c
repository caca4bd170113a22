/* Arrays in memory up to a limit, and in mapped files beyond.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Without a limit these are malloc's own arrays.  With one, each is in the list: few, large. */
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
struct spill {
    pthread_mutex_t lock;
    struct array *list;
    uint64_t limit, held, filed;
    char why[256];
};

struct spill *spill_open(uint64_t limit)
{
    struct spill *s = calloc(1, sizeof *s);
    if (s) {
        pthread_mutex_init(&s->lock, NULL);
        s->limit = limit;
    }
    return s;
}

void spill_close(struct spill *s)
{
    if (s)
        pthread_mutex_destroy(&s->lock);
    free(s);
}

uint64_t spill_bytes(const struct spill *s) { return s ? s->filed : 0; }
const char *spill_why(const struct spill *s) { return s && s->why[0] ? s->why : NULL; }

/* NULL: why. */
static void *map_file(struct spill *s, size_t bytes)
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
    snprintf(s->why, sizeof s->why, "no file of %zu bytes in %.150s: %s", bytes, folder,
             strerror(error));
    return NULL;
}

void *spill_alloc(struct spill *s, size_t bytes)
{
    bytes += !bytes;
    if (!s)
        return calloc(1, bytes);
    struct array *a = malloc(sizeof *a);
    pthread_mutex_lock(&s->lock);
    bool mapped = bytes > s->limit - s->held;
    void *at = !a ? NULL : mapped ? map_file(s, bytes) : calloc(1, bytes);
    if (at) {
        *a = (struct array){ s->list, at, bytes, mapped };
        s->list = a;
        *(mapped ? &s->filed : &s->held) += bytes;
    }
    pthread_mutex_unlock(&s->lock);
    if (!at)
        free(a);
    return at;
}

void *spill_grow(struct spill *s, void *p, size_t old, size_t bytes)
{
    if (!s)
        return realloc(p, bytes);
    void *to = spill_alloc(s, bytes);
    if (to && old)
        memcpy(to, p, old);
    if (to)
        spill_free(s, p);
    return to;
}

void spill_free(struct spill *s, void *p)
{
    if (!s) {
        free(p);
        return;
    }
    pthread_mutex_lock(&s->lock);
    struct array **at = &s->list, *a;
    while ((a = *at) && a->at != p)
        at = &a->next;
    if (a) {
        *at = a->next;
        s->held -= a->mapped ? 0 : a->bytes;
    }
    pthread_mutex_unlock(&s->lock);
    if (a && a->mapped)
        munmap(p, a->bytes);
    else if (a)
        free(p);
    free(a);
}
