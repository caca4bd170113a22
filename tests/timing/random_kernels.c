/* Random kernels and their cycles, one a line: `random_kernels rtl|model`; tests/timing/check.pl.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Of machine code and of the compiler, in both modes; those that do not end well are not timed, as
 * nobody asks how long a fault takes. */
#include "harness/device/device.h"
#include "harness/fuzz/fuzz.h"
#include <string.h>

enum { KERNELS = 10, DEPTH = 16, SEED = 7919 };

static bool on_commit(void *user, const struct hd_commit *rec)
{
    *(uint64_t *)user = rec->cycle + 1;
    return true;
}

/* Of the core up to the last commit; 0: it did not end well. */
static uint64_t cycles(hd_device *d, struct fuzz_case *c, bool rtl)
{
    uint64_t last = 0;
    struct hd_err err = { 0 };
    uint64_t params[FUZZ_PARAMS];
    if ((!c->img && !fuzz_compile(c, &err)) || !fuzz_set_up(d, c, true, params))
        return 0;
    struct hd_launch l = fuzz_launch(c, params);
    hd_on_commit(d, rtl ? on_commit : NULL, &last);
    bool ended = hd_launch_grid(d, &l) == HD_OK;
    return !ended ? 0 : rtl ? last : hd_get_counters(d)->cycles;
}

static hd_device *open_device(enum hd_kind kind)
{
    const struct hd_config cfg = { .kind = kind, .lanes = 32, .stack_depth = DEPTH, .limit = 300000,
                                   .timing = kind == HD_MODEL ? "core" : NULL };
    hd_device *d = NULL;
    if (hd_open(&cfg, &d) != HD_OK) {
        fprintf(stderr, "random_kernels: %s\n", hd_device_error(d));
        return NULL;
    }
    return d;
}

/* The first KERNELS seeds of that kind whose kernels end on the model. */
static bool kernels(hd_device *model, hd_device *d, bool rtl, int level, bool stack_mode)
{
    struct fuzz_choice f = { .frame = { .stack_mode = stack_mode, .lanes = 32,
                                        .stack_depth = DEPTH, .cores = 1 },
                             .level = level };
    if (!fuzz_choice_open(&f, NULL))
        return false;
    for (unsigned n = 0, seed = 1; n < KERNELS; seed++) {
        struct fuzz_case c = fuzz_choose(&f, (uint64_t)seed * SEED);
        c.bus_seed = c.mem_seed = c.stop = c.start_again = 0;
        if (cycles(model, &c, false)) {
            printf("random/%s/%s/%u %llu\n", level == FUZZ_MACHINE ? "machine" : "ptx",
                   stack_mode ? "stack" : "barrier", seed, (unsigned long long)cycles(d, &c, rtl));
            fflush(stdout);
            n++;
        }
        fuzz_case_free(&c);
    }
    fuzz_choice_close(&f);
    return true;
}

int main(int argc, char **argv)
{
    const bool rtl = argc == 2 && !strcmp(argv[1], "rtl");
    if (argc != 2 || (!rtl && strcmp(argv[1], "model"))) {
        fprintf(stderr, "usage: random_kernels rtl|model\n");
        return 2;
    }
    hd_device *model = open_device(HD_MODEL), *d = open_device(rtl ? HD_LOCKSTEP : HD_MODEL);
    bool ok = model && d;
    for (int k = 0; ok && k < 4; k++)
        ok = kernels(model, d, rtl, k & 1 ? FUZZ_PTX : FUZZ_MACHINE, k >> 1);
    hd_close(model);
    hd_close(d);
    return ok ? 0 : 1;
}
