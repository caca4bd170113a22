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
board_top *board_new(struct board_ports *ports);
void board_free(board_top *b);
void board_eval(board_top *b);
/* A checksum of the sources that the library was made of, as a number in text. */
const char *rtl_sources(void);
#ifdef __cplusplus
}
#endif
#endif
