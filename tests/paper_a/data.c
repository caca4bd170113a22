/* Columns of the figures, and the page's table.
 * SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"

static FILE *open_in(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "w");
}

/* A row a workload: efficiency in percent and speed over off, of each placement. */
static bool write_bars(const struct measured *m, const char *folder)
{
    FILE *f = open_in(folder, "workloads.dat");
    if (!f)
        return false;
    fprintf(f, "workload");
    for (unsigned p = 0; p < PLACEMENTS; p++)
        fprintf(f, " %s.efficiency %s.gain %s.speed", placements[p].name, placements[p].name,
                placements[p].name);
    fprintf(f, "\n");
    for (unsigned w = 0; w < workload_count; w++) {
        const char *name = workloads[w].name;
        fprintf(f, "%s", name);
        for (unsigned p = 0; p < PLACEMENTS; p++) {
            const struct outcome *o = measured_get(m, name, p);
            fprintf(f, " %.2f %.3f %.3f", o ? outcome_efficiency(o) : 0,
                    measured_efficiency(m, name, p), measured_speed(m, name, p));
        }
        fprintf(f, "\n");
    }
    return !fclose(f);
}

static bool write_thresholds(const struct measured *m, const char *folder, const char *workload)
{
    char name[64];
    snprintf(name, sizeof name, "fig9_%s.dat", workload);
    FILE *f = open_in(folder, name);
    if (!f)
        return false;
    fprintf(f, "threshold efficiency speed\n");
    for (unsigned t = 0; t < THRESHOLDS; t++) {
        const struct outcome *o = measured_get(m, workload, PLACEMENTS + t);
        fprintf(f, "%u %.2f %.3f\n", thresholds[t], o ? outcome_efficiency(o) : 0,
                measured_speed(m, workload, PLACEMENTS + t));
    }
    return !fclose(f);
}

static bool write_table(const struct measured *m, const char *folder)
{
    FILE *f = open_in(folder, "table.md");
    if (!f)
        return false;
    fprintf(f, "| workload | pattern | off: cycles | efficiency |");
    for (unsigned p = AS_USER; p < PLACEMENTS; p++)
        fprintf(f, " %s: efficiency | gain | speed-up |", placements[p].name);
    fprintf(f, "\n| --- | --- | --- | --- |");
    for (unsigned p = AS_USER; p < PLACEMENTS; p++)
        fprintf(f, " --- | --- | --- |");
    for (unsigned w = 0; w < workload_count; w++) {
        const char *name = workloads[w].name;
        const struct outcome *off = measured_get(m, name, AS_OFF);
        fprintf(f, "\n| %s | %s | %llu | %.1f%% |", name, workloads[w].pattern,
                off ? (unsigned long long)off->count.cycles : 0ull,
                off ? outcome_efficiency(off) : 0);
        for (unsigned p = AS_USER; p < PLACEMENTS; p++) {
            const struct outcome *o = measured_get(m, name, p);
            fprintf(f, " %.1f%% | %.2f | %.2f |", o ? outcome_efficiency(o) : 0,
                    measured_efficiency(m, name, p), measured_speed(m, name, p));
        }
    }
    fprintf(f, "\n");
    return !fclose(f);
}

bool measured_write(const struct measured *m, const char *folder)
{
    return write_bars(m, folder) && write_thresholds(m, folder, "pathtracer") &&
           write_thresholds(m, folder, "xsbench") && write_table(m, folder);
}
