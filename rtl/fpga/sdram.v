// A memory of one SDRAM chip, 16 bits wide, behind AXI4: one transaction at a time, of sectors of
// 32 bytes, which are 16 commands to an open row each.  A row is closed after its sector, so banks
// need no book-keeping.  The chip's clock is the inverse of ours: what we say in a cycle it sees in
// the middle of the next, and its data is there two of our edges later.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module sdram #(
  parameter KHZ = 12000,                     // our clock, 4,000 to 50,000: for microseconds
            ROW_BITS = 13, COLUMN_BITS = 9
) (
  input  wire         clk, rst_n,
  // memory: bytes of the chip; wrong: no such place, answered with an error
  input  wire         arvalid_i, ar_wrong_i, awvalid_i, aw_wrong_i, wvalid_i, rready_i, bready_i,
  input  wire [ROW_BITS+COLUMN_BITS+2:0] araddr_i, awaddr_i,
  input  wire [4:0]   arid_i, awid_i,
  input  wire [7:0]   arlen_i,
  input  wire [255:0] wdata_i,
  input  wire [31:0]  wstrb_i,
  output wire         arready_o, awready_o, wready_o, rvalid_o, rlast_o, bvalid_o,
  output wire [4:0]   id_o,
  output wire [1:0]   resp_o,
  output wire [255:0] rdata_o,
  // the chip, whose clock is our inverse
  output logic        cke_o, cs_n_o, ras_n_o, cas_n_o, we_n_o,
  output logic [1:0]  ba_o, dqm_o,
  output logic [ROW_BITS-1:0] a_o,
  output logic [15:0] d_o,
  output logic        d_drive_o,
  input  wire [15:0]  d_i
);
  localparam SECTOR_BITS = ROW_BITS + COLUMN_BITS + 2 - 4;
  localparam [3:0] S_START = 4'd0, S_PRECHARGE = 4'd1, S_MODE = 4'd2, S_IDLE = 4'd3,
      S_ACTIVE = 4'd4, S_COLUMNS = 4'd5, S_DRAIN = 4'd6, S_ANSWER = 4'd7, S_REFRESH = 4'd8;
  // {cs, ras, cas, we}, each inverted
  localparam [3:0] C_NOP = 4'b0111, C_MODE = 4'b0000, C_REFRESH = 4'b0001, C_PRECHARGE = 4'b0010,
      C_ACTIVE = 4'b0011, C_WRITE = 4'b0100, C_READ = 4'b0101;
  // What a chip of 143 MHz needs (tRP 20 ns, tRC and tRFC 70; tRCD 20 is one cycle), in cycles of
  // at least 20 ns.
  localparam [3:0] RP = 4'd2, RFC = 4'd4, MRD = 4'd2;
  localparam [15:0] POWER_UP = 16'(KHZ * 210 / 1000), EVERY = 16'(KHZ * 7 / 1000);
  logic [3:0]  state_q, wait_q, refreshes_q;
  logic [15:0] due_q;                        // cycles until a refresh is, or the chip has power
  logic        owed_q, writes_q, wrong_q, turn_q;
  logic [4:0]  id_q;
  logic [7:0]  left_q;                       // beats after this one
  logic [SECTOR_BITS-1:0] sector_q;
  logic [3:0]  word_q;
  logic [255:0] data_q;
  logic [31:0] strb_q;
  logic [1:0]  coming_q;
  wire  waits = |wait_q;
  wire  idle  = state_q == S_IDLE && !owed_q && !waits;
  wire  write = idle && awvalid_i && wvalid_i && (turn_q || !arvalid_i);
  wire  read  = idle && arvalid_i && !write;
  assign {awready_o, wready_o, arready_o} = {write, write, read};
  assign rvalid_o = state_q == S_ANSWER && !writes_q;
  assign bvalid_o = state_q == S_ANSWER && writes_q;
  assign rlast_o  = left_q == 8'd0;
  assign id_o     = id_q;
  assign resp_o   = {wrong_q, 1'b0};
  assign rdata_o  = data_q;
  logic [3:0]  command;
  logic [ROW_BITS-1:0] address;
  always_comb begin
    command = C_NOP;
    address = '0;
    if (!waits)
      case (state_q)
        S_PRECHARGE: begin
          command = C_PRECHARGE;
          address[10] = 1'b1;
        end
        S_REFRESH: command = C_REFRESH;
        S_MODE: begin
          command = C_MODE;                  // bursts of one, latency 2
          address[5:4] = 2'd2;
        end
        S_ACTIVE: begin
          command = C_ACTIVE;
          address = sector_q[SECTOR_BITS-1 -: ROW_BITS];
        end
        S_COLUMNS: begin
          command = writes_q ? C_WRITE : C_READ;
          address[COLUMN_BITS-1:0] = {sector_q[COLUMN_BITS-5:0], word_q};
          address[10] = word_q == 4'd15;     // the row is closed
        end
        default: ;
      endcase
  end
  always @(posedge clk) begin
    cke_o <= 1'b1;
    {cs_n_o, ras_n_o, cas_n_o, we_n_o} <= command;
    a_o       <= address;
    ba_o      <= sector_q[COLUMN_BITS-3 -: 2];
    d_o       <= data_q[15:0];
    d_drive_o <= command == C_WRITE;
    dqm_o     <= command == C_WRITE ? ~strb_q[1:0] : 2'd0;
    wait_q    <= wait_q - 4'(waits);
    due_q     <= due_q == 16'd0 ? EVERY - 16'd1 : due_q - 16'd1;
    owed_q    <= owed_q || due_q == 16'd0;
    coming_q  <= {coming_q[0], command == C_READ};
    if (coming_q[1] || command == C_WRITE)
      {strb_q, data_q} <= {2'd0, strb_q[31:2], d_i, data_q[255:16]};
    if (!waits)
      case (state_q)
        S_START:
          if (owed_q)
            state_q <= S_PRECHARGE;
        S_PRECHARGE: {state_q, wait_q, refreshes_q} <= {S_REFRESH, RP, 4'd8};
        S_REFRESH: begin
          {wait_q, refreshes_q} <= {RFC, refreshes_q - 4'd1};
          if (refreshes_q == 4'd1)
            state_q <= S_MODE;
          if (refreshes_q == 4'd0)
            {state_q, refreshes_q, owed_q} <= {S_IDLE, 5'd0};
        end
        S_MODE: {state_q, wait_q, owed_q, refreshes_q} <= {S_IDLE, MRD, 5'd0};
        S_IDLE: begin
          writes_q <= write;
          word_q   <= 4'd0;
          if (owed_q)
            state_q <= S_REFRESH;
          else if (write || read) begin
            turn_q   <= read;
            id_q     <= write ? awid_i : arid_i;
            left_q   <= write ? 8'd0 : arlen_i;
            wrong_q  <= write ? aw_wrong_i : ar_wrong_i;
            sector_q <= write ? awaddr_i[5 +: SECTOR_BITS] : araddr_i[5 +: SECTOR_BITS];
            state_q  <= (write ? aw_wrong_i : ar_wrong_i) ? S_ANSWER : S_ACTIVE;
            if (write)
              {strb_q, data_q} <= {wstrb_i, wdata_i};
          end
        end
        S_ACTIVE: state_q <= S_COLUMNS;
        S_COLUMNS: begin
          word_q <= word_q + 4'd1;
          if (word_q == 4'd15)
            {state_q, wait_q} <= {S_DRAIN, RP};        // last data, or what a write needs
        end
        S_DRAIN: {state_q, wait_q} <= {S_ANSWER, 4'd0};
        S_ANSWER:
          if (writes_q ? bready_i : rready_i) begin
            sector_q <= sector_q + SECTOR_BITS'(1);
            left_q   <= left_q - 8'd1;
            state_q  <= left_q == 8'd0 ? S_IDLE : wrong_q ? S_ANSWER : S_ACTIVE;
          end
        default: state_q <= S_START;
      endcase
    if (!rst_n) begin
      {state_q, wait_q, owed_q, turn_q, coming_q, cke_o, d_drive_o} <= '0;
      {cs_n_o, ras_n_o, cas_n_o, we_n_o, dqm_o} <= 6'h3f;
      {writes_q, wrong_q, left_q} <= '0;
      due_q <= POWER_UP;
    end
  end
  wire unused = &{1'b0, araddr_i[4:0], awaddr_i[4:0]};
endmodule
`default_nettype wire
