// fuzz: replay: heddle fuzz --replay fuzz-20261122-280-small.s
// fuzz: result after the end, register STATUS (0x004) reads 0x00000001, it should be 0x00000000
// fuzz: seed 87020856370266392
// fuzz: level machine
// fuzz: mode stack
// fuzz: wild 6
// fuzz: lanes 32
// fuzz: stack-depth 16
// fuzz: mem-seed 0
// fuzz: data-seed 0
// fuzz: bus-seed 0
// fuzz: grid 1,1,1
// fuzz: block 3,1,1
// fuzz: start-again 538
.mode stack
.text

.func k 272
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
    LDC.64 R66, [RZ]                                     // 0010
    IMAD.W.U32 R64, RZ, 0x0, R80                         // 0020
    S2R RZ, SR_LANEID                                    // 0030
    S2R RZ, SR_LANEID                                    // 0040
    NOP                                                  // 0050
    CAL .L_0070                                          // 0060
.L_0070:
    SSY .L_00a0                                          // 0070
    ISETP.EQ.U32.AND P4, RZ, 0x0, PT                     // 0080
    STG.U8.S [R66], RZ                                   // 0090
.L_00a0:
    ISETP.EQ.U32.AND P6, RZ, 0x0, PT                     // 00a0
    BRA .L_0070                                          // 00b0
    SSY .L_0100                                          // 00c0
    NOP                                                  // 00d0
    NOP                                                  // 00e0
    NOP                                                  // 00f0
.L_0100:
    NOP                                                  // 0100

.const

.global
.galign 16
// fuzz: end
