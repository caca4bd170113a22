// With four tokens on chip a fifth push spills four to memory, and the pop that needs them fills them back.
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 1:12
// DEPTH: 4
.mode stack
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    SSY a
    SSY b
    SSY c
    SSY d
    SSY e
    NOP.S
e:
    NOP.S
d:
    NOP.S
c:
    NOP.S
b:
    NOP.S
a:
    EXIT
