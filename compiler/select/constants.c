/* Constants as second sources: c[offset] in place of a register that a load of constants fills.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A register qualifies that is written once, without a guard, by an LDC of a word or a pair whose
 * address is in the instruction and below OPERAND_BYTES, or by a copy of such a register: nothing
 * writes the bank while a grid runs.  Where it is the first or third source, the sources change
 * places, if the operation allows it.  A load stays while something else reads its register.
 *
 * Requires: selected code, its registers still virtual.
 * Ensures:  the same results; loads and copies that nothing reads are left for peephole.c. */
#include <string.h>
#include "compiler/select/minsn.h"

enum { NOT = -1 };

/* Of each register: how often it is written, its offset in the bank or NOT. */
struct bank_regs { int *defs, *at; };

static void see_def(void *user, int reg, int sub, int words)
{
    (void)sub, (void)words;
    ((struct bank_regs *)user)->defs[reg]++;
}

bool constants_load(const struct mins *m)
{
    return m->i.op == OP_LDC && m->r[R_A] < 0 && m->i.ra == HD_RZ && m->frame == FR_NONE &&
           !m->sym && m->r[R_D] >= 0 && m->i.off >= 0 &&
           ((m->i.sz == SZ_32 && m->i.off + 4 <= OPERAND_BYTES && m->i.off % 4 == 0) ||
            (m->i.sz == SZ_64 && m->i.off + 8 <= OPERAND_BYTES && m->i.off % 8 == 0));
}

static void swap_sources(struct mins *m, int one, int other)
{
    uint8_t *const machine[] = { NULL, &m->i.ra, &m->i.rb, &m->i.rc };
    const int r = m->r[one], sub = m->sub[one], fixed = *machine[one];
    m->r[one] = m->r[other], m->sub[one] = m->sub[other], *machine[one] = *machine[other];
    m->r[other] = r, m->sub[other] = (uint8_t)sub, *machine[other] = (uint8_t)fixed;
}

/* The truth table with two of its three inputs exchanged; bits 2, 1, 0 of an index are a, b, c. */
static uint8_t lut_swapped(uint8_t lut, int one, int other)
{
    uint8_t out = 0;
    for (int k = 0; k < 8; k++) {
        const int p = k >> one & 1, q = k >> other & 1, rest = k & ~(1 << one | 1 << other);
        out |= (uint8_t)((lut >> (rest | p << other | q << one) & 1) << k);
    }
    return out;
}

/* A comparison of floats with its sources exchanged. */
static uint8_t fcmp_mirrored(uint8_t cmp)
{
    static const uint8_t of[] = {
        [FCMP_EQ] = FCMP_EQ,   [FCMP_NE] = FCMP_NE,   [FCMP_LT] = FCMP_GT,   [FCMP_LE] = FCMP_GE,
        [FCMP_GT] = FCMP_LT,   [FCMP_GE] = FCMP_LE,   [FCMP_NUM] = FCMP_NUM, [FCMP_NAN] = FCMP_NAN,
        [FCMP_EQU] = FCMP_EQU, [FCMP_NEU] = FCMP_NEU, [FCMP_LTU] = FCMP_GTU, [FCMP_LEU] = FCMP_GEU,
        [FCMP_GTU] = FCMP_LTU, [FCMP_GEU] = FCMP_LEU };
    return of[cmp];
}

/* Makes the first source the second.  f64 stays: of two NaNs the second source goes out. */
static bool turn_first(struct mins *m)
{
    const struct hd_insn i = m->i;
    if (i.bi || m->sym)
        return false;
    switch (i.op) {
    case OP_IADD: case OP_IADD3: case OP_IADDX: case OP_IADDW: case OP_IMINS: case OP_IMAXS:
    case OP_IMINU: case OP_IMAXU: case OP_AND: case OP_OR: case OP_XOR: case OP_IMAD:
    case OP_IMADHU: case OP_IMADHS: case OP_IMADWU: case OP_IMADWS: case OP_FADD: case OP_FMUL:
    case OP_FFMA: case OP_FMIN: case OP_FMAX:
        break;
    case OP_ISUB: m->i.op = OP_IRSUB; break;
    case OP_IRSUB: m->i.op = OP_ISUB; break;
    case OP_SEL: m->i.sn = !i.sn; break;
    case OP_LOP3: m->i.lut = lut_swapped(i.lut, 2, 1); break;
    case OP_ISETP: m->i.icmp = icmp_mirrored(i.icmp); break;
    case OP_FSETP: m->i.fcmp = fcmp_mirrored(i.fcmp); break;
    default: return false;
    }
    m->i.na = i.nb, m->i.nb = i.na, m->i.aa = i.ab, m->i.ab = i.aa;
    swap_sources(m, R_A, R_B);
    return true;
}

static bool turn_third(struct mins *m)
{
    if (m->i.bi || m->sym || (m->i.op != OP_IADD3 && m->i.op != OP_LOP3))
        return false;
    if (m->i.op == OP_LOP3)
        m->i.lut = lut_swapped(m->i.lut, 1, 0);
    swap_sources(m, R_B, R_C);
    return true;
}

/* The offset of a source that is known, and may be c[]; else NOT. */
static int offset(const struct bank_regs *k, const struct mins *m, int which)
{
    const int r = m->r[which], words = hd_ops[m->i.op].width[2] == WIDTH_2 ? 2 : 1;
    if (r < 0 || k->at[r] == NOT)
        return NOT;
    const int at = k->at[r] + 4 * m->sub[which];
    return at % (4 * words) ? NOT : at;
}

static void take(const struct bank_regs *k, struct mins *m)
{
    if (m->i.op == M_COPY || !hd_insn_takes_constant((enum hd_op)m->i.op) || m->i.bi || m->sym)
        return;
    int at = offset(k, m, R_B);
    if (at == NOT && (at = offset(k, m, R_A)) != NOT && !turn_first(m))
        at = NOT;
    if (at == NOT && (at = offset(k, m, R_C)) != NOT && !turn_third(m))
        at = NOT;
    if (at == NOT)
        return;
    m->i.bi = m->i.cb = 1, m->i.imm = (uint32_t)at, m->i.rb = 0;
    m->r[R_B] = -1, m->sub[R_B] = 0;
}

/* The register that it fills with what is at *at. */
static int fills(const struct bank_regs *k, const struct mins *m, int *at)
{
    const int r = m->r[R_D];
    if (r < 0 || m->p[PR_G] >= 0 || m->i.pg != HD_PT || k->defs[r] != 1 || m->sub[R_D])
        return NOT;
    const int from = m->i.op == M_COPY ? R_A : m->i.op == OP_MOV ? R_B : NOT;
    *at = constants_load(m) ? m->i.off
        : from != NOT && m->r[from] >= 0 && k->at[m->r[from]] != NOT
            ? k->at[m->r[from]] + 4 * m->sub[from] : NOT;
    return *at == NOT ? NOT : r;
}

void constants_run(struct mfn *mf)
{
    const size_t n = (size_t)mf->nregs + 1;
    struct arena *a = arena_new();
    struct bank_regs k = { arena_alloc(a, n * sizeof *k.defs), arena_alloc(a, n * sizeof *k.at) };
    memset(k.at, 0xff, n * sizeof *k.at);
    for (int b = 0; b < mf->nblks; b++)
        for (struct mins *m = mf->blks[b]->first; m; m = m->next)
            mins_defs(mf, m, see_def, &k);
    for (bool again = true; again; ) {              /* copies of copies */
        again = false;
        for (int b = 0; b < mf->nblks; b++)
            for (struct mins *m = mf->blks[b]->first; m; m = m->next) {
                int at, r = fills(&k, m, &at);
                if (r != NOT && k.at[r] == NOT)
                    k.at[r] = at, again = true;
            }
    }
    for (int b = 0; b < mf->nblks; b++)
        for (struct mins *m = mf->blks[b]->first; m; m = m->next)
            take(&k, m);
    arena_free(a);
}
