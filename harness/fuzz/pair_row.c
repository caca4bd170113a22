/* The tables of pairs of each row that computes: its dimensions, which values exclude each other, a
 * plan as an instruction.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/pairs.h"
#include <string.h>

unsigned pair_value_of(const struct cover *c, const unsigned *plan, unsigned dim)
{
    for (unsigned i = 0; i < c->ndims; i++)
        if (c->dim[i].name == pair_dim(dim).name)
            return plan[i];
    return 0;
}

bool pair_has(enum hd_op op, const char *letters)
{
    return strpbrk(hd_ops[op].operands, letters) != NULL;
}

/* A sign that the row's text has. */
static bool has_sign(enum hd_op op, const char *sign)
{
    return strstr(hd_ops[op].mods, sign) != NULL;
}

static void modifiers(const struct cover *c, const unsigned *plan, struct hd_insn *i)
{
    const struct hd_op_info *o = &hd_ops[i->op];
    for (unsigned k = 0; k < o->nmods; k++) {
        const struct hd_mod_info *m = &hd_mods[o->mod[k]];
        for (unsigned d = 0; d < c->ndims; d++)
            if (c->dim[d].name == m->name)
                ((uint8_t *)i)[m->offset] = (uint8_t)plan[d];
    }
}

/* The instruction, its pool registers and numbers being 0. */
struct hd_insn pair_shape(const struct cover *c, const unsigned *plan)
{
    const struct pair_row *row = c->user;
    struct hd_insn i = hd_insn_make(row->op);
    const unsigned first = pair_value_of(c, plan, DIM_FIRST_SIGN),
                   second = pair_value_of(c, plan, DIM_SECOND_SIGN);
    modifiers(c, plan, &i);
    i.na = first & 1, i.aa = first >> 1;
    i.nb = second & 1, i.ab = (uint8_t)(second >> 1);
    i.nc = (uint8_t)pair_value_of(c, plan, DIM_THIRD_SIGN);
    i.bi = pair_value_of(c, plan, DIM_SECOND) >= SECOND_IMM;
    i.cb = pair_value_of(c, plan, DIM_SECOND) >= SECOND_PARAM;
    if (i.bi)
        i.rb = 0;
    if (pair_value_of(c, plan, DIM_GUARD))
        i.pg = 0;
    return i;
}

static const char *needs_destination(const struct cover *c, const unsigned *plan)
{
    const bool none = !pair_has(((const struct pair_row *)c->user)->op, "dD") ||
                      pair_value_of(c, plan, DIM_DEST) == DEST_RZ;
    const bool asks = pair_value_of(c, plan, DIM_FIRST) == FIRST_DEST ||
                      pair_value_of(c, plan, DIM_SECOND) == SECOND_DEST ||
                      pair_value_of(c, plan, DIM_THIRD) == THIRD_DEST ||
                      pair_value_of(c, plan, DIM_BEFORE) == BEFORE_WRITES_D;
    return none && asks ? "the row has no destination register here" : NULL;
}

/* The instruction before writes an operand, which must be a register of its own. */
static const char *copied(const struct cover *c, const unsigned *plan)
{
    switch (pair_value_of(c, plan, DIM_BEFORE)) {
    case BEFORE_WRITES_A:
        return pair_value_of(c, plan, DIM_FIRST) != FIRST_REG ? "Ra is no register of its own"
                                                              : NULL;
    case BEFORE_WRITES_B:
        return pair_value_of(c, plan, DIM_SECOND) != SECOND_REG ? "Rb is no register of its own"
                                                                : NULL;
    case BEFORE_WRITES_C:
        return pair_value_of(c, plan, DIM_THIRD) != THIRD_REG ? "Rc is no register of its own"
                                                              : NULL;
    case BEFORE_WRITES_P:
        return pair_value_of(c, plan, DIM_PSOURCE) != PSOURCE_P &&
                       pair_value_of(c, plan, DIM_PSOURCE) != PSOURCE_NOT
                   ? "Ps is no predicate of its own"
                   : NULL;
    case BEFORE_WRITES_G:
        return pair_value_of(c, plan, DIM_GUARD) != GUARD_P &&
                       pair_value_of(c, plan, DIM_GUARD) != GUARD_NOT
                   ? "the guard is no predicate of its own"
                   : NULL;
    default: return NULL;
    }
}

static const char *why(const struct cover *c, const unsigned *plan)
{
    const struct pair_row *row = c->user;
    const struct hd_insn i = pair_shape(c, plan);
    const char *text = needs_destination(c, plan);
    const unsigned second = pair_value_of(c, plan, DIM_SECOND);
    if (!text && (second == SECOND_SAME || pair_value_of(c, plan, DIM_THIRD) == THIRD_SAME) &&
        !pair_has(row->op, "aA"))
        text = "the row has no Ra";
    if (!text && second >= SECOND_PARAM && !hd_insn_takes_constant(row->op))
        text = "its second source cannot be a constant";
    if (!text && pair_value_of(c, plan, DIM_BEFORE) == BEFORE_WRITES_A && pair_has(row->op, "C") &&
        pair_value_of(c, plan, DIM_THIRD) == THIRD_SAME)
        text = "Rc is a pair of the pool";
    if (!text && pair_value_of(c, plan, DIM_PDEST) == PDEST_TRUE &&
        (pair_value_of(c, plan, DIM_PSOURCE) == PSOURCE_DEST ||
         pair_value_of(c, plan, DIM_PSECOND) == PSECOND_DEST))
        text = "the row has no destination predicate here";
    return text ? text : copied(c, plan) ? copied(c, plan) : hd_insn_fault(&i, row->stack_mode);
}

/* ---- a row's dimensions ---- */

static bool row_has(enum hd_op op, unsigned dim)
{
    switch (dim) {
    case DIM_FIRST: return pair_has(op, "aA");
    case DIM_FIRST_SIGN: return has_sign(op, "na");
    case DIM_SECOND: return pair_has(op, "bB");
    case DIM_SECOND_SIGN: return has_sign(op, "nb");
    case DIM_THIRD: return pair_has(op, "cC");
    case DIM_THIRD_SIGN: return has_sign(op, "nc");
    case DIM_PSOURCE: return pair_has(op, "s");
    case DIM_PSECOND: return pair_has(op, "t");
    case DIM_DEST: return pair_has(op, "dD");
    case DIM_PDEST: return pair_has(op, "p");
    case DIM_SPECIAL: return op == OP_S2R;
    default: return pair_table_of(dim) == PAIR_OPERANDS;
    }
}

/* Values that no plan of this row can have: they are not its dimension's. */
static void narrow(enum hd_op op, unsigned dim, struct cover_dim *d)
{
    if (dim == DIM_SECOND && !hd_insn_takes_constant(op))
        d->n = SECOND_PARAM;
    if (dim == DIM_FIRST_SIGN && !has_sign(op, "aa"))
        d->n = FIRST_ABS;
    if (dim == DIM_SECOND_SIGN && !has_sign(op, "ab"))
        d->n = SECOND_ABS;
    if (dim == DIM_SPECIAL)
        d->n = SREG_CLOCKLO;                         /* the clocks are nobody's to foresee */
}

bool pair_row_cover(struct cover *c, const struct pair_row *row, const char **reason)
{
    const struct hd_op_info *o = &hd_ops[row->op];
    static const char *const apart[UNIT_COUNT] = {
        [UNIT_CTL] = "it branches or waits: table FEATURES",
        [UNIT_LSU] = "it is memory's: table FEATURES" };
    *reason = apart[o->unit] ? apart[o->unit] : !*o->operands ? "it computes nothing" : NULL;
    if (*reason)
        return false;
    *c = (struct cover){ .why = why, .user = row };
    snprintf(c->name, sizeof c->name, "%s", o->mnemonic);
    for (unsigned d = 0; d < DIMS; d++)
        if (row_has(row->op, d)) {
            c->dim[c->ndims] = pair_dim(d);
            narrow(row->op, d, &c->dim[c->ndims++]);
        }
    for (unsigned k = 0; k < o->nmods; k++) {
        const struct hd_mod_info *m = &hd_mods[o->mod[k]];
        struct cover_dim *d = &c->dim[c->ndims++];
        *d = (struct cover_dim){ .name = m->name, .n = m->count };
        for (unsigned v = 0; v < m->count; v++)
            d->value[v] = *m->value[v] ? m->value[v] : "-";
    }
    cover_open(c);
    return true;
}

unsigned pair_row_words(const struct pair_plan *p)
{
    const struct pair_row *row = p->cover->user;
    return (pair_has(row->op, "d") ? 1 : pair_has(row->op, "D") ? 2 : 0) + pair_has(row->op, "p");
}
