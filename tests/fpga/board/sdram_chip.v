// A chip of SDRAM, 16 bits wide, four banks, for simulation: a command that breaks a rule, or comes
// too soon, is reported and counted.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module sdram_chip #(
  parameter ROW_BITS = 13, COLUMN_BITS = 9,
            PERIOD = 83,                     // nanoseconds from one rising edge of clk to the next
            RCD = 20, RP = 20, RC = 70, RAS = 45, WR = 20, RFC = 70, REFRESH = 7813,
                POWER_UP = 200000
) (
  input  wire         clk, cke_i, cs_n_i, ras_n_i, cas_n_i, we_n_i,
  input  wire [1:0]   ba_i, dqm_i,
  input  wire [ROW_BITS-1:0] a_i,
  input  wire [15:0]  d_i,
  output logic [15:0] d_o,
  output logic [31:0] wrong_o                // rules that were broken
);
  localparam WORDS = 1 << (ROW_BITS + COLUMN_BITS + 2);
  logic [15:0] word_q [0:WORDS-1];
  logic [ROW_BITS-1:0] row_q [0:3];
  logic [3:0]  open_q;
  // When a bank was last opened, may be opened, and has been precharged or written to.
  longint now_q, opened_q [0:3], closed_q [0:3], written_q [0:3], busy_q, refreshed_q;
  int          refreshes_q;
  logic        ready_q, precharged_q;        // the mode is set
  logic [15:0] read_q;
  wire [3:0]   command = {cs_n_i, ras_n_i, cas_n_i, we_n_i};
  wire [ROW_BITS+COLUMN_BITS+1:0] at = {row_q[ba_i], ba_i, a_i[COLUMN_BITS-1:0]};
  initial begin
    {open_q, now_q, busy_q, refreshed_q, refreshes_q, wrong_o, ready_q, precharged_q} = '0;
    for (int b = 0; b < 4; b = b + 1) begin
      {row_q[b], opened_q[b], closed_q[b], written_q[b]} = '0;
    end
  end
`define RULE(x, what) \
    if (!(x)) begin \
      wrong_o <= wrong_o + 1; \
      $display("sdram: %0d ns: %s", now_q, what); \
    end
  always @(posedge clk) begin
    now_q  <= now_q + PERIOD;
    read_q <= 16'hdead;
    d_o    <= read_q;
    if (cke_i && !cs_n_i && command != 4'b0111) begin
      `RULE(now_q >= POWER_UP, "a command before it has power")
      `RULE(now_q >= busy_q, "a command while it refreshes or sets its mode")
      case (command)
        4'b0011: begin
          `RULE(ready_q, "a row before the mode is set")
          `RULE(!open_q[ba_i], "a row while one is open")
          `RULE(now_q >= closed_q[ba_i] + RP, "a row too soon after the precharge")
          `RULE(now_q >= opened_q[ba_i] + RC || opened_q[ba_i] == 0,
              "a row too soon after the one before")
          {open_q[ba_i], row_q[ba_i], opened_q[ba_i]} <= {1'b1, a_i, now_q};
        end
        4'b0101, 4'b0100: begin
          `RULE(open_q[ba_i], "a column of no row")
          `RULE(now_q >= opened_q[ba_i] + RCD, "a column too soon after its row")
          if (command[0])
            read_q <= word_q[at];
          else begin
            if (!dqm_i[0]) word_q[at][7:0] <= d_i[7:0];
            if (!dqm_i[1]) word_q[at][15:8] <= d_i[15:8];
            written_q[ba_i] <= now_q;
          end
          if (a_i[10]) begin
            `RULE(now_q >= opened_q[ba_i] + RAS, "a precharge too soon after the row")
            open_q[ba_i]   <= 1'b0;
            closed_q[ba_i] <= command[0] ? now_q : now_q + WR;
          end
        end
        4'b0010: begin
          `RULE(a_i[10] || !open_q[ba_i], "only all banks are precharged here")
          for (int b = 0; b < 4; b = b + 1) begin
            `RULE(!open_q[b] || (now_q >= opened_q[b] + RAS && now_q >= written_q[b] + WR),
                "a precharge too soon")
            closed_q[b] <= now_q;
          end
          open_q <= 4'd0;
          precharged_q <= 1'b1;
        end
        4'b0001: begin
          `RULE(precharged_q && open_q == 4'd0, "a refresh while a row is open")
          for (int b = 0; b < 4; b = b + 1)
            `RULE(now_q >= closed_q[b] + RP, "a refresh too soon after a precharge")
          busy_q      <= now_q + RFC;
          refreshed_q <= now_q;
          refreshes_q <= refreshes_q + 1;
        end
        4'b0000: begin
          `RULE(refreshes_q >= 8 && open_q == 4'd0, "a mode before eight refreshes")
          `RULE(a_i[6:0] == 7'b0100000, "a mode other than bursts of one, latency 2")
          ready_q <= 1'b1;
          busy_q  <= now_q + 2 * PERIOD;
        end
        default: `RULE(0, "a command that is none")
      endcase
    end
    // Eight refreshes may be late.
    `RULE(!ready_q || now_q - refreshed_q < 9 * REFRESH, "no refresh for too long")
  end
endmodule
`default_nettype wire
