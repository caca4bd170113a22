#!/bin/sh
# Textures and surfaces: objects and references, levels, cubes, layers; forms of PTX's that there are not.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program references.cu
passes references "$model" "$lockstep"
program textures.cu
passes textures "$model" "$stack"
expect 0 PASS $lockstep "$tmp/textures" few
said 'all: lockstep: equal; compared'
program mipmaps.cu -lcuda
passes mipmaps "$model"
said 'a view of compressed blocks (format 28) is not supported'
passes mipmaps "$stack" "$lockstep"
program cubes.cu -lcuda
passes cubes "$model" "$stack"
expect 0 PASS $lockstep "$tmp/cubes" few
said 'all: lockstep: equal; compared'
# Layers that are none are those that an H100 reads.
build tests/silicon/layers.cu -o "$tmp/layers"
prints 0 tests/silicon/layers.txt "$tmp/layers"
program driver_texture.cu -lcuda
build -ptx $here/driver_texture_kernel.cu -o "$tmp/t.ptx"
expect 0 PASS "$tmp/driver_texture" "$tmp/t.ptx"
# Operands behind the place that are not there: an offset, two levels, a level of texels by number.
refused 'tex.2d.v4.f32.f32 {%f1,%f1,%f1,%f1}, [%a, {%f1,%f1}], {%r1,%r1}' \
    'tex.level.2d.v4.f32.f32 {%f1,%f1,%f1,%f1}, [%a, {%f1,%f1}], %f1, %f1' \
    'tex.level.1d.v4.f32.s32 {%f1,%f1,%f1,%f1}, [%a, {%r1}], %f1' 'tex.grad.2d.v4.f32.f32 {%f1,%f1,%f1,%f1}, [%a, {%f1,%f1}], {%f1,%f1}'
finish
