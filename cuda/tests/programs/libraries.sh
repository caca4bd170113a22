#!/bin/sh
# CUDA's other libraries: cuBLAS, cuRAND, cuSPARSE, cuFFT, NVRTC, NVML; NVTX is in the header alone.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program libraries.cu -std=c++17 -lcublas_static -lcublasLt_static -lcurand -lculibos -lnvToolsExt
passes libraries "$model" "$routines"
# Systems of equations.
program lu.cu -lcublas
passes lu "$model" "$stack"
# cuBLAS without handles.
program old_blas.cpp -lcublas
passes old_blas "$model" "$lockstep"
program sparse.cu -lcusparse
passes sparse "$model" "$stack"
program transforms.cu -std=c++17 -lcufft
passes transforms "$model"
said 'cufftXtSetCallback: callbacks of cuFFT are not supported'
passes transforms "$stack"
# Code that is compiled while the program runs.
program rtc.cpp -lcuda -lnvrtc
passes rtc "$model"
program nvml.cpp -lnvidia-ml
passes nvml "$model"
finish
