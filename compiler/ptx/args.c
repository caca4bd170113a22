/* Parameters in registers: `.func (.reg .b32 r) f(.reg .b32 a)'.
 * SPDX-License-Identifier: Apache-2.0
 *
 * They are passed as others are, in the parameters that declare them.  The register of the same
 * name is loaded where the body begins, and what is returned is stored before each `ret', whatever
 * guard that has: nobody reads it before the function is left. */
#include <string.h>
#include "compiler/ptx/parse_ins.h"

static void move(struct parser *p, enum pop op, const struct sym *s)
{
    static const enum ptype type[] = { [1] = T_B8, [2] = T_B16, [4] = T_B32, [8] = T_B64 };
    struct ins *i = ins_new(p->m, op);
    bool load = op == P_LD;
    i->type = type[s->size];
    i->space = SP_PARAM;
    i->vecn = 1;
    i->nops = 2;
    i->o[load ? 0 : 1] = (struct opd){ .kind = O_REG, .reg = s->in_reg, .reg2 = -1 };
    i->o[load ? 1 : 0] = (struct opd){ .kind = O_ADDR, .reg = -1, .reg2 = -1,
                                       .sym = (struct sym *)s };
    parse_ins_append(p, i, -1, false);
}

static void bind(struct parser *p, struct sym **list, int n)
{
    for (int k = 0; k < n; k++) {
        struct sym *s = list[k];
        if (s->in_reg < 0) continue;
        s->in_reg = reg_new(p->fn, s->type);
        p->fn->regs[s->in_reg].name = s->name;
        scope_bind_reg(p, lex_atom(p, s->name, (int)strlen(s->name)), s->in_reg, 0, s->loc);
    }
}

void args_begin(struct parser *p, struct sym **params, int n)
{
    bind(p, p->fn->rets, p->fn->nrets);
    bind(p, params, n);
    p->ins_loc = p->loc;
    for (int k = 0; k < n; k++)
        if (params[k]->in_reg >= 0) move(p, P_LD, params[k]);
}

void args_return(struct parser *p)
{
    for (int k = 0; k < p->fn->nrets; k++)
        if (p->fn->rets[k]->in_reg >= 0) move(p, P_ST, p->fn->rets[k]);
}
