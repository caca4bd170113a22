/* Sound localization: the direction from which microphones hear most, by steered response.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A direction's response is the sum over pairs of microphones of their correlation at the delay
 * that a sound from there would have.  Directions stand on rings of equal elevation, a degree
 * apart; a ring has as many as its length allows, so the cosine of its elevation. */
#ifndef PAPER_B_SL_H
#define PAPER_B_SL_H
#include "../paper_a/shared.h"

enum { SL_RINGS = 181, SL_MICROPHONES = 4, SL_PAIRS = 6, SL_DELAYS = 64 };
struct sl_ring { float sine, cosine; int directions; };
struct sl_pair { float x, y, z; };       /* from one microphone to the other, in samples of delay */
struct sl_best { float response; int direction; };

/* The delay of a pair for a direction, as an index. */
PA_FN int sl_delay(struct sl_pair p, float x, float y, float z)
{
    int d = (int)fmaf(p.x, x, fmaf(p.y, y, fmaf(p.z, z, 32.5f)));
    return d < 0 ? 0 : d > SL_DELAYS - 1 ? SL_DELAYS - 1 : d;
}
#endif
