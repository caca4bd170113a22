/* Frees block counts.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/bbv.h"
#include "cmodel/base/spill.h"
#include <stdlib.h>

void bbv_free(struct bbv *b)
{
    if (!b)
        return;
    for (uint32_t i = 0; b->blocks && i < b->nblocks; i++)
        free(b->blocks[i].name);
    free(b->blocks);
    spill_free(b->within, b->counts);
    spill_free(b->within, b->of);
    free(b);
}
