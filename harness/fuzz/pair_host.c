/* Integer rows, and those in which lanes talk to lanes, on the host.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Written from the sentences of isa.def and PTX, not from its effects: bit by bit or in 128 bits
 * where the model takes a shorter way. */
#include "harness/fuzz/pair_host.h"
#include <string.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
__extension__ typedef unsigned __int128 u128;

static u32 bit(u64 v, unsigned i) { return i < 64 ? (u32)(v >> i) & 1 : 0; }

static bool compares(unsigned how, s64 x, s64 y)
{
    switch (how) {
    case ICMP_EQ: return x == y;
    case ICMP_NE: return x != y;
    case ICMP_LT: return x < y;
    case ICMP_LE: return x <= y;
    case ICMP_GT: return x > y;
    default:      return x >= y;
    }
}

static u32 set_predicate(const struct hd_insn *i, u32 a, u32 b, u32 ps)
{
    const s64 x = i->sg ? (s64)(s32)a : (s64)a, y = i->sg ? (s64)(s32)b : (s64)b;
    const u32 r = compares(i->icmp, x, y);
    return i->bop == BOP_AND ? r && ps : i->bop == BOP_OR ? r || ps
         : i->bop == BOP_XOR ? r != ps : x == y ? ps : r;
}

/* PTX bfe: the field, above it zeros, or its sign. */
static u32 field(u32 a, u32 b, u32 c, bool sign)
{
    const unsigned pos = b & 255, len = c & 255;
    const unsigned top = pos + len - 1 > 31 ? 31 : pos + len - 1;
    u32 d = 0;
    for (unsigned k = 0; k < 32; k++)
        d |= (k < len && pos + k < 32 ? bit(a, pos + k) : sign && len ? bit(a, top) : 0) << k;
    return d;
}

static u32 permute(u32 a, u32 sel, u32 c)
{
    u32 d = 0;
    for (unsigned k = 0; k < 4; k++) {
        const unsigned s = sel >> 4 * k & 15, n = s & 7;
        const u32 byte = (n < 4 ? a >> 8 * n : c >> 8 * (n - 4)) & 255;
        d |= (s & 8 ? byte & 128 ? 255u : 0 : byte) << 8 * k;
    }
    return d;
}

/* The funnel {c, a}: its high word after a shift left, its low word after one to the right. */
static u32 funnel(const struct hd_insn *i, u32 a, u32 b, u32 c)
{
    const bool wraps = i->op == OP_SHFLW || i->op == OP_SHFRW;
    const unsigned by = wraps ? b % 32 : b > 32 ? 32 : b;
    const u128 pair = (u128)c << 32 | a;
    return i->op == OP_SHFLW || i->op == OP_SHFLC ? (u32)(pair << by >> 32) : (u32)(pair >> by);
}

static u32 logic(u32 lut, u32 a, u32 b, u32 c)
{
    u32 d = 0;
    for (unsigned k = 0; k < 32; k++)
        d |= (lut >> (4 * bit(a, k) + 2 * bit(b, k) + bit(c, k)) & 1) << k;
    return d;
}

static u32 count(u32 a)
{
    u32 n = 0;
    for (unsigned k = 0; k < 32; k++)
        n += bit(a, k);
    return n;
}

static u32 leading(u32 a)
{
    u32 n = 0;
    while (n < 32 && !bit(a, 31 - n))
        n++;
    return n;
}

static u32 backwards(u32 a)
{
    u32 d = 0;
    for (unsigned k = 0; k < 32; k++)
        d |= bit(a, k) << (31 - k);
    return d;
}

/* Rows of words. */
static bool word_row(const struct hd_insn *i, u32 a, u32 b, u32 c, u32 ps, u64 *d)
{
    const s32 x = (s32)a, y = (s32)b;
    switch (i->op) {
    case OP_MOV: *d = b; return true;
    case OP_SEL: *d = ps ? a : b; return true;
    case OP_IADD: *d = (u32)((u64)a + b); return true;
    case OP_ISUB: *d = (u32)((s64)a - (s64)b); return true;
    case OP_IRSUB: *d = (u32)((s64)b - (s64)a); return true;
    case OP_IADD3: *d = (u32)((u64)a + b + c); return true;
    case OP_IMINS: *d = x < y ? a : b; return true;
    case OP_IMAXS: *d = x < y ? b : a; return true;
    case OP_IMINU: *d = a < b ? a : b; return true;
    case OP_IMAXU: *d = a < b ? b : a; return true;
    case OP_IABS: *d = x < 0 ? (u32)-(s64)x : a; return true;
    case OP_AND: *d = logic(0xc0, a, b, 0); return true;
    case OP_OR: *d = logic(0xfc, a, b, 0); return true;
    case OP_XOR: *d = logic(0x3c, a, b, 0); return true;
    case OP_LOP3: *d = logic(i->lut, a, b, c); return true;
    case OP_SHL: *d = b > 31 ? 0 : (u32)((u64)a << b); return true;
    case OP_SHRU: *d = b > 31 ? 0 : (u64)a >> b; return true;
    case OP_SHRS: *d = (u32)((s64)x >> (b > 31 ? 31 : b)); return true;
    case OP_SHFLW: case OP_SHFLC: case OP_SHFRW: case OP_SHFRC:
        *d = funnel(i, a, b, c);
        return true;
    case OP_BFEU: *d = field(a, b, c, false); return true;
    case OP_BFES: *d = field(a, b, c, true); return true;
    case OP_POPC: *d = count(a); return true;
    case OP_CLZ: *d = leading(a); return true;
    case OP_BREV: *d = backwards(a); return true;
    case OP_PRMT: *d = permute(a, b, c); return true;
    case OP_IMAD: *d = (u32)((u128)a * b + c); return true;
    case OP_IMADHU: *d = (u32)(((u128)a * b >> 32) + c); return true;
    case OP_IMADHS: *d = (u32)((u64)((s64)x * y) >> 32) + c; return true;
    default: return false;
    }
}

/* Rows of pairs, and those with a predicate. */
static bool other_row(const struct hd_insn *i, u64 a, u64 b, u64 c, u32 ps, u32 pt, u64 *d, u32 *pd)
{
    u128 sum;
    switch (i->op) {
    case OP_IADDX: case OP_ISUBX:
        sum = (u128)(u32)a + (i->op == OP_IADDX ? (u32)b : UINT32_MAX - (u32)b) + ps;
        *d = (u32)sum;
        *pd = bit((u64)sum, 32);
        return true;
    case OP_IADDW: *d = (u64)((u128)a + b); return true;
    case OP_IMADWU: *d = (u64)((u128)(u32)a * (u32)b + c); return true;
    case OP_IMADWS: *d = (u64)((s64)(s32)a * (s32)b) + c; return true;
    case OP_ISETP: *pd = set_predicate(i, (u32)a, (u32)b, ps); return true;
    case OP_PLOP: *pd = bit(i->lut, 2 * ps + pt); return true;
    default: return false;
    }
}

/* ---- lanes talk to lanes ---- */

/* Where PTX's shfl reads, and whether that is in range. */
static bool source_lane(const struct hd_insn *i, unsigned l, u32 b, u32 c, int *from)
{
    const int by = (int)(b % 32), clamp = (int)(c % 32), segment = (int)(c >> 8) % 32;
    const int lowest = (int)l & segment, highest = lowest | (clamp & ~segment);
    switch (i->shfl) {
    case SHFL_UP: *from = (int)l - by; return *from >= highest;
    case SHFL_DOWN: *from = (int)l + by; return *from <= highest;
    case SHFL_BFLY: *from = (int)l ^ by; return *from <= highest;
    default: *from = lowest | (by & ~segment); return *from <= highest;
    }
}

static void shuffle(const struct hd_insn *i, u32 exec, struct host_warp *w)
{
    for (unsigned l = 0; l < HD_LANES; l++) {
        int from;
        const bool in = source_lane(i, l, (u32)w->second[l], (u32)w->third[l], &from);
        w->d[l] = !in ? (u32)w->first[l] : bit(exec, (unsigned)from) ? (u32)w->first[from] : 0;
        w->pd |= (u32)in << l;
    }
}

static bool lanes_row(const struct hd_insn *i, u32 exec, struct host_warp *w)
{
    u32 votes = 0, agree = 1;
    for (unsigned l = 0; l < HD_LANES; l++)
        votes |= (bit(exec, l) && bit(w->source, l) ? 1u : 0u) << l;
    for (unsigned l = 0; l < HD_LANES; l++)
        for (unsigned k = 0; k < HD_LANES; k++)
            agree &= !(bit(exec, l) && bit(exec, k)) || (u32)w->first[l] == (u32)w->first[k];
    for (unsigned l = 0; l < HD_LANES; l++) {
        u32 same = 0;
        for (unsigned k = 0; k < HD_LANES; k++)
            same |= (u32)(bit(exec, k) && (u32)w->first[k] == (u32)w->first[l]) << k;
        w->d[l] = i->op == OP_VOTE ? votes : i->op == OP_MATCHN ? same : agree ? exec : 0;
    }
    switch (i->op) {
    case OP_SHFL: shuffle(i, exec, w); return true;
    case OP_MATCHN: return true;
    case OP_MATCHL: w->pd = agree ? UINT32_MAX : 0; return true;
    case OP_VOTE: break;
    default: return false;
    }
    const bool all = votes == exec, none = !votes;
    w->pd = (i->vote == VOTE_ALL ? all : i->vote == VOTE_ANY ? !none : all || none) ? UINT32_MAX
                                                                                   : 0;
    return true;
}

bool host_row(const struct hd_insn *i, uint32_t exec, struct host_warp *w)
{
    const unsigned unit = hd_ops[i->op].unit;
    memset(w->d, 0, sizeof w->d);
    w->pd = 0;
    if (hd_ops[i->op].flags & F_LANES)
        return lanes_row(i, exec, w);
    for (unsigned l = 0; l < HD_LANES; l++) {
        const u64 a = w->first[l], b = w->second[l], c = w->third[l];
        const u32 ps = bit(w->source, l), pt = bit(w->source2, l);
        u32 pd = 0;
        bool known = true;
        if (i->op == OP_S2R)
            w->d[l] = w->special[l];
        else if (unit == UNIT_FPU || unit == UNIT_SFU || unit == UNIT_F64)
            known = host_float(i, a, b, c, ps, &w->d[l], &pd);
        else if (unit == UNIT_ALU || unit == UNIT_MUL)
            known = other_row(i, a, b, c, ps, pt, &w->d[l], &pd) ||
                    word_row(i, (u32)a, (u32)b, (u32)c, ps, &w->d[l]);
        else
            known = false;
        if (!known)
            return false;
        w->pd |= (pd & 1) << l;
    }
    return true;
}
