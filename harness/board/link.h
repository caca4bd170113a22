/* Links to a board: a stream of bytes each way.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LINK_H
#define LINK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link {
    /* Bytes that have come, at most `room', at least one; 0: none, for longer than a board that
     * lives is silent; -1: the link is at its end, or broken. */
    long (*receive)(struct link *l, uint8_t *to, size_t room);
    bool (*send)(struct link *l, const uint8_t *bytes, size_t n);
    /* A board as after power-up: its shared memory is zero.  NULL: this link cannot, so the host
     * resets it.  exact: memory stands still whenever the core does. */
    bool (*renew)(struct link *l, bool exact);
    void (*close)(struct link *l);
    uint64_t mem_seed;           /* of a simulated board, from the next renew on */
    bool repeats;                /* renewed, its core takes the same way again */
    bool recorded;               /* a file: what is sent has no effect */
};

/* sim:[same|stall=SEED|pins], netlist:, file:F, tcp:HOST:PORT, tty:DEVICE[@BAUD].
 * lanes, mem_seed: of sim and netlist.  NULL: `why' holds a sentence. */
struct link *link_open(const char *name, unsigned lanes, uint64_t mem_seed, char *why, size_t room);
/* Its kinds: what follows the colon, else as link_open. */
struct link *link_sim(const char *rest, unsigned lanes, uint64_t mem_seed, char *why, size_t room);
struct link *link_netlist(const char *rest, unsigned lanes, uint64_t mem_seed, char *why,
                          size_t room);
struct link *link_file(const char *path, char *why, size_t room);
struct link *link_tcp(const char *rest, char *why, size_t room);
struct link *link_tty(const char *rest, char *why, size_t room);
#endif
