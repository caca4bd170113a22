// The SDRAM's controller, its chip, and a master that asks at random: what was written is read, by
// bytes, and the chip's rules are kept.  The last line says how much was compared.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`timescale 1ns/1ps
module sdram_tb;
  parameter KHZ = 12000, PERIOD = 83, ASKED = 4000;
  localparam SPAN = 16;                      // sectors of each of 16 places
  reg          clk = 0, rst_n = 0;
  always #(PERIOD / 2.0) clk = !clk;
  reg          arvalid = 0, awvalid = 0, wvalid = 0, rready = 0, bready = 0, wrong_place = 0;
  reg  [24:0]  araddr = 0, awaddr = 0;
  reg  [4:0]   arid = 0, awid = 0;
  reg  [7:0]   arlen = 0;
  reg  [255:0] wdata = 0;
  reg  [31:0]  wstrb = 0;
  wire         arready, awready, wready, rvalid, rlast, bvalid, cke, cs_n, ras_n, cas_n, we_n,
      drive;
  wire [4:0]   id;
  wire [1:0]   resp, ba, dqm;
  wire [255:0] rdata;
  wire [12:0]  a;
  wire [15:0]  to_chip, from_chip;
  wire [31:0]  broken;
  sdram #(.KHZ(KHZ)) u_sdram (
    .clk(clk), .rst_n(rst_n), .arvalid_i(arvalid), .ar_wrong_i(wrong_place), .awvalid_i(awvalid),
        .aw_wrong_i(wrong_place),
    .wvalid_i(wvalid), .rready_i(rready), .bready_i(bready), .araddr_i(araddr), .awaddr_i(awaddr),
        .arid_i(arid),
    .awid_i(awid), .arlen_i(arlen), .wdata_i(wdata), .wstrb_i(wstrb), .arready_o(arready),
        .awready_o(awready),
    .wready_o(wready), .rvalid_o(rvalid), .rlast_o(rlast), .bvalid_o(bvalid), .id_o(id),
        .resp_o(resp), .rdata_o(rdata),
    .cke_o(cke), .cs_n_o(cs_n), .ras_n_o(ras_n), .cas_n_o(cas_n), .we_n_o(we_n), .ba_o(ba),
        .dqm_o(dqm), .a_o(a),
    .d_o(to_chip), .d_drive_o(drive), .d_i(from_chip)
  );
  sdram_chip #(.PERIOD(PERIOD)) u_chip (
    .clk(!clk), .cke_i(cke), .cs_n_i(cs_n), .ras_n_i(ras_n), .cas_n_i(cas_n), .we_n_i(we_n),
        .ba_i(ba), .dqm_i(dqm),
    .a_i(a), .d_i(drive ? to_chip : 16'hbeef), .d_o(from_chip), .wrong_o(broken)
  );
  // Sector k lies in place k / SPAN, of which none shares all of its bits with another.
  reg  [255:0] want [0:16*SPAN];
  reg  [16*SPAN:0] known = 0;
  function [24:0] at(input integer k);
    at = {4'(k / SPAN), 4'(k / SPAN * 7), 4'(k / SPAN * 3), 8'(k % SPAN), 5'd0};
  endfunction
  integer      k, n, beat, compared = 0, writes = 0, errors = 0, cycles = 0;
  reg  [255:0] mask;
  function [255:0] random256(input integer unused);
    for (int i = 0; i < 8; i = i + 1) random256[32*i +: 32] = $urandom;
  endfunction
  always @(posedge clk) begin
    cycles <= cycles + 1;
    if (cycles > 400 * ASKED) begin
      $display("sdram: no answer: state %0d, %0d asked", u_sdram.state_q, n);
      $finish;
    end
  end
  initial begin
    repeat (5) @(posedge clk);
    rst_n <= 1;
    for (n = 0; n < ASKED; n = n + 1) begin
      k = $urandom % (16 * SPAN);
      wrong_place <= $urandom % 32 == 0;
      if (!known[k] || $urandom % 2 == 0) begin
        // a write, of all bytes where nothing is known
        wdata  = random256(0);
        wstrb  = known[k] ? $urandom : 32'hffffffff;
        awid   <= 5'($urandom);
        awaddr <= at(k);
        {awvalid, wvalid} <= 2'b11;
        do @(posedge clk); while (!awready || !wready);
        {awvalid, wvalid} <= 2'b00;
        while ($urandom % 3 == 0) @(posedge clk);
        bready <= 1;
        do @(posedge clk); while (!bvalid);
        bready <= 0;
        if (id != awid || resp != {wrong_place, 1'b0}) errors = errors + 1;
        if (!wrong_place) begin
          for (int i = 0; i < 32; i = i + 1) mask[8*i +: 8] = {8{wstrb[i]}};
          want[k]  = (want[k] & ~mask) | (wdata & mask);
          known[k] = 1;
          writes   = writes + 1;
        end
      end else begin
        arid   <= 5'($urandom);
        arlen  <= k % SPAN != SPAN - 1 && known[k+1] ? 8'($urandom % 2) : 8'd0;
        araddr <= at(k);
        arvalid <= 1;
        do @(posedge clk); while (!arready);
        arvalid <= 0;
        for (beat = 0; beat <= arlen; beat = beat + 1) begin
          while ($urandom % 3 == 0) @(posedge clk);
          rready <= 1;
          do @(posedge clk); while (!rvalid);
          rready <= 0;
          if (id != arid || resp != {wrong_place, 1'b0} ||
              rlast != (beat == arlen)) errors = errors + 1;
          if (!wrong_place && rdata !== want[k + beat]) begin
            if (errors == 0) $display("sdram: sector %0d: %h, not %h", k + beat, rdata,
                want[k + beat]);
            errors = errors + 1;
          end
          compared = compared + 1;
        end
      end
    end
    repeat (20) @(posedge clk);
    $write("sdram: %0d kHz: %0d sectors written, %0d compared, ", KHZ, writes, compared);
    $display("%0d errors, %0d rules broken, %0d refreshes", errors, broken, u_chip.refreshes_q);
    $finish;
  end
endmodule
`default_nettype wire
