/* Which link a name means.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/board/link.h"
#include <stdio.h>
#include <string.h>

struct link *link_open(const char *name, unsigned lanes, uint64_t mem_seed, char *why, size_t room)
{
    const char *rest = strchr(name, ':');
    const size_t n = rest ? (size_t)(rest++ - name) : 0;
    if (n == 3 && !strncmp(name, "sim", n))
        return link_sim(rest, lanes, mem_seed, why, room);
    if (n == 7 && !strncmp(name, "netlist", n))
        return link_netlist(rest, lanes, mem_seed, why, room);
    if (n == 4 && !strncmp(name, "file", n))
        return link_file(rest, why, room);
    if (n == 3 && !strncmp(name, "tcp", n))
        return link_tcp(rest, why, room);
    if (n == 3 && !strncmp(name, "tty", n))
        return link_tty(rest, why, room);
    snprintf(why, room, "`%s' is no link: sim:, netlist:, file:F, tcp:HOST:PORT or "
                        "tty:DEVICE[@BAUD]", name);
    return NULL;
}
