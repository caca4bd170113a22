// fuzz: replay: heddle fuzz --replay fuzz-20261122-9380-small.s
// fuzz: result a block starts after the fault
// fuzz: seed 87020856370275492
// fuzz: level machine
// fuzz: mode stack
// fuzz: wild 0
// fuzz: lanes 4
// fuzz: stack-depth 16
// fuzz: mem-seed 0
// fuzz: data-seed 0
// fuzz: bus-seed 17520569529836479909
// fuzz: grid 15,1,1
// fuzz: block 33,1,1
.mode stack
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
    LDC.U8 RZ, [RZ]                                      // 0000

.const

.global
.galign 16
// fuzz: end
