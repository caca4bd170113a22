/* Snapshots: a long lockstep run forks itself now and then, so that the waveform of the cycles
 * before a difference costs a short replay, not a second run from the start.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A snapshot is a child process that sleeps; fork copies page tables only, and memory is private
 * to both from then on.  Two are alive at most: when the newer one is too near to the
 * difference, the older one is far enough.  A child ends when it has been woken and has written
 * its window, or when the parent lets go of it, which closes the socket that it sleeps on, or when
 * the parent dies. */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What a woken child has to do: the cycles [from, to) as a waveform. */
struct snapshot_order { uint64_t from, to; char wave[4096]; };

enum { SNAPSHOTS = 2 };
struct snapshots {
    /* newest last; pid 0: none */
    struct snapshot { pid_t pid; int fd; uint64_t cycle; } s[SNAPSHOTS];
    bool child;                  /* this process is one that was woken, */
    int fd;                      /* says here that its window is written, */
    struct snapshot_order order; /* and has to do this */
};

/* Takes a snapshot of the process at this cycle.  True in a child, once it has been woken:
 * s->order holds, and it must end with snapshot_done.  False in the parent; where fork fails,
 * nothing has happened. */
bool snapshot_take(struct snapshots *s, uint64_t cycle);
_Noreturn void snapshot_done(const struct snapshots *s, bool ok);
/* Wakes the newest snapshot that is not later than cycle `from` and waits until its window is
 * written.  Returns the cycle it began at; UINT64_MAX: there is none, or it failed. */
uint64_t snapshot_wake(struct snapshots *s, const struct snapshot_order *order);
/* Lets go of all of them and waits until they have ended. */
void snapshot_drop(struct snapshots *s);
#endif
