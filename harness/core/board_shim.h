/* What a simulated board (rtl/fpga/board.v) looks like from C: clock, link, memory port.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_SHIM_H
#define BOARD_SHIM_H
#include "harness/core/axi_rules.h"

#ifdef __cplusplus
extern "C" {
#endif
struct board_ports {
    uint8_t *clk, *rst_n;
    /* the link's bytes to the board, and from it */
    uint8_t *rx_valid, *rx_byte, *tx_ready;
    const uint8_t *rx_ready, *tx_valid, *tx_byte;
    const uint8_t *stands;           /* the core does not get the next clock */
    struct axi_port mem;
};
typedef struct board_top board_top;
struct board_calls {
    board_top *(*new_board)(struct board_ports *ports);
    void (*free_board)(board_top *b);
    void (*eval)(board_top *b);
};
extern const struct board_calls board_calls;
#ifdef __cplusplus
}
#endif
#endif
