/* Paper B's workloads on a GPU, through the driver alone; see usage.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/paper_b/h200/gpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: gpu name                               the GPU's name\n"
    "       gpu latencies                          a timing profile: cycles of chains of PTX "
    "instructions\n"
    "       gpu ptx FOLDER                         the PTX of these measurements, for an "
    "assembler to check\n"
    "       gpu machine PACK KERNEL THREADS        its cores, block slots and ports, for `heddle "
    "regroup --machine'\n"
    "       gpu time PACK WORK KERNEL [ORDER]..    lines `ORDER MECHANISM MICROSECONDS RIGHT': "
    "medians of 30 launches\n"
    "       gpu pipeline PACK WORK KERNEL          the same and MICROSECONDS of the host: eight "
    "batches, ordered as\n"
    "                                              they come\n"
    "PACK: made by `make paper-b-gpu'; WORK: has what `paper_b write' writes, KERNEL.ORDER.order "
    "of `heddle\n"
    "regroup --save' and KERNEL.fit of `heddle bbv --fit'.  LAUNCHES in the environment: fewer of "
    "them.\n";

/* an attribute of a device; issue ports of each since Volta */
enum { MULTIPROCESSORS = 16, PORTS = 4 };

static int machine(const char *pack, const char *kernel, int threads)
{
    int sms, blocks;
    void *f = gpu_load(launch_ptx(pack, kernel, ""), kernel, NULL);
    must(gpu.cuDeviceGetAttribute(&sms, MULTIPROCESSORS, 0), "cuDeviceGetAttribute");
    must(gpu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads, 0), "occupancy");
    printf("%d,%d,%d\n", sms, blocks, PORTS);
    return 0;
}

static int name(void)
{
    char text[128] = "";
    must(gpu.cuDeviceGetName(text, sizeof text, 0), "cuDeviceGetName");
    printf("%s\n", text);
    return 0;
}

static int write_ptx(const char *folder)
{
    for (unsigned k = 0; k < 4 * latency_count(); k++) {
        const bool apart = k & 1, chain = k & 2;
        char path[512], *text = latency_ptx(k / 4, apart, chain ? 256 : 0);
        if (!text)
            continue;
        snprintf(path, sizeof path, "%s/%02u-%s-%u.ptx", folder, k / 4, apart ? "apart" : "chain",
                 chain ? 256 : 0);
        FILE *f = fopen(path, "w");
        if (!f || fputs(text, f) < 0 || fclose(f)) {
            fprintf(stderr, "gpu: %s: cannot be written\n", path);
            return 2;
        }
        free(text);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (argc == 3 && !strcmp(what, "ptx"))
        return write_ptx(argv[2]);
    int status = -1;
    if (argc == 2 && !strcmp(what, "name"))
        gpu_open(), status = name();
    else if (argc == 2 && !strcmp(what, "latencies"))
        gpu_open(), status = latencies();
    else if (argc == 5 && !strcmp(what, "machine") && atoi(argv[4]) > 0)
        gpu_open(), status = machine(argv[2], argv[3], atoi(argv[4]));
    else if (argc >= 5 && !strcmp(what, "time"))
        gpu_open(), status = times(argv[2], argv[3], argv[4], argv + 5);
    else if (argc == 5 && !strcmp(what, "pipeline"))
        gpu_open(), status = pipeline(argv[2], argv[3], argv[4]);
    if (status < 0)
        return fputs(usage, stderr), 2;
    return status;
}
