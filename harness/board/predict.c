/* Whose instruction retires next: see predict.h.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Who did when the last five were last as they are now, if that was so more than once; else who did
 * after the last one.  rtl/fpga/predict.v must be equal to the bit. */
#include "harness/board/predict.h"

enum { SURE = 3, PATH = 0x3ff };

static unsigned at(const struct predict *p) { return (p->path & 0xff) ^ p->path >> 8; }

unsigned predict_next(const struct predict *p)
{
    const unsigned i = at(p);
    return p->known[i].sure ? p->known[i].slot : p->after[p->last];
}

void predict_see(struct predict *p, unsigned slot)
{
    const unsigned i = at(p);
    if (p->known[i].slot == slot)
        p->known[i].sure += p->known[i].sure < SURE;
    else if (p->known[i].sure)
        p->known[i].sure--;
    else
        p->known[i].slot = (uint8_t)slot;
    p->after[p->last] = (uint8_t)slot;
    p->last = (uint8_t)slot;
    p->path = (uint16_t)((p->path << 2 ^ slot) & PATH);
}
