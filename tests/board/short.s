// A few instructions of each part of a record, for the bytes of a short stream.
.kernel k
.regs 16
.param out u64 8
    S2R R0, SR_TID_X
    S2R R4, SR_CLOCKLO
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R0, 4, R2
    LDG R5, [R2]
    IADD R5, R5, R0
    STG [R2], R5
    EXIT
