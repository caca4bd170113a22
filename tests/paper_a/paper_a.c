/* Paper A's workloads: `paper_a check|figures|write ...`; see usage.
 * SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"
#include <string.h>

static const char usage[] =
    "usage: paper_a check [NAME]..             every workload, both sizes, on the model, against "
    "the host\n"
    "       paper_a figures FOLDER [--model]   every placement in lockstep: what the figures "
    "show, and the claims;\n"
    "                                          FOLDER holds NAME.json, made by `heddle profile "
    "--save`\n"
    "       paper_a write rtl|model FOLDER     every workload's input as files, and NAME.args for "
    "`heddle`\n";

static bool named(const struct workload *w, char **names, int n)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], w->name))
            return true;
    return !n;
}

static int check(char **names, int n)
{
    static const char *const size_name[] = { "rtl", "model" };
    unsigned wrong = 0, runs = 0;
    for (const struct workload *w = workloads; w < workloads + workload_count; w++)
        for (int size = SIZE_RTL; named(w, names, n) && size <= SIZE_MODEL; size++) {
            struct problem p = { 0 };
            w->make(&p, (enum size)size);
            for (unsigned k = AS_OFF; k <= (size == SIZE_RTL ? AS_STATIC : AS_USER); k++) {
                struct outcome o = workload_run(w, &p, &placements[k], false);
                printf("paper-a: %s, %s, %s, warp instructions %llu, SIMT efficiency %.1f%%, %s\n",
                       w->name, size_name[size], placements[k].name,
                       (unsigned long long)o.count.warp_insns, outcome_efficiency(&o),
                       o.right ? "ok" : "WRONG");
                fflush(stdout);
                wrong += !o.right;
                runs++;
            }
            problem_free(&p);
        }
    if (!runs)
        fprintf(stderr, "paper_a: there is no such workload\n");
    return !runs ? 2 : wrong ? 1 : 0;
}

static int figures(const char *folder, bool lockstep)
{
    struct measured *m = measure_all(folder, lockstep);
    int status = m ? 2 : 4;
    if (m && measured_write(m, folder))
        status = measured_claims(m, lockstep) ? 0 : 1;
    else if (m)
        fprintf(stderr, "paper_a: %s cannot be written\n", folder);
    if (m)
        measured_free(m);
    return status;
}

static int write_all(const char *size, const char *folder)
{
    for (const struct workload *w = workloads; w < workloads + workload_count; w++) {
        struct problem p = { 0 };
        w->make(&p, strcmp(size, "rtl") ? SIZE_MODEL : SIZE_RTL);
        bool ok = problem_write(&p, w->name, folder);
        problem_free(&p);
        if (!ok) {
            fprintf(stderr, "paper_a: %s: cannot write %s there\n", folder, w->name);
            return 2;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc >= 2 && !strcmp(argv[1], "check"))
        return check(argv + 2, argc - 2);
    if ((argc == 3 || (argc == 4 && !strcmp(argv[3], "--model"))) && !strcmp(argv[1], "figures"))
        return figures(argv[2], argc == 3);
    if (argc == 4 && !strcmp(argv[1], "write") &&
        (!strcmp(argv[2], "rtl") || !strcmp(argv[2], "model")))
        return write_all(argv[2], argv[3]);
    bool help = argc == 2 && !strcmp(argv[1], "--help");
    fputs(usage, help ? stdout : stderr);
    return help ? 0 : 2;
}
