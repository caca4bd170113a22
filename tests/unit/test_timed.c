/* The clock of a timing profile without commit records is the one with them, to the cycle: random
 * kernels, run both ways under a profile in which each event has a cost of its own, and on the
 * model of our own core.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "harness/device/device.h"
#include "harness/fuzz/fuzz.h"

enum { CASES = 120 };

/* Primes, so that no two events make up for each other. */
static const char profile[] =
    "insn = 3 2 # x\nMUL = 5 11 # x\nFPU = 4 13 # x\nLSU = 29 31 # x\nport = 2 # x\n"
    "taken = 7 # x\ndiverge = 101 # x\nwait = 211 # x\npush = 307 # x\npop = 401 # x\n"
    "spill = 503 # x\nfill = 601 # x\nline = 701 # x\nsector = 809 # x\n";

/* How a run ended: what is compared. */
struct outcome {
    enum hd_status status;
    struct hd_counters count;
    struct hd_commit fault;
    uint64_t memory;
};

static uint64_t hash(const hd_device *d)
{
    uint64_t h = 1;
    uint64_t at;
    size_t bytes;
    for (size_t i = AREA_LOCAL; device_area(d, i, &at, &bytes); i++)
        for (size_t k = 0; k < bytes; k++)
            h = h * 0x100000001b3u ^ device_memory(d)[at + k];
    return h;
}

/* records: somebody wants them. */
static struct outcome once(struct fuzz_machine *m, struct fuzz_case *c, bool records)
{
    struct outcome o;
    struct fuzz_result r;
    memset(&o, 0, sizeof o);
    c->stop = records ? UINT32_MAX : 0;
    assert_true(fuzz_run(m, c, 0, false, &r));
    o.status = r.status;
    o.count = *hd_get_counters(m->dev);
    if (hd_get_fault(m->dev))
        o.fault = *hd_get_fault(m->dev);
    o.memory = hash(m->dev);
    return o;
}

/* How often each kind of thing happened in all cases. */
struct met { unsigned faults, ends, pushes, spills, loads, gave_way; };

static void kernels(bool stack_mode, const char *name, struct met *met)
{
    const struct hd_config cfg = { .kind = HD_MODEL, .lanes = 4, .stack_depth = 4, .timing = name };
    struct fuzz_machine m = { .on = FUZZ_MODEL, .lanes = 4, .stack_depth = 4 };
    struct fuzz_choice f = { .frame = { .stack_mode = stack_mode, .lanes = 4, .stack_depth = 4 },
                             .level = FUZZ_MACHINE };
    assert_int_equal(hd_open(&cfg, &m.dev), HD_OK);
    assert_true(fuzz_choice_open(&f, NULL));
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        struct fuzz_case c = fuzz_choose(&f, seed * 6007);
        struct outcome with = once(&m, &c, true), without = once(&m, &c, false);
        if (memcmp(&with.count, &without.count, sizeof with.count))
            fail_msg("%s, seed %d: %llu cycles with records, %llu without",
                     stack_mode ? "stack" : "barriers", (int)seed,
                     (unsigned long long)with.count.cycles,
                     (unsigned long long)without.count.cycles);
        assert_memory_equal(&with, &without, sizeof with);
        met->faults += with.status == HD_FAULT;
        met->ends += with.status == HD_OK;
        met->pushes += with.count.pushes > 0;
        met->spills += with.count.spills > 0;
        met->loads += with.count.mem_transactions > with.count.loads;
        met->gave_way += with.count.gave_way > 0;
        fuzz_case_free(&c);
    }
    fuzz_machine_close(&m);
    fuzz_choice_close(&f);
}

static void same_clock(void **state)
{
    char name[] = "./timed-XXXXXX";
    int fd = mkstemp(name);
    struct met met = { 0 };
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, profile, sizeof profile - 1), (ssize_t)sizeof profile - 1);
    close(fd);
    for (int stack_mode = 0; stack_mode < 2; stack_mode++)
        kernels(stack_mode, name, &met);
    for (int stack_mode = 0; stack_mode < 2; stack_mode++)
        kernels(stack_mode, "core", &met);
    unlink(name);
    print_message("faults %u, ends %u, pushes %u, spills %u, several sectors %u, gave way %u\n",
                  met.faults, met.ends, met.pushes, met.spills, met.loads, met.gave_way);
    assert_true(met.faults && met.ends && met.pushes && met.spills && met.loads && met.gave_way);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(same_clock) };
    return cmocka_run_group_tests_name("timed", tests, NULL, NULL);
}
