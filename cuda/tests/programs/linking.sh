#!/bin/sh
# Programs of several files: device code of each its own, linked by the run time, from archives, by CMake.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

# Compiled apart, one of them plain C++; each brings device code, variables and constants.
build -c $here/two_a.cu -o "$tmp/two_a.o"
build -x cu -c $here/two_b.cpp -o "$tmp/two_b.o" -I$here
build "$tmp/two_a.o" "$tmp/two_b.o" $here/two_host.cpp -o "$tmp/two"
passes two "$model" HEDDLE_NATIVE=1 "$lockstep"

# Device code of three files, linked by the run time; without one of them its functions are missed.
build -dc $here/units_a.cu -o "$tmp/units_a.o"
build -rdc=true -c $here/units_b.cu -o "$tmp/units_b.o"
build -dc $here/units_c.cu -o "$tmp/units_c.o"
build -dlink "$tmp/units_a.o" "$tmp/units_b.o" "$tmp/units_c.o" -o "$tmp/units_link.o"
build "$tmp/units_a.o" "$tmp/units_b.o" "$tmp/units_c.o" "$tmp/units_link.o" -o "$tmp/units"
passes units "$model" "$stack" "$lockstep"
build $here/units_a.cu "$tmp/units_b.o" -o "$tmp/units_apart"
expect 1 'kernel `all(int*)` does not compile: function scaled(int) is not defined, ' "$tmp/units_apart"
said 'units_a.cu:'
# Names that are each file's own, though the host names them too: kernels, variables, texture references.
build -dc -DSIDE=1 $here/static_names.cu -o "$tmp/static_a.o"
build -dc -DSIDE=2 $here/static_names.cu -o "$tmp/static_b.o"
for files in 'a b' 'b a'; do
    build "$tmp/static_${files% *}.o" "$tmp/static_${files#* }.o" -o "$tmp/static"
    passes static "$model"
done

# Device code in archives.
mkdir "$tmp/odir"
build -dc -odir "$tmp/odir" $here/cmake/offset.cu $here/cmake/scale.cu
build -dlink -MD -MF "$tmp/scale.dd" -MT there -dc $here/cmake/scale.cu -o "$tmp/scale.o"
holds 'nvcc -MD' grep -q '^there:.*cmake/scale.cu' "$tmp/scale.dd"
ar rcs "$tmp/libparts.a" "$tmp/scale.o" "$tmp/odir/offset.o"
for parts in "$tmp/libparts.a" "-L$tmp -lparts"; do
    build $here/cmake/main.cpp $parts -lcublas -o "$tmp/archived"
    passes archived "$model"
done
rm "$tmp/libparts.a"
build -lib "$tmp/odir/offset.o" "$tmp/odir/scale.o" -o "$tmp/libparts.a"
build -c $here/cmake/main.cpp -o "$tmp/main.o"
build "$tmp/main.o" "$tmp/libparts.a" -lcublas -o "$tmp/archived"
passes archived "$model"
rm "$tmp/libparts.a"
build -lib -rdc=true $here/cmake/offset.cu $here/cmake/scale.cu -o "$tmp/libparts.a"
build -dlink "$tmp/libparts.a" -o "$tmp/link.o"
g++ "$tmp/main.o" "$tmp/link.o" "$tmp/libparts.a" -o "$tmp/by_hand" "-L$build/cuda/lib64" -lcublas -lcudart_static -lcudadevrt -lcuda
passes by_hand "$model"
if command -v cmake > "$tmp/out"; then
    expect 0 'Build files' "PATH=$(cd "$build" && pwd)/cuda/bin:$PATH" cmake -S $here/cmake -B "$tmp/cmake"
    expect 0 'Built target app' cmake --build "$tmp/cmake"
    passes cmake/app "$model" "$lockstep"
else
    echo "NOT RUN: a project of CMake, which is not installed"
fi
finish
