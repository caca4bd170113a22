/* Digests of commit records: what a board sends in place of most of them (docs/board.md).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Of a record the members of commit.def go in, in their order, each as whole 32-bit words w_j, but
 * those that are no events (digest_leaves_out).  Two sums over GF(2), as a RAID has them: the
 * parity, and a Horner sum in which x, a primitive element of GF(2^32), weighs the words apart.  So
 * whatever is wrong in one or two words of a record shows.  From record to record the digest's
 * 64 bits go through a linear step of full period (xorshift), which takes no such sum to another
 * one: a shift would, and miss an error whose other half comes a record later.
 *
 * rtl/fpga/commit_port.v and build/gen/commit_wire.vh compute the same. */
#ifndef HD_DIGEST_H
#define HD_DIGEST_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "cmodel/isa/commit.h"

/* When it retired, and where all lanes of the warp are: a core may not have these at once. */
static inline bool digest_leaves_out(const char *member)
{
    return !strcmp(member, "cycle") || !strcmp(member, "npc") || !strcmp(member, "wait");
}

/* The table as a number: a board of another one is no board for us. */
static inline uint32_t digest_table(void)
{
    static const char text[] =
#define MEMBER(type, name, dimensions) #type " " #name #dimensions ";"
#include "cmodel/isa/commit.def"
        ;
    uint32_t h = 2166136261u;
    for (const char *c = text; *c; c++)
        h = (h ^ (unsigned char)*c) * 16777619u;
    return h;
}

/* The digest after one more record. */
uint64_t digest_add(uint64_t digest, const struct hd_commit *c);
#endif
