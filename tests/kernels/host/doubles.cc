// What doubles.cu computes, by the host.
// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "../doubles.cu"

int main()
{
    std::vector<float> a = rand_f32(32, 3), b = rand_f32(32, 4);
    std::vector<unsigned> out(768);
    launch(1, 32, [&] { doubles(a.data(), b.data(), out.data()); });
    print_hash("out", out);                          /* by the unit, and by routines */
    print_hash("out", out);
}
