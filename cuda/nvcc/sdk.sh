#!/bin/sh
# Gives BUILD/cuda the shape of a CUDA SDK, where build systems look for nvcc, headers and libraries.
# SPDX-License-Identifier: Apache-2.0
#
# The libraries are texts that name ours, which every linker of GNU binutils takes for the library
# itself, and look for beside the text, so that a build folder can be copied.  A library that was
# found so is found again by its path: the program needs no -rpath.
build=$(cd "$1" && pwd) || exit 2
sdk=$build/cuda
mkdir -p "$sdk/bin" "$sdk/lib64" "$sdk/nvvm/libdevice" || exit 2
ln -sfn ../include "$sdk/include"

# library NAME FILE...: -lFILE, shared or static, is libNAME.so.
library() {
    name=$1
    shift
    for file; do
        for suffix in .so _static.a; do
            echo "INPUT(../../lib$name.so)" > "$sdk/lib64/lib$file$suffix"
        done
    done
}
library heddle_cudart heddle_cudart cudart cuda nvToolsExt
for l in cudadevrt culibos; do echo "INPUT(../../libheddle_cudart.so)" > "$sdk/lib64/lib$l.a"; done
library cublas cublas cublasLt
library cufft cufft
library curand curand
library cusparse cusparse
library nvrtc nvrtc
library nvidia-ml nvidia-ml

cat > "$sdk/bin/nvcc" <<'END'
#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/../../heddle-nvcc" "$@"
END
chmod +x "$sdk/bin/nvcc"
