// fuzz: replay: heddle fuzz --replay ./fuzz-771-868-small.s
// fuzz: result deadlock
// fuzz: seed 3311419786084
// fuzz: level machine
// fuzz: mode barrier
// fuzz: wild 0
// fuzz: lanes 32
// fuzz: stack-depth 4
// fuzz: mem-seed 0
// fuzz: data-seed 0
// fuzz: grid 1,1,1
// fuzz: block 1,1,1
.mode barrier
.text

.func k 16
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
    RET RZ                                               // 0000

.const

.global
.galign 16
