/* What paper A's text states, beside what we find: one line a claim.
 * SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"
#include "tests/claims.h"

/* Sections 5.2 and 1: efficiency and speed of the annotated workloads. */
static void user_claims(const struct measured *m, struct claims *c)
{
    unsigned bounded = 0;
    for (unsigned w = 0; w < workload_count; w++) {
        const char *name = workloads[w].name;
        double gain = measured_efficiency(m, name, AS_USER),
               speed = measured_speed(m, name, AS_USER);
        claim(c, name, "efficiency", "1.1 to 3 times (Figure 7)", gain >= 1.1 && gain <= 3,
              "%.2f times", gain);
        claim(c, name, "speed", "1.1 to 3 times (Figure 8)", speed >= 1.1 && speed <= 3,
              "%.2f times", speed);
        bounded += gain > 0 && speed <= 1.05 * gain;
    }
    claim(c, "all", "bound", "efficiency is roughly an upper bound of speed (section 5.2)",
          bounded == workload_count, "so within 5%% in %u of %u", bounded, workload_count);
}

static unsigned fastest(const struct measured *m, const char *workload)
{
    unsigned best = 0;
    for (unsigned t = 1; t < THRESHOLDS; t++)
        if (measured_speed(m, workload, PLACEMENTS + t) >=
            measured_speed(m, workload, PLACEMENTS + best))
            best = t;
    return thresholds[best];
}

/* Section 5.3. */
static void soft_claims(const struct measured *m, struct claims *c)
{
    unsigned path = fastest(m, "pathtracer"), xs = fastest(m, "xsbench");
    unsigned rising = 0, long_path = measure_fastest("pathtracer"),
             long_xs = measure_fastest("xsbench");
    claim(c, "pathtracer", "threshold", "fastest when all are collected (Figure 9)", path == 32,
          "fastest with %u lanes", path);
    claim(c, "xsbench", "threshold", "fastest at a low one, such as 4 (Figure 9)", xs <= 8,
          "fastest with %u lanes", xs);
    claim(c, "pathtracer", "threshold_long", "fastest when all are collected (Figure 9)",
          long_path == 32, "at the model's size fastest with %u lanes", long_path);
    claim(c, "xsbench", "threshold_long", "fastest at a low one, such as 4 (Figure 9)",
          long_xs <= 8, "at the model's size fastest with %u lanes", long_xs);
    for (unsigned t = 1; t < THRESHOLDS; t++)
        rising += measured_efficiency(m, "pathtracer", PLACEMENTS + t) >=
                  measured_efficiency(m, "pathtracer", PLACEMENTS + t - 1);
    claim(c, "pathtracer", "rising", "efficiency rises with the threshold",
          rising == THRESHOLDS - 1, "so in %u of %u steps", rising, THRESHOLDS - 1);
}

/* Section 5.4. */
static void auto_claims(const struct measured *m, struct claims *c, unsigned placement)
{
    for (unsigned w = 0; w < workload_count; w++) {
        const char *name = workloads[w].name;
        double user = measured_speed(m, name, AS_USER),
               ratio = user > 0 ? measured_speed(m, name, placement) / user : 0;
        claim(c, name, placements[placement].name, "as annotated (section 5.4)", ratio >= 0.95,
              "%.2f times the annotated one's speed", ratio);
    }
}

bool measured_claims(const struct measured *m, bool lockstep)
{
    struct claims c = { .paper = "paper-a", .yes = "holds" };
    unsigned right = 0;
    user_claims(m, &c);
    soft_claims(m, &c);
    auto_claims(m, &c, AS_AUTO);
    auto_claims(m, &c, AS_PROFILE);
    for (unsigned i = 0; i < m->n; i++)
        right += m->run[i].o.right;
    claim(&c, "all", "memory", "placement changes no result", m->n && right == m->n,
          "the host's in %u of %u runs", right, m->n);
    return claims_as_known(&c, "tests/paper_a/differs.txt", lockstep ? "core" : "model");
}
