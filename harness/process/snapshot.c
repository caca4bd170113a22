/* Snapshots by fork: sleeping children, the sockets that wake them, and their end.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Subtle: a child closes what it inherited of older snapshots.  As long as a process holds the
 * parent's end of a socket, the child at the other end does not notice that the parent has let
 * go. */
#include "harness/process/snapshot.h"
#include "harness/process/stop.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static bool read_all(int fd, void *to, size_t n)
{
    char *p = to;
    while (n) {
        ssize_t k = read(fd, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

static void drop(struct snapshot *s)
{
    if (!s->pid)
        return;
    close(s->fd);
    while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    s->pid = 0;
}

void snapshot_drop(struct snapshots *s)
{
    for (int i = 0; i < SNAPSHOTS; i++)
        drop(&s->s[i]);
}

/* The child's life until it is woken. */
static void await_order(struct snapshots *s, const int fd[2])
{
    close(fd[0]);
    for (int i = 0; i < SNAPSHOTS; i++)
        if (s->s[i].pid)
            close(s->s[i].fd);
    *s = (struct snapshots){ .child = true, .fd = fd[1] };
    if (!read_all(s->fd, &s->order, sizeof s->order))
        _exit(0);                                    /* the parent has no use for it, or is gone */
}

bool snapshot_take(struct snapshots *s, uint64_t cycle)
{
    int fd[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
        return false;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        stop_with_parent(parent, SIGTERM);
        stop_at_once();
        await_order(s, fd);
        return true;
    }
    close(fd[1]);
    if (pid < 0) {
        close(fd[0]);
        return false;
    }
    drop(&s->s[0]);
    memmove(&s->s[0], &s->s[1], (SNAPSHOTS - 1) * sizeof s->s[0]);
    s->s[SNAPSHOTS - 1] = (struct snapshot){ pid, fd[0], cycle };
    return false;
}

/* Nothing is flushed: what the parent had not yet written when it forked, the parent writes. */
void snapshot_done(const struct snapshots *s, bool ok)
{
    char byte = (char)ok;
    _exit(send(s->fd, &byte, 1, MSG_NOSIGNAL) != 1);
}

uint64_t snapshot_wake(struct snapshots *s, const struct snapshot_order *o)
{
    int i = SNAPSHOTS - 1;
    char ok = 0;
    while (i >= 0 && (!s->s[i].pid || s->s[i].cycle > o->from))
        i--;
    if (i < 0 || send(s->s[i].fd, o, sizeof *o, MSG_NOSIGNAL) != (ssize_t)sizeof *o ||
        !read_all(s->s[i].fd, &ok, 1) || !ok)
        return UINT64_MAX;
    return s->s[i].cycle;
}
