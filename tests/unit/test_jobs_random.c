/* Blocks at the same time: random kernels end as in turn, with the same memory and counters.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "harness/device/device.h"
#include "harness/fuzz/fuzz.h"

enum { CASES = 150, JOBS = 3 };

struct outcome {
    enum hd_status status;
    struct hd_counters count;
    struct hd_commit fault;
    uint64_t memory;
};

/* Of what the host can read. */
static uint64_t hash(const hd_device *d)
{
    uint64_t h = 1;
    uint64_t at;
    size_t bytes;
    for (size_t i = AREA_DATA; device_area(d, i, &at, &bytes); i++)
        for (size_t k = 0; i != AREA_SPILL && k < bytes; k++)
            h = h * 0x100000001b3u ^ device_memory(d)[at + k];
    return h;
}

static struct outcome once(struct fuzz_machine *m, struct fuzz_case *c, unsigned jobs)
{
    struct outcome o;
    struct fuzz_result r;
    memset(&o, 0, sizeof o);
    m->dev->cfg.jobs = jobs;
    assert_true(fuzz_run(m, c, 0, false, &r));
    o.status = r.status;
    if (r.kind == FUZZ_UNJUDGED && !c->img)
        return o;                       /* it was not compiled */
    o.count = *hd_get_counters(m->dev);
    if (hd_get_fault(m->dev))
        o.fault = *hd_get_fault(m->dev);
    o.memory = hash(m->dev);
    return o;
}

struct met { unsigned together, in_turn, faults; };

static void kernels(bool stack_mode, int level, struct met *met)
{
    const struct hd_config cfg = { .kind = HD_MODEL, .lanes = 4, .stack_depth = 4 };
    struct fuzz_machine m = { .on = FUZZ_MODEL, .lanes = 4, .stack_depth = 4 };
    struct fuzz_choice f = { .frame = { .stack_mode = stack_mode, .lanes = 4, .stack_depth = 4 },
                             .level = level };
    assert_int_equal(hd_open(&cfg, &m.dev), HD_OK);
    assert_true(fuzz_choice_open(&f, NULL));
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        struct fuzz_case c = fuzz_choose(&f, seed * 4001);
        struct outcome turn = once(&m, &c, 1), jobs = once(&m, &c, JOBS);
        if (turn.status != jobs.status || turn.memory != jobs.memory ||
            memcmp(&turn.count, &jobs.count, sizeof turn.count) ||
            memcmp(&turn.fault, &jobs.fault, sizeof turn.fault)) {
            hd_show_jobs(m.dev, stderr);
            fail_msg("%s, level %d, seed %d: %s in turn, %s on %d threads%s%s",
                     stack_mode ? "stack" : "barriers", level, (int)seed,
                     hd_strerror(turn.status), hd_strerror(jobs.status), JOBS,
                     turn.memory != jobs.memory ? ", other memory" : "",
                     memcmp(&turn.count, &jobs.count, sizeof turn.count) ? ", other counters" : "");
        }
        met->together += hd_get_jobs(m.dev) > 1;
        met->in_turn += hd_get_jobs(m.dev) == 0;
        met->faults += turn.status == HD_FAULT;
        fuzz_case_free(&c);
    }
    fuzz_machine_close(&m);
    fuzz_choice_close(&f);
}

static void random_kernels(void **state)
{
    struct met met = { 0 };
    (void)state;
    for (int k = 0; k < 4; k++)
        kernels(k % 2, k < 2 ? FUZZ_MACHINE : FUZZ_PTX, &met);
    print_message("at the same time %u, in turn %u, faults %u\n", met.together, met.in_turn,
                  met.faults);
    assert_true(met.together >= 20 && met.in_turn >= 20 && met.faults >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(random_kernels) };
    return cmocka_run_group_tests_name("jobs, random", tests, NULL, NULL);
}
