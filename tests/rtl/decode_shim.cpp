// The Verilated decoder as a C function.
// SPDX-License-Identifier: Apache-2.0
#include "Vdecode_gen.h"
#include "tests/rtl/decode_shim.h"

static VerilatedContext context;
static Vdecode_gen top{&context};

extern "C" void decode_rtl(const uint32_t w[4], int stack, struct decode_ports *p)
{
    for (int i = 0; i < 4; i++)
        top.insn_i[i] = w[i];
    top.mode_stack_i = stack;
    top.eval();
#define PORT(name) p->name = top.name##_o;
    DECODE_PORTS
#undef PORT
}
double sc_time_stamp() { return 0; }
