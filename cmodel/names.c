/* Names of what a launch ends with.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/heddle.h"

const char *hd_strerror(enum hd_status s)
{
    static const char *const text[] = {
        [HD_OK] = "ended",
        [HD_MISMATCH] = "RTL and model differ",
        [HD_FAULT] = "the kernel faulted",
        [HD_DEADLOCK] = "deadlock",
        [HD_LIMIT] = "the limit was reached",
        [HD_STOPPED] = "stopped",
        [HD_BAD_ARGUMENT] = "bad argument",
        [HD_BAD_IMAGE] = "bad image",
        [HD_NO_MEMORY] = "no memory",
        [HD_NO_KERNEL] = "no such kernel",
        [HD_TOO_BIG] = "needs more than the core has",
        [HD_NO_CORE] = "the core is not built",
        [HD_NO_RTL] = "the RTL cannot be loaded",
        [HD_INTERNAL] = "internal fault",
    };
    return (unsigned)s < sizeof text / sizeof text[0] && text[s] ? text[s] : "unknown status";
}

const char *hd_fault_name(enum hd_fault f)
{
    static const char *const text[HD_FAULT_COUNT] = {
#define FAULT(name, what) what,
#include "cmodel/isa/commit.def"
    };
    return (unsigned)f < HD_FAULT_COUNT ? text[f] : "unknown fault";
}
