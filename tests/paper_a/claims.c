/* What paper A's text states, beside what we find: one line a claim.
 * SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"
#include <stdarg.h>

__attribute__((format(printf, 5, 6)))
static bool claim(const char *of, const char *what, const char *theirs, bool holds, const char *ours, ...)
{
    va_list ap;
    va_start(ap, ours);
    printf("paper-a: %s.%s, ", of, what);
    vprintf(ours, ap);
    printf(", %s, %s\n", theirs, holds ? "holds" : "differs");
    va_end(ap);
    return holds;
}

/* Sections 5.2 and 1: efficiency and speed of the annotated workloads. */
static bool user_claims(const struct measured *m)
{
    bool never_falls = true;
    unsigned bounded = 0, faster = 0;
    for (unsigned w = 0; w < workload_count; w++) {
        const char *name = workloads[w].name;
        double gain = measured_efficiency(m, name, AS_USER), speed = measured_speed(m, name, AS_USER);
        claim(name, "efficiency", "1.1 to 3 times (Figure 7)", gain >= 1.1 && gain <= 3, "%.2f times", gain);
        claim(name, "speed", "1.1 to 3 times (Figure 8)", speed >= 1.1 && speed <= 3, "%.2f times", speed);
        never_falls &= gain >= 1;
        bounded += speed <= 1.05 * gain;
        faster += speed > 1;
    }
    claim("all", "faster", "all (Figure 8)", faster == workload_count, "%u of %u", faster, workload_count);
    claim("all", "bound", "efficiency is roughly an upper bound of speed (section 5.2)", bounded == workload_count,
          "so within 5%% in %u of %u", bounded, workload_count);
    return claim("all", "never_falls", "efficiency rises (section 5.2)", never_falls, "%s", never_falls ? "so in all" : "not so");
}

static unsigned fastest(const struct measured *m, const char *workload)
{
    unsigned best = 0;
    for (unsigned t = 1; t < THRESHOLDS; t++)
        if (measured_speed(m, workload, PLACEMENTS + t) >= measured_speed(m, workload, PLACEMENTS + best))
            best = t;
    return thresholds[best];
}

/* Section 5.3. */
static void soft_claims(const struct measured *m)
{
    unsigned path = fastest(m, "pathtracer"), xs = fastest(m, "xsbench");
    unsigned rising = 0, long_path = measure_fastest("pathtracer"), long_xs = measure_fastest("xsbench");
    claim("pathtracer", "threshold", "fastest when all are collected (Figure 9)", path == 32, "fastest with %u lanes", path);
    claim("xsbench", "threshold", "fastest at a low one, such as 4 (Figure 9)", xs <= 8, "fastest with %u lanes", xs);
    claim("pathtracer", "threshold_long", "fastest when all are collected (Figure 9)", long_path == 32,
          "at the model's size fastest with %u lanes", long_path);
    claim("xsbench", "threshold_long", "fastest at a low one, such as 4 (Figure 9)", long_xs <= 8,
          "at the model's size fastest with %u lanes", long_xs);
    for (unsigned t = 1; t < THRESHOLDS; t++)
        rising += measured_efficiency(m, "pathtracer", PLACEMENTS + t) >= measured_efficiency(m, "pathtracer", PLACEMENTS + t - 1);
    claim("pathtracer", "rising", "efficiency rises with the threshold", rising == THRESHOLDS - 1, "so in %u of %u steps", rising,
          THRESHOLDS - 1);
}

/* Section 5.4. */
static void auto_claims(const struct measured *m, unsigned placement)
{
    const char *what = placements[placement].name;
    unsigned same = 0;
    for (unsigned w = 0; w < workload_count; w++) {
        const char *name = workloads[w].name;
        double ratio = measured_speed(m, name, placement) / measured_speed(m, name, AS_USER);
        same += claim(name, what, "as annotated (section 5.4)", ratio >= 0.95, "%.2f times the annotated one's speed", ratio);
    }
    claim("all", what, "as annotated (section 5.4)", same == workload_count, "so or faster, within 5%%, in %u of %u", same,
          workload_count);
}

bool measured_claims(const struct measured *m)
{
    unsigned right = 0;
    bool never_falls = user_claims(m);
    soft_claims(m);
    auto_claims(m, AS_AUTO);
    auto_claims(m, AS_PROFILE);
    for (unsigned i = 0; i < m->n; i++)
        right += m->run[i].o.right;
    claim("all", "memory", "placement changes no result", right == m->n, "the host's in %u of %u runs", right, m->n);
    return right == m->n && never_falls;
}
