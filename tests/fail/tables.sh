#!/bin/sh
# Mistakes in what model and core are both made from: the generators believe them, model and RTL
# agree on them, and only a check that does not read these tables can tell.  It must.
# SPDX-License-Identifier: Apache-2.0
# Use: tables.sh BUILD, which holds libisa.a, the objects of floating point and of Verilator.
set -e
build=$1 flags="-std=c11 -D_GNU_SOURCE -O0 -w"

# Hand-written words against decoders, assembler and disassembler of the mistaken table.
words() {
    gcc $flags -I$dir -o $dir/isagen $dir/cmodel/isa/isagen.c $build/tables/isagen_*.o
    for f in header:isa_gen.h table:isa_table.h vh:isa_gen.vh insn:insn_gen.vh decode:decode_gen.v; do
        $dir/isagen ${f%:*} > $dir/gen/${f#*:}
    done
    verilator --cc --top-module decode_gen --Mdir $dir/rtl -Wno-lint -Wno-style -I$dir/gen \
        $dir/gen/decode_gen.v
    cat $dir/rtl/Vdecode_gen*.cpp tests/rtl/decode_shim.cpp > $dir/rtl.cc
    g++ -std=c++17 -O0 -w -I$dir/rtl -I/usr/share/verilator/include -I. -c -o $dir/rtl.o $dir/rtl.cc
    for f in cmodel/isa/decode cmodel/image/dis cmodel/image/asm cmodel/image/asm_insn tests/rtl/decode_vectors; do
        gcc $flags -I$dir -I$dir/gen -I. -c -o $dir/${f##*/}.o $dir/$f.c
    done
    g++ -o $dir/judge $dir/*.o $build/libisa.a $build/tests/decode_obj/verilated*.o -pthread
    $dir/judge
}

# MPFR against MUFU with the mistaken rows.
mpfr() {
    gcc $flags -o $dir/mufugen $dir/cmodel/fp/mufugen.c -lm
    $dir/mufugen c > $dir/gen/mufu_table.h
    gcc $flags -O1 -I$dir/gen -I$dir -I$build/gen -c -o $dir/mufu.o $dir/cmodel/fp/mufu.c
    gcc -o $dir/judge $dir/mufu.o $build/tests/unit/test_mpfr.o $build/cmodel/fp/fp32.o \
        $build/cmodel/fp/fpcvt.o -lmpfr -lm
    $dir/judge 65537
}

mkdir -p $build/tables
for f in cmodel/isa/isagen_*.c; do                  # the writers do not read the table
    gcc $flags -I. -c -o $build/tables/$(basename $f .c).o $f
done
failed=0 n=0
plant() {                                       # judge, name, file, what sed does to it
    n=$((n + 1)) dir=$build/tables/$2
    rm -rf $dir && mkdir -p $dir/gen $dir/tests && cp -r cmodel $dir && cp -r tests/rtl $dir/tests
    sed "$4" cmodel/$3 > $dir/cmodel/$3
    if cmp -s cmodel/$3 $dir/cmodel/$3; then
        echo "tables: $2 no longer applies to cmodel/$3"
        exit 1
    fi
    status=0
    ($1) > $dir/said 2>&1 || status=$?
    # The judge must have run to its end and counted something: a build that fails says nothing.
    if [ $status -ne 1 ] ||
       ! grep -q "^decode vectors: .* [1-9][0-9]* wrong\|^mpfr .*: [1-9][0-9]* of" $dir/said; then
        failed=$((failed + 1))
        echo "FAIL $2: exit status $status:"
        tail -n 20 $dir/said
    else
        echo "tables: $2: $(grep -m 1 "def:\|EXCEEDED" $dir/said)"
    fi
}

plant words fields-swapped isa/isa.def 's/^FIELD(rd,  16/FIELD(rd,  24/; s/^FIELD(ra,  24/FIELD(ra,  16/'
plant words opcodes-exchanged isa/isa.def 's/^\(INSN(IADD,.*0x01\)0/\11/; s/^\(INSN(ISUB,.*0x01\)1/\10/'
plant words opcode-added isa/isa.def \
    's/^INSN(MOV, .*/&\nINSN(COPY, "COPY", 0x033, "d,a", "", ALU, 0, d = a, "Copies.")/'
plant words odd-pair isa/isa.def '/^INSN(LDG,/s/"Q,m"/"Q,n"/'
plant words value-added isa/isa.def '/^MOD(ICMP,/s/"GE"/"GE", "XX"/'
plant words values-exchanged isa/isa.def '/^MOD(RM,/s/"RZ", "RM"/"RM", "RZ"/'
plant words guard-allowed isa/isa.def '/^INSN(BSYNC,/s/ | F_NOGUARD//'
plant words same-register isa/isa.def '/^INSN(CALLR,/s/ | F_DISTINCT//'
plant words other-space isa/isa.def '/^INSN(LDL,/s/SPACE_LOCAL/SPACE_SHARED/'
plant words sregs-exchanged isa/isa.def \
    's/^SREG(TID_Y,/SREG(TID_?,/; s/^SREG(TID_Z,/SREG(TID_Y,/; s/TID_?/TID_Z/'
plant mpfr row-off fp/mufugen.c 's|^    part(t, "RSQ");|    t->rows[100].c0 += 64; /* 2^-22 */\n&|'
plant mpfr pi fp/mufugen.c 's/3.14159265358979323846/3.14159365358979323846/'
plant mpfr off-centre fp/mufugen.c 's|(lo + hi) / 2|lo|'
echo "tables: $((n - failed)) of $n mistakes in shared tables were caught"
[ $failed -eq 0 ] && [ $n -gt 0 ]
