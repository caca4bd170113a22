/* What this build of Heddle can do on its host: messages and what needs it ask here.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CAN_H
#define CAN_H
#include <stdbool.h>

struct can {
    bool processes;      /* run others: clang, GTKWave, children that stand for a moment */
    bool traced;         /* load a core that writes its own wires into a waveform */
    bool links;          /* say where a page shows a failing kernel: not in the page itself */
};
extern const struct can can;
#endif
