/* A model of one's own that follows a core: three functions (docs/stream.md).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A library that defines hs_model_start and hs_model_step, and perhaps hs_model_compare, follows
 * any stream by `heddle stream follow ./model.so F', and a core that runs where F is a pipe. */
#ifndef HEDDLE_MODEL_H
#define HEDDLE_MODEL_H
#include "stream/stream.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Takes what the model does, as a core says it; cycle, warp and number are filled in. */
typedef void hs_say_fn(void *to, const struct hs_event *e);

/* A run begins.  state: what the model has kept so far, NULL at first; h NULL: the stream has
 * ended, and it keeps nothing.  Returns what it keeps from now on; NULL: it cannot follow this
 * core, and why says so. */
typedef void *hs_model_start_fn(void *state, const struct hs_header *h, char why[HS_ERROR]);
/* What the core says, event by event.  At an issue the model executes the next instruction of that
 * warp and says the issue (pc, active, exec, word) and what it does (write, pred, mem); from other
 * events it may take what nobody can compute.  False: it cannot go on, and why says so. */
typedef bool hs_model_step_fn(void *state, const struct hs_event *core, hs_say_fn *say, void *to,
                              char why[HS_ERROR]);
/* Whether two events that are not the same mean the same; one is NULL: only the other says it. */
typedef bool hs_model_compare_fn(void *state, const struct hs_event *core,
                                 const struct hs_event *model);
struct hs_model {
    hs_model_start_fn *start;
    hs_model_step_fn *step;
    hs_model_compare_fn *compare;        /* NULL: what is not the same differs */
};
/* Follows a core up to the first difference, which is printed.  Returns 1, or 0 where nothing
 * differs; -1: the stream cannot be read, or the model gave up, and error says which. */
#pragma GCC visibility push(default)
int hs_follow(struct hs_reader *core, const struct hs_model *model, const char *name[2], FILE *out,
              struct hs_diff *sum, char error[HS_ERROR]);
#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
