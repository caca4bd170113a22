/* Columns of the figures, and the page's table.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/paper_b/measure.h"

static FILE *open_in(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "w");
}

/* A row for each workload and order: speed-up, and per cent saved as each metric has it. */
static bool write_saved(const struct measured *m, const char *folder, unsigned r, bool lockstep)
{
    char name[32];
    snprintf(name, sizeof name, "saved_%u.dat", residents[r]);
    FILE *f = open_in(folder, name);
    if (!f)
        return false;
    fprintf(f, "order memory-bound speed-up");
    for (unsigned k = 0; k < METRICS; k++)
        fprintf(f, " %s", metric_names[k]);
    for (unsigned w = 0; w < workload_count; w++)
        for (unsigned by = BY_SORTING; by < BY_COUNT; by++) {
            fprintf(f, "\n%s/%s %d %.4f", workloads[w].name, order_names[by],
                    workloads[w].memory_bound,
                    measured_speed(m, w, r, (enum order_by)by, M_TIME, lockstep));
            for (unsigned k = 0; k < METRICS; k++)
                fprintf(f, " %.2f",
                        measured_saved(m, w, r, (enum order_by)by, (enum metric)k, lockstep));
        }
    fprintf(f, "\n");
    return !fclose(f);
}

/* A row a workload: the speed-ups of all orders. */
static bool write_speed(const struct measured *m, const char *folder, bool lockstep)
{
    FILE *f = open_in(folder, "speed.dat");
    if (!f)
        return false;
    fprintf(f, "workload");
    for (unsigned r = 0; r < RESIDENTS; r++)
        for (unsigned by = BY_SORTING; by < BY_COUNT; by++)
            fprintf(f, " %s-%u", order_names[by], residents[r]);
    for (unsigned w = 0; w < workload_count; w++) {
        fprintf(f, "\n%s", workloads[w].name);
        for (unsigned r = 0; r < RESIDENTS; r++)
            for (unsigned by = BY_SORTING; by < BY_COUNT; by++)
                fprintf(f, " %.4f", measured_speed(m, w, r, (enum order_by)by, M_TIME, lockstep));
    }
    fprintf(f, "\n");
    return !fclose(f);
}

static bool write_sigma(const struct measured *m, const char *folder)
{
    FILE *f = open_in(folder, "sigma.dat");
    if (!f)
        return false;
    fprintf(f, "sigma");
    for (unsigned by = BY_SORTING; by < BY_COUNT; by++)
        fprintf(f, " %s", order_names[by]);
    for (int s = 0; s < SIGMAS; s++) {
        const struct outcome *first = measured_sigma(m, s, BY_ORIGINAL);
        fprintf(f, "\n%.1f", (double)sigmas[s]);
        for (unsigned by = BY_SORTING; by < BY_COUNT; by++) {
            const struct outcome *o = measured_sigma(m, s, (enum order_by)by);
            fprintf(f, " %.4f",
                    o && first ? (double)first->count.cycles / (double)o->count.cycles : 0);
        }
    }
    fprintf(f, "\n");
    return !fclose(f);
}

/* Of the weighted cost that the lower bound leaves to be saved. */
static double share(const struct outcome *o, const struct outcome *first)
{
    double possible = first->p.weighted - first->bound;
    return possible > 0 ? 100 * (first->p.weighted - o->p.weighted) / possible : 100;
}

static bool write_table(const struct measured *m, const char *folder, bool lockstep)
{
    FILE *f = open_in(folder, "table.md");
    if (!f)
        return false;
    fprintf(
        f,
        "| workload, warps | applied by | cycles | sorting | greedy | greedy-max | best | "
        "predicted: weighted | scheduled | ours | of the possible gain |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (unsigned w = 0; w < workload_count; w++)
        for (unsigned r = 0; r < RESIDENTS; r++) {
            const struct outcome *first = measured_get(m, w, r, BY_ORIGINAL),
                                 *best = measured_get(m, w, r, BY_BEST);
            fprintf(f, "| %s, %u | %s | %llu |", workloads[w].name, residents[r],
                    best && best->layout ? "layout" : "redirection",
                    first ? (unsigned long long)first->count.cycles : 0ull);
            for (unsigned by = BY_SORTING; by < BY_COUNT; by++)
                fprintf(f, " %.2f |", measured_speed(m, w, r, (enum order_by)by, M_TIME, lockstep));
            for (unsigned k = M_WEIGHTED; k <= M_OURS; k++)
                fprintf(f, " %.2f |", measured_speed(m, w, r, BY_BEST, (enum metric)k, lockstep));
            fprintf(f, " %.0f%% |\n", first && best ? share(best, first) : 0);
        }
    return !fclose(f);
}

bool measured_write(const struct measured *m, const char *folder, bool lockstep)
{
    bool ok = write_speed(m, folder, lockstep) && write_sigma(m, folder) &&
              write_table(m, folder, lockstep);
    for (unsigned r = 0; r < RESIDENTS; r++)
        ok = ok && write_saved(m, folder, r, lockstep);
    return ok;
}
