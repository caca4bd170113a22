/* Whose instruction retires next, as rtl/fpga/predict.v expects it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PREDICT_H
#define PREDICT_H
#include <stdint.h>

/* Zeros when a grid begins. */
struct predict {
    struct { uint8_t slot, sure; } known[256];   /* after what the last five were */
    uint8_t after[32];                           /* each warp slot */
    uint8_t last;
    uint16_t path;                               /* of the last five */
};
/* The warp slot that is expected. */
unsigned predict_next(const struct predict *p);
/* This one it was. */
void predict_see(struct predict *p, unsigned slot);
#endif
