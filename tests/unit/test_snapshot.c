/* Snapshots: a difference late in a run is replayed from a snapshot, and shows what a run from the
 * start shows; no child is left, also when the parent is killed.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cmodel/image/asm.h"
#include "harness/device/device.h"
#include "harness/lockstep/lockstep.h"

/* Some 20,000 cycles that end with a store; the compared values depend on everything before. */
static const char program[] =
    ".text\n.kernel k\n.regs 16\n.param data u64 8\n"
    "    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n    IMAD.W.U32 R6, R0, 4, R4\nmore:\n"
    "    IMAD R3, R3, 3, R0\n"
    "    IADD R2, R2, 1\n    ISETP.LT.U32.AND P0, R2, 800, PT\n    @P0 BRA more\n"
    "    STG [R6], R3\n    EXIT\n";
enum { EVERY = 1000, WINDOW = 208, LANES = 4 };

struct lie { uint64_t at; bool told; };

static void tamper(void *user, struct hd_commit *c)
{
    struct lie *l = user;
    if (l->told || c->seq < l->at)
        return;
    l->told = true;
    c->npc[5] ^= 16;
}

static struct hd_image *assemble(void)
{
    struct hd_image *img = NULL;
    struct hd_err err = { 0 };
    if (hd_asm("program", program, &img, &err))
        fail_msg("%s", err.text);
    return img;
}

static hd_device *open_device(const struct hd_image *img, const struct hd_config *how,
                              uint64_t *param)
{
    hd_device *d;
    uint64_t data;
    if (hd_open(how, &d) != HD_OK)
        fail_msg("%s", hd_device_error(d));
    assert_int_equal(hd_load(d, img), HD_OK);
    assert_int_equal(hd_malloc(d, 512, &data), HD_OK);
    *param = data;
    return d;
}

static enum hd_status launch(hd_device *d, uint64_t *param)
{
    struct hd_launch l = {
        .grid = { 1, 1, 1 }, .block = { 64, 1, 1 }, .params = param, .params_size = sizeof *param
    };
    enum hd_status s = hd_launch_grid(d, &l);
    if (s > HD_STOPPED)
        fail_msg("%s", hd_device_error(d));
    return s;
}

static bool alone(void)
{
    int status;
    return waitpid(-1, &status, WNOHANG) < 0 && errno == ECHILD;
}

/* Is what the two waveforms show the same?  As text, without the date. */
static bool same_waves(const char *a, const char *b)
{
    char command[400];
    snprintf(
        command, sizeof command,
        "for f in %s %s; do fst2vcd $f | sed '/^\\$date/,/^\\$end/d' | cksum; "
        "done | uniq | wc -l | grep -qx 1 && "
        "fst2vcd %s | grep -q '^#'",
        a, b, a);
    return system(command) == 0;
}

static void replay(void **state)
{
    (void)state;
    char a[] = "/tmp/replayXXXXXX", b[] = "/tmp/rerunXXXXXX";
    struct hd_image *img = assemble();
    struct hd_config how = { .kind = HD_LOCKSTEP, .lanes = LANES, .snapshots = EVERY };
    uint64_t param;
    close(mkstemp(a)), close(mkstemp(b));
    hd_device *d = open_device(img, &how, &param);
    assert_int_equal(d->cfg.snapshots, EVERY);
    struct lie l = { .at = 6000 };
    d->tamper = tamper;
    d->tamper_user = &l;
    assert_int_equal(launch(d, &param), HD_MISMATCH);
    uint64_t to = d->verdict.cycle + 9, from = to - WINDOW, began = hd_replay(d, a, from, to);
    assert_true(d->verdict.cycle > 4 * EVERY && began <= from && began + 2 * EVERY > from);
    assert_true(alone());
    assert_true(hd_replay(d, a, from, to) == UINT64_MAX);          /* once only */
    hd_close(d);
    how = (struct hd_config){
        .kind = HD_LOCKSTEP, .lanes = LANES, .wave = b, .wave_from = from, .wave_to = to
    };
    d = open_device(img, &how, &param);
    l.told = false;
    d->tamper = tamper;
    d->tamper_user = &l;
    assert_int_equal(launch(d, &param), HD_MISMATCH);
    hd_close(d);
    assert_true(same_waves(a, b));
    unlink(a), unlink(b);
    hd_image_free(img);
}

/* Equal to the end, then again; and a difference before the first snapshot. */
static void nothing_left(void **state)
{
    (void)state;
    struct hd_image *img = assemble();
    struct hd_config how = { .kind = HD_LOCKSTEP, .lanes = LANES, .snapshots = EVERY };
    uint64_t param;
    hd_device *d = open_device(img, &how, &param);
    assert_int_equal(launch(d, &param), HD_OK);
    uint64_t cycles = hd_get_counters(d)->cycles;
    assert_int_equal(launch(d, &param), HD_OK);
    assert_int_equal(hd_get_counters(d)->cycles, cycles);
    struct lie l = { .at = 10 };
    d->tamper = tamper;
    d->tamper_user = &l;
    assert_int_equal(launch(d, &param), HD_MISMATCH);
    assert_true(hd_replay(d, "/nonexistent/a.fst", 0, 10) == UINT64_MAX);
    hd_close(d);
    assert_true(alone());
    hd_image_free(img);
}

static bool die(void *user, const struct hd_commit *c)
{
    (void)user;
    if (c->seq == 4000)
        kill(getpid(), SIGKILL);
    return true;
}

/* The parent is killed: its snapshots end by themselves.  This process collects the orphans. */
static void orphans(void **state)
{
    (void)state;
    struct hd_image *img = assemble();
    struct hd_config how = { .kind = HD_LOCKSTEP, .lanes = LANES, .snapshots = EVERY };
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    pid_t parent = fork();
    if (!parent) {
        uint64_t param;
        hd_device *d = open_device(img, &how, &param);
        hd_on_commit(d, die, NULL);
        launch(d, &param);
        _exit(0);
    }
    int ended = 0, status;
    alarm(60);                                       /* a snapshot that stays fails the test */
    while (waitpid(-1, &status, 0) > 0)
        ended++;
    alarm(0);
    assert_int_equal(ended, 1 + SNAPSHOTS);
    hd_image_free(img);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(replay), cmocka_unit_test(nothing_left),
                                        cmocka_unit_test(orphans) };
    return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
