/* What the harness shares with the simulator process that holds a core in four states.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One mapping of memory, and a socket on which a byte asks for something and the same byte
 * says that it is done. */
#ifndef ICARUS_H
#define ICARUS_H
#include <stdint.h>
#include "cmodel/isa/commit.h"

enum { ICARUS_SHARED = 65536 / 4 };          /* words of shared memory */

/* What is asked for. */
enum { ICARUS_EVAL = 'E',                    /* drives ports, lets all wires settle, reads them */
       ICARUS_SHARED_GET = 'S',              /* fills `shared` */
       ICARUS_PEEK = 'P' };                  /* reads the wires whose guard is `never` */

/* What holds so many bits of rtl/events.def. */
typedef uint8_t SEEN_TYPE_1, SEEN_TYPE_5, SEEN_TYPE_8;
typedef uint16_t SEEN_TYPE_16;
typedef uint32_t SEEN_TYPE_32, SEEN_TYPE_512, SEEN_TYPE_1024;

struct icarus_wires {
    uint8_t always, never;                   /* 1 and 0: guards */
#define IN(name, type, n, guard) type name[n];
#define OUT(name, type, n, guard) type name[n];
#include "harness/icarus/wires.def"
#define SEEN(name, place, module, wire, bits, n, guard, meaning) \
    SEEN_TYPE_##bits name[(n) * ((bits) <= 32 ? 1 : (bits) / 32)];
#include "rtl/events.def"
    struct hd_commit commit[2];              /* of each port, while `commits` says so */
    uint64_t cycle;                          /* rising edges so far */
    char unknown[160];                       /* the first wire that was, and when; empty: none */
    /* Words in the order of their banks, as they were read (unknown bits as 0) and as they shall
     * be: with shared_set the next evaluation writes those that differ, or were unknown. */
    uint8_t shared_set, shared_unknown[ICARUS_SHARED];
    uint32_t shared_was[ICARUS_SHARED], shared[ICARUS_SHARED];
};
#endif
