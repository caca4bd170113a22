// Whether f32 and f64 units round away from zero, where a value's last kept bit is odd, and half of
// that bit's weight and something below that are cut off; include it inside a module, after
// isa_gen.vh.
// SPDX-License-Identifier: Apache-2.0
function automatic round_up(input [1:0] rm, input sign, odd, half, rest);
  case (rm)
    RM_RN:   round_up = half && (rest || odd);
    RM_RZ:   round_up = 1'b0;
    RM_RP:   round_up = !sign && (half || rest);
    default: round_up = sign && (half || rest);
  endcase
endfunction
