/* Output files: a temporary file beside the target, checked at once, renamed at the end.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/base/outfile.h"
#include "cmodel/base/scratch.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS = 40 };             /* symbolic links on the way to a file, as the kernel has it */

struct outfile {
    char *path;                  /* as the user wrote it */
    char target[PATH_MAX];       /* symbolic links followed */
    char temp[PATH_MAX];         /* empty: the target itself is written */
    bool copy;                   /* the target has other names: its contents are replaced, not it */
    int fd, why;                 /* why: errno of the first write that failed */
    FILE *f;
};

/* A stream of our own, because stdio does not keep the reason of a failure. */
static ssize_t put(void *cookie, const char *p, size_t n)
{
    struct outfile *o = cookie;
    for (size_t done = 0; done < n && !o->why;) {
        ssize_t k = write(o->fd, p + done, n - done);
        if (k < 0 && errno != EINTR)
            o->why = errno;
        done += k > 0 ? (size_t)k : 0;
    }
    return o->why ? 0 : (ssize_t)n;
}

/* Where path leads, there or not. */
static bool follow(const char *path, char *at)
{
    char to[PATH_MAX];
    if (strlen(path) >= PATH_MAX)
        return errno = ENAMETOOLONG, false;
    strcpy(at, path);
    for (int k = 0; k < LINKS; k++) {
        ssize_t n = readlink(at, to, sizeof to - 1);
        if (n < 0)
            return errno == EINVAL || errno == ENOENT;
        to[n] = 0;
        char *slash = strrchr(at, '/');
        size_t dir = to[0] == '/' || !slash ? 0 : (size_t)(slash + 1 - at);
        if (dir + (size_t)n >= PATH_MAX)
            return errno = ENAMETOOLONG, false;
        strcpy(at + dir, to);
    }
    return errno = ELOOP, false;
}

static bool is_printed_to(const struct stat *s, int fd)
{
    struct stat p;
    return !fstat(fd, &p) && p.st_dev == s->st_dev && p.st_ino == s->st_ino;
}

/* The target itself, for what cannot be replaced.  False, and errno 0: it can. */
static bool open_itself(struct outfile *o, const struct stat *s)
{
    errno = 0;
    if (S_ISDIR(s->st_mode))
        return errno = EISDIR, false;
    int printed = is_printed_to(s, STDOUT_FILENO) ? STDOUT_FILENO
                : is_printed_to(s, STDERR_FILENO) ? STDERR_FILENO : -1;
    if (S_ISREG(s->st_mode) && printed < 0)
        return false;
    snprintf(o->target, sizeof o->target, "%s", o->path);
    o->fd = S_ISREG(s->st_mode) ? fcntl(printed, F_DUPFD_CLOEXEC, 0)
                                : open(o->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    return o->fd >= 0;
}

static bool open_temporary(struct outfile *o, const struct stat *old)
{
    if (!follow(o->path, o->target) || (old && access(o->target, W_OK)))
        return false;
    const char *slash = strrchr(o->target, '/');
    int dir = slash ? (int)(slash + 1 - o->target) : 0;
    if (!o->path[0])
        return errno = ENOENT, false;
    if (!o->target[dir])
        return errno = EISDIR, false;
    if (snprintf(o->temp, sizeof o->temp, "%.*s.heddle-XXXXXX", dir, o->target) >= PATH_MAX)
        return errno = ENAMETOOLONG, false;
    mode_t mask = umask(0);
    umask(mask);
    if ((o->fd = scratch_file(o->temp)) < 0)
        return o->temp[0] = 0, false;
    o->copy = old && old->st_nlink > 1;
    return fchmod(o->fd, old ? old->st_mode & 07777 : 0666 & ~mask) == 0;
}

static bool open_any(struct outfile *o)
{
    struct stat s;
    bool there = stat(o->path, &s) == 0;
    if (there && open_itself(o, &s))
        return true;
    return (!there || !errno) && open_temporary(o, there ? &s : NULL);
}

static bool refuse(const struct outfile *o, int why, struct hd_err *err)
{
    hd_err_set(err, 2, "%s: cannot be written: %s", o->path, strerror(why));
    return false;
}

struct outfile *outfile_open(const char *path, struct hd_err *err)
{
    struct outfile *o = calloc(1, sizeof *o);
    if (!o || !(o->path = strdup(path))) {
        free(o);
        hd_err_set(err, 2, "%s: cannot be written: no memory", path);
        return NULL;
    }
    o->fd = -1;
    if (open_any(o))
        o->f = fopencookie(o, "w", (cookie_io_functions_t){ .write = put });
    if (!o->f) {
        refuse(o, errno, err);
        outfile_drop(o);
        return NULL;
    }
    return o;
}

FILE *outfile_stream(struct outfile *o) { return o->f; }
const char *outfile_name(const struct outfile *o) { return o->temp[0] ? o->temp : o->target; }

/* Copies the temporary file over the target.  Room for all of it is asked for before anything is
 * overwritten: a full disk leaves the target as it was. */
static int copy_over(struct outfile *o)
{
    struct stat new, old;
    char part[65536];
    int in = open(o->temp, O_RDONLY | O_CLOEXEC), why = 0;
    int out = open(o->target, O_WRONLY | O_CLOEXEC);
    if (in < 0 || out < 0 || fstat(in, &new) || fstat(out, &old))
        why = errno;
    else if (new.st_size > old.st_size && (why = posix_fallocate(out, 0, new.st_size)) &&
             ftruncate(out, old.st_size))
        why = errno;
    for (ssize_t n; !why && (n = read(in, part, sizeof part)); )
        if (n < 0 || write(out, part, (size_t)n) != n)
            why = errno;
    if (!why && ftruncate(out, new.st_size))
        why = errno;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return why;
}

bool outfile_keep(struct outfile *o, struct hd_err *err)
{
    int why = fclose(o->f) && !o->why ? errno : o->why;
    o->f = NULL;
    int closed = close(o->fd);                       /* NFS says only now that the disk is full */
    o->fd = -1;
    if (!why && closed)
        why = errno;
    if (!why && o->temp[0] && o->copy)
        why = copy_over(o);
    else if (!why && o->temp[0] && !scratch_rename(o->temp, o->target))
        why = errno;
    else if (!why)
        o->temp[0] = 0;
    if (why)
        refuse(o, why, err);
    outfile_drop(o);
    return !why;
}

void outfile_drop(struct outfile *o)
{
    if (!o)
        return;
    if (o->f) {
        o->why = EIO;                                /* what is still in the buffer is not wanted */
        fclose(o->f);
    }
    if (o->fd >= 0)
        close(o->fd);
    if (o->temp[0])
        scratch_remove(o->temp);
    free(o->path);
    free(o);
}
