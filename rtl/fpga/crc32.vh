// CRC-32 as zlib's crc32(), a byte at a time; the register begins as all ones and is sent inverted.
// SPDX-License-Identifier: Apache-2.0
function automatic [31:0] crc32(input [31:0] crc, input [7:0] data);
  crc32 = crc ^ {24'd0, data};
  for (int i = 0; i < 8; i = i + 1)
    crc32 = {1'b0, crc32[31:1]} ^ (crc32[0] ? 32'hedb88320 : 32'd0);
endfunction
