/* Launches of a device that has an RTL side: in lockstep with the model, or alone.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H
#include "harness/device/device.h"

/* lockstep.c: both memories hold the same.  With several cores cores_run does it. */
enum hd_status lockstep_run(hd_device *d);
enum hd_status cores_run(hd_device *d);
/* Its parts, of one core: what a run keeps is as before its first cycle, and false where the
 * checker is broken; the core was started; the instructions that retire in this cycle, and false
 * where the run ends, with *end or with trouble; what else is seen of it. */
bool lockstep_ready(hd_device *d);
void lockstep_started(hd_device *d);
bool lockstep_commit(hd_device *d, enum hd_status *end);
void lockstep_see(hd_device *d);
/* What is wrong, the first time; a sentence. */
void lockstep_trouble(hd_device *d, enum hd_trouble t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Four states: false, and trouble, where a wire was unknown that must not be. */
bool lockstep_known(hd_device *d);
/* Looks at this cycle as the run does, without its limits; false: there is trouble. */
bool lockstep_follow(hd_device *d);
/* The model's counters, with the RTL's cycles and what was compared. */
void lockstep_counters(hd_device *d);
/* watch.c: after a cycle; true: the run ends with *s.  last_time: when on_progress was called last,
 * in seconds. */
bool lockstep_ends(hd_device *d, double *last_time, enum hd_status *s);
/* Nothing retires any more: a deadlock of the program, or trouble; of a board, too. */
enum hd_status lockstep_no_progress(hd_device *d);
/* settle.c: a launch that ended with s without trouble so far. */
void lockstep_settle(hd_device *d, enum hd_status s);
/* Its parts: nothing may happen in this cycle, false: something did; memories and registers of a
 * core that is quiet. */
bool lockstep_silent(hd_device *d, const char *since);
void lockstep_compare(hd_device *d, enum hd_status s);
/* Of these: the areas of memory, and so many bytes before and after each. */
enum { LOCKSTEP_ZONE = 4096 };
void lockstep_compare_areas(hd_device *d);
/* An instruction of the LSU that has not retired may have written this byte of shared memory. */
bool lockstep_pending(const struct rtl_pending p[RTL_SLOTS], uint32_t addr);
/* The same, afterwards: what ended as a deadlock without trouble so far is one. */
void lockstep_prove_deadlock(hd_device *d);
/* After a difference: the waveform of the cycles [from, to) by a snapshot.  Returns the cycle
 * from which it was replayed; UINT64_MAX: no snapshot reaches back so far. */
uint64_t lockstep_replay(hd_device *d, const char *wave, uint64_t from, uint64_t to);
/* bare.c: the RTL alone. */
enum hd_status bare_run(hd_device *d);
/* third.c: each thread alone, before the launch runs; then its judgement on how that ended. */
bool third_run(hd_device *d);
enum hd_status third_judge(hd_device *d, enum hd_status s);
/* One sentence: compared, or why not. */
void third_write(const hd_device *d, FILE *out);
#endif
