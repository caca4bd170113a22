// How wide a physical address is: HD_ADDR_BITS of cmodel/places.h, unless a build for a small core
// gives fewer (32 at least).  An address with a bit above them is in no range, so it faults.
// Generic addresses have GENERIC_BITS in every core: what they name is the same everywhere.
// SPDX-License-Identifier: Apache-2.0
`ifndef ADDRESS_VH
`define ADDRESS_VH
`ifndef ADDR_BITS
`define ADDR_BITS 40
`endif
`define GENERIC_BITS 40
`endif
