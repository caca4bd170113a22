/* What `heddle bench` says of the core's ports: in lockstep, more than nothing, and within what the
 * port allows.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "harness/cmd/bench_ports.h"

static void within_limits(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PORT_USES; i++) {
        struct port_use u = { 0 };
        assert_true(port_measure(i, &u));
        print_message("%s %.3f %s/cycle of %.0f\n", u.name, u.use, u.unit, u.limit);
        assert_true(u.use > u.limit / 100 && u.use <= u.limit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(within_limits) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
