// {zeros, x << zeros}: how many zeros x begins with, 63 at most; its leading one comes to bit 62.
// SPDX-License-Identifier: Apache-2.0
function automatic [68:0] normalize(input [62:0] of);
  logic [62:0] x;
  logic [5:0]  zeros;
  begin
    x = of;
    for (int k = 5; k >= 0; k = k - 1) begin
      zeros[k] = x >> (63 - (1 << k)) == 63'd0;
      if (zeros[k]) x = x << (1 << k);
    end
    normalize = {zeros, x};
  end
endfunction
