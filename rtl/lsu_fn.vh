// The lowest lane of a mask; include it inside a module of the LSU.
// SPDX-License-Identifier: Apache-2.0
function automatic [4:0] lowest(input [31:0] m);
  reg [31:0] one;
  begin
    one = m & (~m + 32'd1);
    lowest = {|(one & 32'hffff0000), |(one & 32'hff00ff00), |(one & 32'hf0f0f0f0),
              |(one & 32'hcccccccc), |(one & 32'haaaaaaaa)};
  end
endfunction
