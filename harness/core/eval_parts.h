// A Verilated model's eval() without what can change nothing.  SPDX-License-Identifier: Apache-2.0
//
// eval() evaluates all logic that inputs reach (ico), whether one has changed or not, and then, at
// the rising edge, what registers get and all logic that they reach (nba).  A cycle has two
// evaluations: at its rising edge no input changes, and in many cycles none changes at all.  So
// this asks whether one has, of the list of all that there are (eval.pl), and calls the parts.
#ifndef EVAL_PARTS_H
#define EVAL_PARTS_H
#include "eval.h"
#include <cstddef>

#if EVAL_BY_PARTS
void EVAL_ICO(EVAL_ROOT *);
void EVAL_NBA(EVAL_ROOT *);

class eval_parts {
    bool settled = false;                        // it has been evaluated, with these inputs
#define I(name) decltype(EVAL_ROOT::name) name;
    struct { EVAL_INPUTS(I) } in{};
#undef I
    template <class T> static bool differ(const T &a, const T &b) { return a != b; }
    template <std::size_t N> static bool differ(const VlWide<N> &a, const VlWide<N> &b)
    {
        EData any = 0;
        for (std::size_t i = 0; i < N; i++)
            any |= a.data()[i] ^ b.data()[i];
        return any;
    }
    bool inputs_change(const EVAL_ROOT *r)
    {
        bool any = false;
#define I(name) any |= differ(in.name, r->name);
        EVAL_INPUTS(I)
#undef I
        if (any) {
#define I(name) in.name = r->name;
            EVAL_INPUTS(I)
#undef I
        }
        return any;
    }

public:
    void eval(EVAL_MODEL *m)
    {
        EVAL_ROOT *r = m->rootp;
        bool change = inputs_change(r);
        if (!settled) {
            settled = true;
            m->eval();
            return;
        }
#if EVAL_ACTIVITY
        r->vlSymsp->__Vm_activity = true;
#endif
        if (change) {
            r->__VicoTriggered.at(0) = true;
            EVAL_ICO(r);
        }
        bool rises = r->clk && !r->__Vtrigrprev__TOP__clk;
        r->__Vtrigrprev__TOP__clk = r->clk;
        if (rises) {
            r->__VnbaTriggered.at(0) = true;
            EVAL_NBA(r);
        }
    }
};
#else
class eval_parts {
public:
    void eval(EVAL_MODEL *m) { m->eval(); }
};
#endif
#endif
