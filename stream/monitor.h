/* The monitor: checks a stream with no model and no knowledge of the instruction set.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef STREAM_MONITOR_H
#define STREAM_MONITOR_H
#include "stream/stream.h"
#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum hs_rule {
#define RULE(name, needs, sentence) HS_RULE_##name,
#include "stream/rules.def"
#undef RULE
    HS_RULES
};
extern const char *const hs_rule_name[HS_RULES], *const hs_rule_sentence[HS_RULES];
/* The kinds of events that it needs, as rules.def has them. */
extern const char *const hs_rule_needs[HS_RULES];

struct hs_monitor;
/* quiet: cycles for which a warp with running lanes may not issue. */
struct hs_monitor *hs_monitor_open(const struct hs_header *h, uint64_t quiet);
void hs_monitor_close(struct hs_monitor *m);
/* False: a rule is broken; hs_broken says which, and how.  Nothing may be added after that. */
bool hs_monitor_add(struct hs_monitor *m, const struct hs_event *e);
/* After the last event; false: the run has no end. */
bool hs_monitor_end(struct hs_monitor *m);
const char *hs_broken(const struct hs_monitor *m, enum hs_rule *rule);
uint64_t hs_instructions(const struct hs_monitor *m);
uint64_t hs_checks(const struct hs_monitor *m, enum hs_rule rule);
/* Why a rule says nothing of this stream; NULL: it says something. */
const char *hs_empty(const struct hs_monitor *m, enum hs_rule rule);
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
