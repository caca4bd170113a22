// A clock, the core, its probe, and a program: spawn, split and join in two levels, a barrier,
// loads and products.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`timescale 1ns/1ns
module bench;
  parameter int PLANT = 0;
  logic clk = 1'b0, rst = 1'b1;
  logic busy;
  always #1 clk = !clk;
  shuttle #(.PLANT(PLANT)) core (.clk(clk), .rst(rst), .busy(busy));
  probe watch ();

  localparam bit [5:0] ADDI = 0, ADD = 1, SLT = 2, MUL = 3, LW = 4, SW = 5, LANE = 6, WARP = 7,
                       JUMP = 8, BEQZ = 9, SPLIT = 10, JOIN = 11, TMC = 12, SPAWN = 13, BAR = 14;
  int at = 0;
  string program_file;
  task i(input logic [5:0] op, input logic [3:0] rd, ra, rb, input logic [13:0] imm);
    core.code[at] = {op, rd, ra, rb, imm};
    at = at + 1;
  endtask
  initial begin
    for (int k = 0; k < 256; k++) begin
      core.code[k] = {TMC, 26'd0};
      core.data[k] = 32'd0;
    end
    i(ADDI, 1, 0, 0, 4);                     //  0: four warps
    i(SPAWN, 0, 1, 0, 4*2);                  //  1
    i(ADDI, 2, 0, 0, 15);                    //  2: all lanes
    i(TMC, 0, 2, 0, 0);                      //  3
    i(ADDI, 1, 0, 0, 4);                     //  4
    i(LANE, 3, 0, 0, 0);                     //  5
    i(WARP, 4, 0, 0, 0);                     //  6
    i(MUL, 5, 4, 1, 0);                      //  7: 4 * warp
    i(ADDI, 13, 0, 0, 3);                    //  8: ends before it
    i(ADD, 6, 5, 3, 0);                      //  9: number of the thread
    i(MUL, 7, 6, 6, 0);                      // 10: its square
    i(ADD, 8, 6, 6, 0);                      // 11
    i(ADD, 8, 8, 8, 0);                      // 12: its place in memory
    i(SW, 0, 8, 7, 0);                       // 13
    i(BAR, 0, 0, 1, 2);                      // 14: all have stored
    i(BEQZ, 0, 4, 0, 4*17);                  // 15: warp 0
    i(JUMP, 0, 0, 0, 4*18);                  // 16
    i(SPAWN, 0, 1, 0, 4*2);                  // 17:   all of them run: none may start again
    i(LW, 9, 8, 0, 0);                       // 18
    i(LW, 10, 8, 0, 4);                      // 19: the neighbour's
    i(ADDI, 11, 0, 0, 2);                    // 20
    i(SLT, 12, 3, 11, 0);                    // 21: lanes 0 and 1
    i(SPLIT, 0, 12, 0, 4*28);                // 22
    i(ADDI, 14, 9, 0, 1);                    // 23:   they add one
    i(SPLIT, 0, 3, 0, 4*26);                 // 24:   lane 1 once more
    i(ADDI, 14, 14, 0, 10);                  // 25
    i(JOIN, 0, 0, 0, 0);                     // 26
    i(JUMP, 0, 0, 0, 4*30);                  // 27
    i(ADD, 14, 9, 10, 0);                    // 28:   the others add the neighbour's
    i(MUL, 14, 14, 11, 0);                   // 29:   and double it
    i(JOIN, 0, 0, 0, 0);                     // 30
    i(ADDI, 13, 13, 0, 14'h3fff);            // 31: three times
    i(ADD, 14, 14, 13, 0);                   // 32
    i(BEQZ, 0, 13, 0, 4*35);                 // 33
    i(JUMP, 0, 0, 0, 4*31);                  // 34
    i(SW, 0, 8, 14, 256);                    // 35
    i(BAR, 0, 0, 1, 2);                      // 36
    i(LW, 9, 8, 0, 256);                     // 37
    i(ADD, 9, 9, 14, 0);                     // 38
    i(SW, 0, 8, 9, 512);                     // 39
    i(ADDI, 2, 0, 0, 0);                     // 40
    i(TMC, 0, 2, 0, 0);                      // 41: the end
    if ($value$plusargs("program=%s", program_file)) $writememh(program_file, core.code);
    repeat (4) @(posedge clk);
    @(negedge clk) rst = 1'b0;
  end
endmodule
