// Warp events from Verilog, as lines of text (docs/stream.md): for Verilator and Icarus alike.
// SPDX-License-Identifier: Apache-2.0
//
// To be included in a module that has `localparam int LANES' and has opened `integer hs_f'; the
// header's lines are printed first, then `begin'.  With HS_DPI defined lines go to C (dpi.c), which
// writes the binary form.  Values of lanes are 64 bits each, lane 0 in the lowest; sets of warps
// name slots 0 to 63.
`ifdef HS_DPI
import "DPI-C" function void hs_dpi_line(input string line);
`define HS_PUT(text) hs_dpi_line(text)
`else
`define HS_PUT(text) $fdisplay(hs_f, "%0s", text)
`endif

// The values of the lanes of mask, with commas between.
function automatic string hs_list(input logic [63:0] mask, input logic [64*LANES-1:0] v);
  hs_list = "";
  for (int l = 0; l < LANES; l++)
    if (mask[l])
      if (hs_list == "") hs_list = $sformatf("%0h", v[64*l +: 64]);
      else hs_list = $sformatf("%0s,%0h", hs_list, v[64*l +: 64]);
endfunction
function automatic string hs_set(input logic [63:0] warps);
  hs_set = "";
  for (int k = 0; k < 64; k++)
    if (warps[k])
      if (hs_set == "") hs_set = $sformatf("%0d", k);
      else hs_set = $sformatf("%0s,%0d", hs_set, k);
endfunction

task hs_run(input string name);
  `HS_PUT($sformatf("run name=%0s", name));
endtask
task hs_start(input logic [63:0] cycle, input int warp, input logic [63:0] pc, mask);
  `HS_PUT($sformatf("start cycle=%0d warp=%0d pc=%0h mask=%0h index=%0d", cycle, warp, pc, mask,
      warp));
endtask
task hs_spawn(input logic [63:0] cycle, input int by, input logic [63:0] warps);
  `HS_PUT($sformatf("spawn cycle=%0d by=%0d warps=%0s", cycle, by, hs_set(warps)));
endtask
task hs_issue(input logic [63:0] cycle, input int warp, input logic [63:0] n, pc, active, exec);
  `HS_PUT($sformatf("issue cycle=%0d warp=%0d n=%0d pc=%0h active=%0h exec=%0h", cycle, warp, n,
      pc, active, exec));
endtask
// word: its first `bytes' bytes, the one at pc lowest; the header says `word BYTES'.
task hs_issue_word(input logic [63:0] cycle, input int warp, input logic [63:0] n, pc, active,
    exec, input int bytes, input logic [127:0] word);
  string issue;
  issue = $sformatf("issue cycle=%0d warp=%0d n=%0d pc=%0h", cycle, warp, n, pc);
  issue = $sformatf("%0s active=%0h exec=%0h word=", issue, active, exec);
  for (int k = 0; k < bytes; k++)
    issue = $sformatf("%0s%02h", issue, word[8*k +: 8]);
  `HS_PUT(issue);
endtask
task hs_read(input logic [63:0] cycle, input int warp, input logic [63:0] n, mask,
    input int register, input logic [64*LANES-1:0] val);
  `HS_PUT($sformatf("read cycle=%0d warp=%0d n=%0d mask=%0h reg=%0d val=%0s", cycle, warp, n, mask,
      register, hs_list(mask, val)));
endtask
task hs_write(input logic [63:0] cycle, input int warp, input logic [63:0] n, mask,
    input int register, input logic [64*LANES-1:0] val);
  `HS_PUT($sformatf("write cycle=%0d warp=%0d n=%0d mask=%0h reg=%0d val=%0s", cycle, warp, n,
      mask, register, hs_list(mask, val)));
endtask
task hs_pred(input logic [63:0] cycle, input int warp, input logic [63:0] n, mask,
    input int register, input logic [63:0] bits);
  `HS_PUT($sformatf("pred cycle=%0d warp=%0d n=%0d mask=%0h reg=%0d bits=%0h", cycle, warp, n,
      mask, register, bits));
endtask
// op: 1 load, 2 store, 3 atomic.  data: the bytes that val has of each lane, 0 or size.
task hs_mem(input logic [63:0] cycle, input int warp, input logic [63:0] n, mask, input int op,
    space, size, data,
            input logic [64*LANES-1:0] addr, val);
  // In two parts: of a format that is put together Verilator makes a number.
  string access;
  access = $sformatf("mem cycle=%0d warp=%0d n=%0d mask=%0h op=%0d space=%0d size=%0d", cycle,
      warp, n, mask, op, space, size);
  if (data != 0)
    `HS_PUT($sformatf("%0s data=%0d addr=%0s val=%0s", access, data, hs_list(mask, addr),
        hs_list(mask, val)));
  else
    `HS_PUT($sformatf("%0s addr=%0s", access, hs_list(mask, addr)));
endtask
task hs_retire(input logic [63:0] cycle, input int warp, input logic [63:0] n, mask,
    input logic last);
  `HS_PUT($sformatf("retire cycle=%0d warp=%0d n=%0d mask=%0h last=%0d", cycle, warp, n, mask,
      last));
endtask
task hs_next(input logic [63:0] cycle, input int warp, input logic [63:0] pc, mask);
  `HS_PUT($sformatf("next cycle=%0d warp=%0d pc=%0h mask=%0h", cycle, warp, pc, mask));
endtask
task hs_stop(input logic [63:0] cycle, input int warp, input logic [63:0] mask);      // event `end'
  `HS_PUT($sformatf("end cycle=%0d warp=%0d mask=%0h", cycle, warp, mask));
endtask
task hs_open(input logic [63:0] cycle, input int warp, input logic [63:0] token);
  `HS_PUT($sformatf("open cycle=%0d warp=%0d token=%0d", cycle, warp, token));
endtask
task hs_park(input logic [63:0] cycle, input int warp, input logic [63:0] pc, mask, token);
  `HS_PUT($sformatf("park cycle=%0d warp=%0d pc=%0h mask=%0h token=%0d", cycle, warp, pc, mask,
      token));
endtask
task hs_wake(input logic [63:0] cycle, input int warp, input logic [63:0] pc, mask, token);
  `HS_PUT($sformatf("wake cycle=%0d warp=%0d pc=%0h mask=%0h token=%0d", cycle, warp, pc, mask,
      token));
endtask
task hs_move(input logic [63:0] cycle, input int warp, input logic [63:0] pc, mask, token, to);
  string parked;
  parked = $sformatf("move cycle=%0d warp=%0d pc=%0h mask=%0h", cycle, warp, pc, mask);
  `HS_PUT($sformatf("%0s token=%0d to=%0d", parked, token, to));
endtask
task hs_close(input logic [63:0] cycle, input int warp, input logic [63:0] token);
  `HS_PUT($sformatf("close cycle=%0d warp=%0d token=%0d", cycle, warp, token));
endtask
task hs_arrive(input logic [63:0] cycle, input int warp, input logic [63:0] mask, barrier,
    input int need, input logic [63:0] generation);
  string arrival;
  arrival = $sformatf("arrive cycle=%0d warp=%0d mask=%0h", cycle, warp, mask);
  `HS_PUT($sformatf("%0s barrier=%0d need=%0d count=1 generation=%0d", arrival, barrier, need,
      generation));
endtask
task hs_release(input logic [63:0] cycle, barrier, input int need, input logic [63:0] generation,
    warps);
  `HS_PUT($sformatf("release cycle=%0d barrier=%0d need=%0d generation=%0d warps=%0s", cycle,
      barrier, need, generation, hs_set(warps)));
endtask
task hs_fault(input logic [63:0] cycle, input int warp, input logic [63:0] n, pc, mask);
  `HS_PUT($sformatf("fault cycle=%0d warp=%0d n=%0d pc=%0h mask=%0h", cycle, warp, n, pc, mask));
endtask
task hs_finish(input logic [63:0] cycle, input logic busy);
  `HS_PUT($sformatf("finish cycle=%0d busy=%0d", cycle, busy));
  `HS_PUT("end-of-stream");
endtask
