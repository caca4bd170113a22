#!/bin/sh
# heddle nvcc by itself: wrong options and sources, where it is, what build systems ask of it.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

expect 2 'unknown option `--before`' NVCC_PREPEND_FLAGS='-DA=1 --before' "$heddle" nvcc --frobnicate x.cu
expect 2 "'/undeclared.h' file not found" NVCC_APPEND_FLAGS=' -include  /undeclared.h' "$heddle" nvcc -c $here/small.cu -o "$tmp/none.o"
expect 2 'unknown option `--frobnicate`' "$heddle" nvcc --frobnicate x.cu
expect 2 'unknown option `--quick`' "$heddle" nvcc --quick $here/small.cu -o "$tmp/no"
expect 2 'no input files' "$heddle" nvcc
expect 2 '-o needs a value' "$heddle" nvcc x.cu -o
expect 2 'nothing.cu: No such file' "$heddle" nvcc nothing.cu
expect 2 'has host code, which is not for this command: `heddle nvcc' "$heddle" cc $here/five.cu -o "$tmp/five.hx"
printf '#include <thrust/nowhere.h>\n' > "$tmp/nowhere.cu"
expect 2 'nowhere.cu:1:10: fatal error:' "$heddle" nvcc -c "$tmp/nowhere.cu" -o "$tmp/nowhere.o"
said 'thrust and CUB are not part of Heddle: `make deps` installs'
expect 2 "undeclared identifier 'undeclared'" "$heddle" nvcc -c $here/broken.cu -o "$tmp/broken.o"
holds 'an object of what is broken' [ ! -e "$tmp/broken.o" ]

# heddle alone, as `make run` leaves it; without the headers.
mkdir "$tmp/alone" && cp "$heddle" "$tmp/alone"
expect 2 'unknown command `nvcc`' "$tmp/alone/heddle" nvcc $here/brackets.cu -o "$tmp/brackets"
cp "$build/heddle-nvcc" "$tmp/alone"
expect 2 "alone/include/heddle_program.h is not there: \`make\` builds it" "$tmp/alone/heddle" nvcc $here/brackets.cu -o "$tmp/brackets"

# What build systems ask of nvcc: places, dependencies, files of options, words for the host compiler.
expect 0 'Cuda compilation tools, release 12' "$build/cuda/bin/nvcc" --version
expect 2 '#$ LIBRARIES=-L' "$build/cuda/bin/nvcc" -v nowhere.o
expect 0 'compute_90' "$heddle" nvcc --list-gpu-arch
printf -- '-I %s/cmake --define-macro="N=3" -Xcompiler "-DM=\\"4\\" -Wall"\n' "$here" > "$tmp/words.rsp"
build --options-file "$tmp/words.rsp" --dryrun '-DLIST=1\,2' -Xcompiler '-DPAIR=1\,2,-DONE' -c $here/cmake/scale.cu -o "$tmp/scale.o"
said ' -DLIST=1,2 ' ' -DPAIR=1,2 -DONE ' ' -DN=3 ' ' -DM=4 -Wall '
build -M -I$here/cmake $here/cmake/scale.cu -o "$tmp/scale.d"
holds 'nvcc -M' grep -q 'cmake/parts.h' "$tmp/scale.d"
# nvcc's -Werror names a kind, the host compiler's does not.
build -Werror all-warnings -Werror -c $here/cmake/offset.cu -o "$tmp/offset.o"
expect 2 'unrecognized command-line option' "$heddle" nvcc --forward-unknown-to-host-compiler --quick $here/cmake/main.cpp -o "$tmp/no"
finish
