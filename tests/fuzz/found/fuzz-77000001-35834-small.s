// fuzz: replay: heddle fuzz --replay fuzz-77000001-35834-small.s
// fuzz: result register CYCLES reads 874, the fault was in cycle 873
// fuzz: seed 330712486087003130
// fuzz: level machine
// fuzz: mode stack
// fuzz: wild 11
// fuzz: lanes 32
// fuzz: stack-depth 4
// fuzz: mem-seed 0
// fuzz: data-seed 780169465016324407
// fuzz: bus-seed 0
// fuzz: grid 1,1,1
// fuzz: block 26,1,1
// fuzz: stop 134
// fuzz: start-again 112
.mode stack
.text

.func k 912
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
    NOP                                                  // 0010
    NOP                                                  // 0020
    NOP                                                  // 0030
    NOP                                                  // 0040
    NOP                                                  // 0050
    NOP                                                  // 0060
    S2R R73, SR_LANEID                                   // 0070
    IMAD.W.U32 R64, R73, 0x40, R80                       // 0080
    LDG.128 R16, [R64]                                   // 0090
    LDG.128 R20, [R64+0x10]                              // 00a0
    NOP                                                  // 00b0
    NOP                                                  // 00c0
    NOP                                                  // 00d0
    NOP                                                  // 00e0
    NOP                                                  // 00f0
    NOP                                                  // 0100
    NOP                                                  // 0110
    NOP                                                  // 0120
    NOP                                                  // 0130
    ISETP.LT.U32.AND P1, R17, 0x80000000, PT             // 0140
    NOP                                                  // 0150
    ISETP.LT.U32.AND P3, R19, 0x80000000, PT             // 0160
    S2R R74, SR_LANEID                                   // 0170
    NOP                                                  // 0180
    NOP                                                  // 0190
    NOP                                                  // 01a0
    NOP                                                  // 01b0
    ISETP.LT.U32.AND P2, R22, 0xf459a583, PT             // 01c0
    @P2 BRA .L_0200                                      // 01d0
    NOP                                                  // 01e0
    NOP                                                  // 01f0
.L_0200:
    NOP                                                  // 0200
    @P3 BRA .L_0260                                      // 0210
    NOP                                                  // 0220
    ISETP.LT.U32.AND P2, R74, 0x13, PT                   // 0230
    @P2 BRA .L_0280                                      // 0240
    BRA .L_0270                                          // 0250
.L_0260:
    ISETP.EQ.U32.AND P1, RZ, 0x1, PT                     // 0260
.L_0270:
    @P1 BRA .L_0290                                      // 0270
.L_0280:
    NOP                                                  // 0280
.L_0290:
    NOP                                                  // 0290
    @P1 BRA .L_02e0                                      // 02a0
    NOP                                                  // 02b0
    NOP                                                  // 02c0
    NOP                                                  // 02d0
.L_02e0:
    NOP                                                  // 02e0
    NOP                                                  // 02f0
    @!P1 BRA .L_0320                                     // 0300
    BRA .L_0370                                          // 0310
.L_0320:
    NOP                                                  // 0320
    NOP                                                  // 0330
    NOP                                                  // 0340
    NOP                                                  // 0350
    NOP                                                  // 0360
.L_0370:
    NOP                                                  // 0370
    IMAD.S RZ, RZ, 0x0, RZ                               // 0380

.const

.global
.galign 16
// fuzz: end
