// fuzz: replay: heddle fuzz --replay fuzz-20261122-10136-small.s
// fuzz: result the core writes tokens to 0x02002000 that no instruction has spilled
// fuzz: seed 87020856370276248
// fuzz: level machine
// fuzz: mode stack
// fuzz: wild 8
// fuzz: lanes 32
// fuzz: stack-depth 4
// fuzz: mem-seed 0
// fuzz: data-seed 1242759631207250091
// fuzz: bus-seed 0
// fuzz: grid 1,1,1
// fuzz: block 81,1,1
// fuzz: stop 180
// fuzz: start-again 1189
.mode stack
.text

.func k 528
.kernel k
.regs 255
.barriers 16
.shared 4096
.local 64
.maxthreads 0
.param in u64 8 0
.param out u64 8 8
.param sum u64 8 16
.paramsize 24
    LDC.64 R80, [RZ]                                     // 0000
    S2R R72, SR_TID_X                                    // 0010
    IMAD R70, RZ, 0x0, R72                               // 0020
    LOP.AND R73, R70, 0x3f                               // 0030
    IMAD.W.U32 R64, R73, 0x40, R80                       // 0040
    LDG.128 R0, [R64]                                    // 0050
    NOP                                                  // 0060
    SHL R71, R72, 0x4                                    // 0070
    NOP                                                  // 0080
    STS.128 [R71], RZ                                    // 0090
    STL.U8 [RZ], RZ                                      // 00a0
    ISETP.GE.U32.AND P0, R0, 0x80000000, PT              // 00b0
    NOP                                                  // 00c0
    NOP                                                  // 00d0
    NOP                                                  // 00e0
    SSY 0x5fb6a910                                       // 00f0
    SSY 0x210                                            // 0100
    SSY 0x2488f9c0                                       // 0110
    NOP                                                  // 0120
    NOP                                                  // 0130
    NOP                                                  // 0140
    NOP                                                  // 0150
    NOP                                                  // 0160
    NOP                                                  // 0170
    NOP                                                  // 0180
    NOP                                                  // 0190
    NOP                                                  // 01a0
    NOP                                                  // 01b0
    @P0 LOP.XOR R73, RZ, 0x1                             // 01c0
    NOP                                                  // 01d0
    NOP                                                  // 01e0
    NOP                                                  // 01f0
    CAL.R R73                                            // 0200

.const

.global
.galign 16
// fuzz: end
