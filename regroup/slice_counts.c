/* What a slice's run says of the kernel.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Branches over what was dropped begin blocks of their own, which are part of those that begin
 * before them. */
#include "regroup/regroup.h"
#include "cmodel/image/image.h"
#include <stdlib.h>
#include <string.h>

/* The block that begins at pc; nblocks: none does. */
static uint32_t at(const struct slice *s, uint32_t pc)
{
    uint32_t lo = 0, hi = s->nblocks;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (s->pc[mid] < pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < s->nblocks && s->pc[lo] == pc ? lo : s->nblocks;
}

static void add(const struct slice *s, uint32_t k, uint64_t executions, struct slice_work *w,
                uint64_t *most)
{
    w->slice += executions * s->executed[k];
    w->kernel += executions * s->insns[k];
    if (executions * s->executed[k] > *most) {
        *most = executions * s->executed[k];
        w->most = s->pc[k];
    }
}

struct slice_work slice_work(const struct slice *s, const uint64_t *executions)
{
    struct slice_work w = { 0 };
    uint64_t most = 0;
    for (uint32_t k = 0; k < s->nblocks; k++)
        add(s, k, executions[k], &w, &most);
    return w;
}

void slice_see(const struct slice *s, uint32_t pc, uint64_t *executions)
{
    uint32_t k = at(s, pc);
    if (k < s->nblocks)
        executions[k]++;
}

struct slice_work slice_counts(const struct slice *s, const struct hd_image *img, struct bbv *b)
{
    struct slice_work w = { 0 };
    uint64_t most = 0;
    uint32_t n = 0;
    for (uint32_t k = 0; k < b->nblocks; k++) {
        uint32_t mine = at(s, b->blocks[k].pc);
        if (mine == s->nblocks) {
            free(b->blocks[k].name);
            continue;
        }
        add(s, mine, b->blocks[k].executions, &w, &most);
        b->blocks[k].insns = s->insns[mine];
        b->blocks[n++] = b->blocks[k];
    }
    b->nblocks = n;
    b->shape = hd_image_shape(img);
    return w;
}
