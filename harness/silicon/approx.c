/* The bounds of the `.approx` functions of f32 and of div.full, against the exact value.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The PTX ISA text promises: rcp 2^-23 over [1,2]; rsqrt 2^-22.4 over [1,4]; sin and cos 2^-20.9 in
 * the first quadrant; lg2 2^-22.6 over a mantissa; ex2 2^-22.5 over a fraction; div.approx 2 ulp
 * for |b| in [2^-126, 2^126], above 0, or a NaN of an infinite a; div.full 2 ulp for all operands.
 * Everywhere else, and for sqrt and tanh, we hold special cases exactly and 4 ulp or 2^-20.  The
 * argument of sin and cos is first rounded to a multiple of 2 pi 2^-24 relative: that much is
 * granted on top outside the first quadrant. */
#include "harness/silicon/silicon.h"
#include <math.h>
#include <string.h>

static double value(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return (double)f;
}

static double exact(const char *name, double a, double b)
{
    return !strncmp(name, "div", 3)     ? a / b
           : !strncmp(name, "rcp", 3)   ? 1 / a
           : !strncmp(name, "sqrt", 4)  ? sqrt(a)
           : !strncmp(name, "rsqrt", 5) ? 1 / sqrt(a)
           : !strncmp(name, "sin", 3)   ? sin(a)
           : !strncmp(name, "cos", 3)   ? cos(a)
           : !strncmp(name, "lg2", 3)   ? log2(a)
           : !strncmp(name, "ex2", 3)   ? exp2(a)
                                        : tanh(a);
}

/* The promised absolute error at an argument; 0: none is promised there. */
static double promised(const char *name, double a, double b, double want)
{
    double m = fabs(a);
    if (!strncmp(name, "div", 3))
        return !strncmp(name, "div.full", 8) || (fabs(b) >= 0x1p-126 && fabs(b) <= 0x1p126)
             ? 2 * exp2(fmax(floor(log2(fabs(want))), -126) - 23) : 0;
    if (!strncmp(name, "rcp", 3))
        return a >= 1 && a <= 2 ? 0x1p-23 : 0;
    if (!strncmp(name, "rsqrt", 5))
        return a >= 1 && a <= 4 ? exp2(-22.4) : 0;
    if (!strncmp(name, "sin", 3) || !strncmp(name, "cos", 3))
        return a >= 0 && a <= M_PI / 2 ? exp2(-20.9) : 0x1p-20 + m * 0x1p-24;
    if (!strncmp(name, "lg2", 3))
        return a >= 1 && a <= 2 ? exp2(-22.6) : 0;
    if (!strncmp(name, "ex2", 3))
        return a >= 0 && a <= 1 ? exp2(-22.5) * want : 0;
    return 0;
}

static uint32_t flush(uint32_t bits) { return (bits & 0x7f800000) ? bits : bits & 0x80000000; }

bool approx_within(const char *name, uint32_t a, uint32_t b, uint32_t got, double *error,
                   const char **unit)
{
    bool ftz = strstr(name, ".ftz") != NULL;
    double x = value(ftz ? flush(a) : a), y = value(ftz ? flush(b) : b), want = exact(name, x, y),
           have = value(got);
    *error = 0;
    *unit = "ulp";
    if (!strncmp(name, "div.approx", 10) && fabs(y) > 0x1p126 && !isinf(y) && !isnan(x))
        return isinf(x) ? isnan(have) : have == 0;
    if (isnan(want))
        return isnan(have);
    if (ftz && fabs(want) < 0x1p-126)
        return have == 0 || fabs(have) == 0x1p-126;
    if (isinf(want) || fabs(want) >= 0x1.ffffffp127)
        return have == (want > 0 ? (double)INFINITY : -(double)INFINITY) ||
               (!isinf(want) && fabs(have) >= 0x1.fffff0p127);
    if (want == 0 || isnan(have) || isinf(have))
        return have == want;
    double ulp = exp2(fmax(floor(log2(fabs(want))), -126) - 23), off = fabs(have - want);
    double bound = promised(name, x, y, want);
    *error = off / ulp;
    if (bound > 0 && (*name == 's' || *name == 'c' || *name == 'l') && strncmp(name, "sqrt", 4)) {
        *error = off;                                /* these bounds are absolute */
        *unit = "absolute";
        return off <= bound;
    }
    if (bound > 0)
        return off <= bound;
    if (!strncmp(name, "lg2", 3) && off <= 0x1p-20) {
        *error = 0;
        return true;
    }
    return off <= 4 * ulp;
}
