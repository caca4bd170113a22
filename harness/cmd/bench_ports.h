/* What the core makes of a port when a kernel asks for it in every cycle, beside what the port
 * allows.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PORTS_H
#define BENCH_PORTS_H
#include <stdbool.h>

struct port_use {
    const char *name, *unit;
    double use, limit;           /* a cycle */
};
enum { PORT_USES = 5 };
/* Which: 0 to PORT_USES - 1.  False: it did not end well; stderr says how. */
bool port_measure(unsigned which, struct port_use *out);
#endif
