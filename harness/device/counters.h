/* Counters from commit records.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef COUNTERS_H
#define COUNTERS_H
#include <stdbool.h>
#include "cmodel/heddle.h"
#include "cmodel/machine/launch.h"

struct tally {
    struct hd_counters *count;
    bool stack_mode;
    uint8_t wait[LAUNCH_WARPS][HD_LANES];        /* of each warp slot, after its last record */
};
/* Records in commit order. */
void tally_add(struct tally *t, const struct hd_commit *c);
#endif
