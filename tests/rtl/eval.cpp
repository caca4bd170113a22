// Two models get the same inputs, one changed before each evaluation: one is evaluated in parts
// (harness/core/eval_parts.h), the other as Verilator does.  SPDX-License-Identifier: Apache-2.0
#include "harness/core/eval_parts.h"
#include <cstdio>
#include <cstdlib>

static unsigned word()
{
    return static_cast<unsigned>(random()) ^ static_cast<unsigned>(random()) << 16;
}

int main()
{
    enum { EVALUATIONS = 20000 };
    VerilatedContext ca, cb;
    EVAL_MODEL a{ &ca }, b{ &cb };
    eval_parts parts;
    for (int i = 0; i < EVALUATIONS; i++) {
        switch (random() % 16) {
        case 0: a.a_i = b.a_i = word() & 255; break;
        case 1: a.b_i = b.b_i = word() & 65535; break;
        case 2: a.c_i = b.c_i = word(); break;
        case 3: a.d_i = b.d_i = static_cast<QData>(word() & 255) << 32 | word(); break;
        case 4: { int w = random() % 8; a.e_i[w] = b.e_i[w] = word(); break; }
        case 5: a.rst_n = b.rst_n = random() % 8 != 0; break;
        case 6: case 7: break;
        default: a.clk = b.clk = !a.clk;
        }
        parts.eval(&a);
        b.eval();
        if (memcmp(a.o.data(), b.o.data(), 32) || a.sum_o != b.sum_o || a.sum_q != b.sum_q) {
            printf("differs from eval() after %d evaluations\n", i + 1);
            return 1;
        }
    }
    printf("%d evaluations %s, the same as eval()\n", EVALUATIONS,
           EVAL_BY_PARTS ? "in parts" : "whole");
    return 0;
}
