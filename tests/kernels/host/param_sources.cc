// What param_sources.cu computes.
// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "../param_sources.cu"

int main()
{
    std::vector<unsigned> out(4800);
    launch(2, 40, [&] { param_sources(out.data(), 37, -9, 0.75f, 4294967333, -1.25); });
    print_hash("out", out);         // the constants as operands, and loaded
    print_hash("out", out);
}
