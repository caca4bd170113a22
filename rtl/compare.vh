// The outcome of a comparison of floating-point numbers; include it inside a module, after
// isa_gen.vh.
// SPDX-License-Identifier: Apache-2.0
function automatic compare(input [3:0] fcmp, input equal, less, nan);
  case (fcmp)
    FCMP_EQ, FCMP_EQU: compare = equal;
    FCMP_NE, FCMP_NEU: compare = !equal;
    FCMP_LT, FCMP_LTU: compare = less && !equal;
    FCMP_LE, FCMP_LEU: compare = less || equal;
    FCMP_GT, FCMP_GTU: compare = !less && !equal;
    FCMP_GE, FCMP_GEU: compare = !less || equal;
    default:           compare = fcmp == FCMP_NUM;
  endcase
  if (nan) compare = fcmp == FCMP_NAN || fcmp >= FCMP_EQU;
endfunction
