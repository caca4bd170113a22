// Collectives that lanes of several places take part in (compiler/place/meet.c): they meet at the
// WARPSYNC that stands before each of these instructions.
// SPDX-License-Identifier: Apache-2.0
#include "softlib/types.cuh"

#define SHFL(MODE) \
    DEVICE u64 __hd_shfl_##MODE(u32 a, u32 b, u32 c, u32 mask) \
    { \
        u32 d, p; \
        asm volatile("{ .reg .pred q; shfl.sync." #MODE ".b32 %0|q, %2, %3, %4, %5; selp.u32 %1, 1, 0, q; }" \
                     : "=r"(d), "=r"(p) : "r"(a), "r"(b), "r"(c), "r"(mask)); \
        return d | (u64)p << 32; \
    }
SHFL(up) SHFL(down) SHFL(bfly) SHFL(idx)

#define VOTE(MODE) \
    DEVICE u32 __hd_vote_##MODE(u32 a, u32 mask) \
    { \
        u32 d; \
        asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync." #MODE ".pred q, p, %2;" \
                     " selp.u32 %0, 1, 0, q; }" : "=r"(d) : "r"(a), "r"(mask)); \
        return d; \
    }
VOTE(all) VOTE(any) VOTE(uni)
DEVICE u32 __hd_vote_ballot(u32 a, u32 mask)
{
    u32 d;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(d) : "r"(a), "r"(mask));
    return d;
}

// match.all's second result is its mask, too: where it fails, that is 0.
#define MATCH(NAME, FORM, TYPE, HOW) \
    DEVICE u32 NAME(TYPE a, u32 mask) \
    { \
        u32 d; \
        asm volatile("match." FORM " %0, %1, %2;" : "=r"(d) : HOW(a), "r"(mask)); \
        return d; \
    }
MATCH(__hd_match_any32, "any.sync.b32", u32, "r")
MATCH(__hd_match_any64, "any.sync.b64", u64, "l")
MATCH(__hd_match_all32, "all.sync.b32", u32, "r")
MATCH(__hd_match_all64, "all.sync.b64", u64, "l")

#define REDUX(NAME, FORM) \
    DEVICE u32 __hd_redux_##NAME(u32 a, u32 mask) \
    { \
        u32 d; \
        asm volatile("redux.sync." FORM " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(mask)); \
        return d; \
    }
REDUX(add, "add.u32") REDUX(minu, "min.u32") REDUX(mins, "min.s32") REDUX(maxu, "max.u32")
REDUX(maxs, "max.s32") REDUX(and, "and.b32") REDUX(or, "or.b32") REDUX(xor, "xor.b32")
