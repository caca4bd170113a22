// fuzz: replay: heddle fuzz --replay ./fuzz-771-868.s
// fuzz: result deadlock
// fuzz: seed 3311419786084
// fuzz: level machine
// fuzz: mode barrier
// fuzz: wild 0
// fuzz: lanes 32
// fuzz: stack-depth 4
// fuzz: mem-seed 14791744201961673735
// fuzz: data-seed 8240741174540804791
// fuzz: grid 1,1,1
// fuzz: block 33,1,1
.mode barrier
.text

.func k 2112
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
    LDC.64 R66, [RZ+0x8]                                 // 0010
    LDC.64 R68, [RZ+0x10]                                // 0020
    S2R R72, SR_TID_X                                    // 0030
    S2R R70, SR_CTAID_X                                  // 0040
    IMAD R70, R70, 0x21, R72                             // 0050
    IMAD.W.U32 R66, R70, 0x40, R66                       // 0060
    LOP.AND R73, R70, 0x3f                               // 0070
    IMAD.W.U32 R64, R73, 0x40, R80                       // 0080
    LDG.128 R0, [R64]                                    // 0090
    LDG.128 R4, [R64+0x10]                               // 00a0
    IMAD R8, R2, 0x7a23c270, RZ                          // 00b0
    IMAD R13, R3, 0x94897703, RZ                         // 00c0
    SHL R71, R72, 0x4                                    // 00d0
    IADD R76, R71, RZ                                    // 00e0
    MOV R77, 0x1                                         // 00f0
    MOV R79, 0x2                                         // 0100
    STS.128 [R71], R0                                    // 0110
    STL.128 [RZ], R4                                     // 0120
    ISETP.GE.U32.AND P0, R0, 0x80000000, PT              // 0130
    ISETP.LT.U32.AND P1, R1, 0x80000000, PT              // 0140
    ISETP.GE.U32.AND P2, R2, 0x80000000, PT              // 0150
    ISETP.LT.U32.AND P3, R3, 0x80000000, PT              // 0160
    BSSY B0, .L_01b0                                     // 0170
    MOV R73, 0x590                                       // 0180
    @!P1 MOV R73, 0x7f0                                  // 0190
    CALLR R83, R73                                       // 01a0
.L_01b0:
    BSYNC B0                                             // 01b0
    LOP.AND R88, R4, 0x3                                 // 01c0
    BSSY B0, .L_02c0                                     // 01d0
.L_01e0:
    F2I.U64.RZ R2, -|R2|                                 // 01e0
    IADD.X R14, P2, RZ, R9, P3                           // 01f0
    IMAX.U32 R14, R9, RZ                                 // 0200
    IADD3 R13, R11, R4, R12                              // 0210
    YIELD                                                // 0220
    LOP.AND R73, R9, 0x7                                 // 0230
    ISETP.NE.U32.AND P4, R73, 0x0, PT                    // 0240
    @P4 BREAK B0                                         // 0250
    @P4 BRA .L_02d0                                      // 0260
    S2R R114, SR_CLOCKHI                                 // 0270
    CALL R83, .L_0590                                    // 0280
    IADD R88, R88, 0xffffffff                            // 0290
    ISETP.GE.S32.AND P6, R88, 0x1, PT                    // 02a0
    @P6 BRA .L_01e0                                      // 02b0
.L_02c0:
    BSYNC B0                                             // 02c0
.L_02d0:
    LOP.AND R88, R1, 0x7                                 // 02d0
    BSSY B0, .L_0330                                     // 02e0
.L_02f0:
    @!P2 LDC.64 R0, [RZ]                                 // 02f0
    IADD R88, R88, 0xffffffff                            // 0300
    ISETP.GE.S32.AND P6, R88, 0x1, PT                    // 0310
    @P6 BRA .L_02f0                                      // 0320
.L_0330:
    BSYNC B0                                             // 0330
    MOV R88, 0x1                                         // 0340
    BSSY B0, .L_0410                                     // 0350
.L_0360:
    STS.128 [R71], R4                                    // 0360
    BAR.SYNC 1, 0x0                                      // 0370
    IADD R73, R72, 0x20                                  // 0380
    ISETP.GE.U32.AND P4, R73, 0x21, PT                   // 0390
    @P4 ISUB R73, R73, 0x21                              // 03a0
    SHL R73, R73, 0x4                                    // 03b0
    LDS.128 R8, [R73]                                    // 03c0
    BAR.SYNC 1, 0x0                                      // 03d0
    IADD R88, R88, 0xffffffff                            // 03e0
    ISETP.GE.S32.AND P6, R88, 0x1, PT                    // 03f0
    @P6 BRA .L_0360                                      // 0400
.L_0410:
    BSYNC B0                                             // 0410
    @!P2 LOP.OR R2, R0, R15                              // 0420
    I2F.U32 R13, R10                                     // 0430
    @!P0 PLOP P0, !PT, PT, 0xd3                          // 0440
    BFE.S32 R7, R10, R1, R11                             // 0450
    PRMT R3, RZ, R8, RZ                                  // 0460
    @!P0 SEL R6, R15, R0, !PT                            // 0470
    SHR.S32 R3, R2, R11                                  // 0480
    @!P1 IADD R11, R8, RZ                                // 0490
    LDS R10, [R71+0x4]                                   // 04a0
    IMAD R12, R12, 0x1f, R0                              // 04b0
    IMAD R13, R13, 0x1f, R1                              // 04c0
    IMAD R14, R14, 0x1f, R2                              // 04d0
    IMAD R15, R15, 0x1f, R3                              // 04e0
    IMAD R12, R12, 0x1f, R4                              // 04f0
    IMAD R13, R13, 0x1f, R5                              // 0500
    IMAD R14, R14, 0x1f, R6                              // 0510
    IMAD R15, R15, 0x1f, R7                              // 0520
    IMAD R12, R12, 0x1f, R8                              // 0530
    IMAD R13, R13, 0x1f, R9                              // 0540
    IMAD R14, R14, 0x1f, R10                             // 0550
    IMAD R15, R15, 0x1f, R11                             // 0560
    STG.128 [R66], R12                                   // 0570
    EXIT                                                 // 0580
.L_0590:
    BSSY B5, .L_07d0                                     // 0590
    S2R R73, SR_LANEID                                   // 05a0
    ISETP.GE.U32.AND P4, R73, 0xa, PT                    // 05b0
    @P4 BRA .L_07d0                                      // 05c0
    LOP.AND R92, R13, 0x3                                // 05d0
    BSSY B6, .L_07b0                                     // 05e0
.L_05f0:
    CALL R84, .L_0820                                    // 05f0
    LDS.U8 R14, [R71]                                    // 0600
    STL.U16 [RZ+0x8], R14                                // 0610
    S2R R73, SR_LANEID                                   // 0620
    ISETP.LE.U32.AND P4, R73, 0x10, PT                   // 0630
    @!P4 BREAK B6                                        // 0640
    @!P4 BRA .L_07c0                                     // 0650
    S2R R73, SR_LANEID                                   // 0660
    ISETP.EQ.U32.AND P4, R73, 0x6, PT                    // 0670
    @!P4 BRA .L_0780                                     // 0680
    BSSY B8, .L_0770                                     // 0690
    LOP.AND R73, R2, 0x3                                 // 06a0
    SHL R73, R73, 0x4                                    // 06b0
    IADD R73, R73, 0x6e0                                 // 06c0
    BRX R73                                              // 06d0
    BRA .L_0720                                          // 06e0
    BRA .L_0750                                          // 06f0
    BRA .L_0760                                          // 0700
    BRA .L_0770                                          // 0710
.L_0720:
    @!P1 IADD.X R0, P3, R13, R9, !PT                     // 0720
    @P2 SHF.L.W R11, R14, 0x21, R3                       // 0730
    BRA .L_0770                                          // 0740
.L_0750:
    BRA .L_0770                                          // 0750
.L_0760:
    BRA .L_0770                                          // 0760
.L_0770:
    BSYNC B8                                             // 0770
.L_0780:
    IADD R92, R92, 0xffffffff                            // 0780
    ISETP.GE.S32.AND P6, R92, 0x1, PT                    // 0790
    @P6 BRA .L_05f0                                      // 07a0
.L_07b0:
    BSYNC B6                                             // 07b0
.L_07c0:
    BRA .L_07d0                                          // 07c0
.L_07d0:
    BSYNC B5                                             // 07d0
    RET R83                                              // 07e0
    LD R0, [R66+0xc]                                     // 07f0
    @P1 STG.S8 [R66+0x7], R4                             // 0800
    RET R83                                              // 0810
.L_0820:
    @!P3 BFE.S32 R0, R4, 0xffffffed, R10                 // 0820
    RET R84                                              // 0830

.const

.global
.galign 16
