/* The third leg of a launch: what each thread alone leaves in memory against what the warps
 * left.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where the scalar execution has no one right result (races, order, threads that wait for each
 * other) it says so and nothing is compared.  A deadlock between lanes is nothing that a thread
 * alone can have. */
#include "harness/lockstep/lockstep.h"
#include "harness/report/report.h"
#include <inttypes.h>

enum { THIRD_LIMIT = 200000000 };  /* instructions of all threads, where the launch has no limit */

bool third_run(hd_device *d)
{
    scalar_free(d->third);
    uint64_t limit = d->cfg.limit ? d->cfg.limit * HD_LANES : THIRD_LIMIT;
    d->third = scalar_run(&d->launch, device_memory(d), limit);
    return d->third != NULL;
}

static enum hd_status say(hd_device *d, const char *what)
{
    d->verdict.trouble = HD_TROUBLE_THIRD;
    snprintf(d->verdict.why, sizeof d->verdict.why, "%s", what);
    return HD_MISMATCH;
}

enum hd_status third_judge(hd_device *d, enum hd_status s)
{
    char what[sizeof d->verdict.why];
    uint64_t addr;
    uint8_t want;
    enum scalar_end end = scalar_end(d->third);
    if (s == HD_FAULT && d->fault.fault == HD_FAULT_BUS)     /* threads alone meet none */
        return s;
    if (s == HD_FAULT && end == SCALAR_OK)
        return say(d, "the warps faulted, but no thread alone does");
    if (s != HD_OK || end == SCALAR_RACE || end == SCALAR_ORDER || end == SCALAR_LIMIT)
        return s;
    if (end != SCALAR_OK) {
        snprintf(what, sizeof what, "the warps ended, but of the threads alone %.100s",
                 scalar_why(d->third));
        return say(d, what);
    }
    if (!scalar_differs(d->third, device_memory(d), &addr, &want))
        return s;
    snprintf(what, sizeof what,
             "memory at 0x%08" PRIx64 " is 0x%02x; each thread alone leaves 0x%02x", addr,
             device_memory(d)[addr], want);
    d->verdict.addr = addr;
    return say(d, what);
}

void third_write(const hd_device *d, FILE *out)
{
    if (!d->third) {
        fprintf(out, "third leg: not run\n");
        return;
    }
    enum scalar_end end = scalar_end(d->third);
    if (end == SCALAR_OK)
        fprintf(out, "third leg: each thread alone leaves the same memory\n");
    else
        fprintf(out, "third leg: not compared: %s%s\n",
                end == SCALAR_RACE ? "a race: " : "", scalar_why(d->third));
    uint32_t pc[2];
    unsigned n = end == SCALAR_OK ? 0 : scalar_places(d->third, pc);
    for (unsigned k = 0; k < n; k++) {
        char source[160];
        report_source(d, pc[k], source, sizeof source);
        if (source[0])
            fprintf(out, "  PC 0x%x is %s\n", pc[k], source);
    }
}
