// fuzz: replay: heddle fuzz --replay fuzz-20261122-4786-small.s
// fuzz: result the core writes tokens to 0x02001000 that no instruction has spilled
// fuzz: seed 87020856370270898
// fuzz: level machine
// fuzz: mode stack
// fuzz: wild 8
// fuzz: lanes 4
// fuzz: stack-depth 4
// fuzz: mem-seed 0
// fuzz: data-seed 0
// fuzz: bus-seed 0
// fuzz: grid 1,1,1
// fuzz: block 81,1,1
.mode stack
.text

.func k 208
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
    NOP                                                  // 0000
    NOP                                                  // 0010
    NOP                                                  // 0020
    NOP                                                  // 0030
    NOP                                                  // 0040
    NOP                                                  // 0050
    STL.128 [RZ], RZ                                     // 0060
    SSY 0x2cfb2f70                                       // 0070
    SSY 0xd0                                             // 0080
    SSY 0xd0                                             // 0090
    SSY 0xb9630a00                                       // 00a0
    CAL .L_00c0                                          // 00b0
.L_00c0:
    ISETP.EQ.U32.AND.S P0, RZ, 0x0, PT                   // 00c0

.const

.global
.galign 16
// fuzz: end
