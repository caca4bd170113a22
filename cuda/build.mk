# Whole CUDA programs: the run time and its headers.
# SPDX-License-Identifier: Apache-2.0
CODE_OBJ   := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cuda/code/*.c))
CUDART_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cuda/cudart/*.c)) $(CODE_OBJ)
CUDART     := $(BUILD)/libheddle_cudart.so
CUDA_NVCC  := $(BUILD)/heddle-nvcc

all: $(CUDART) $(CUDA_NVCC)
# cuda_errors.def is the compiler's library's, too.
$(BUILD)/cuda/%.o: CFLAGS += -Icompiler/include
$(CUDA_NVCC): $(patsubst %.c,$(BUILD)/%.o,$(wildcard cuda/nvcc/*.c)) $(CODE_OBJ) $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

# nvcc --default-stream per-thread: each stream's work has ended when its call returns, so these are the plain calls.
PER_THREAD := \
    __cudaLaunchKernel_ptsz cudaEventRecordWithFlags_ptsz cudaEventRecord_ptsz cudaFreeAsync_ptsz \
    cudaGetDriverEntryPointByVersion_ptsz cudaGetDriverEntryPoint_ptsz cudaGraphInstantiateWithParams_ptsz \
    cudaGraphLaunch_ptsz cudaGraphUpload_ptsz cudaLaunchCooperativeKernel_ptsz cudaLaunchHostFunc_ptsz \
    cudaLaunchKernelExC_ptsz cudaLaunchKernel_ptsz cudaMallocAsync_ptsz cudaMallocFromPoolAsync_ptsz \
    cudaMemDiscardAndPrefetchBatchAsync_ptsz cudaMemDiscardBatchAsync_ptsz cudaMemPrefetchAsync_ptsz \
    cudaMemPrefetchBatchAsync_ptsz cudaMemcpy2DArrayToArray_ptds cudaMemcpy2DAsync_ptsz \
    cudaMemcpy2DFromArrayAsync_ptsz cudaMemcpy2DFromArray_ptds cudaMemcpy2DToArrayAsync_ptsz \
    cudaMemcpy2DToArray_ptds cudaMemcpy2D_ptds cudaMemcpy3DAsync_ptsz cudaMemcpy3DBatchAsync_ptsz \
    cudaMemcpy3DPeerAsync_ptsz cudaMemcpy3DPeer_ptds cudaMemcpy3D_ptds cudaMemcpyArrayToArray_ptds \
    cudaMemcpyAsync_ptsz cudaMemcpyBatchAsync_ptsz cudaMemcpyFromArrayAsync_ptsz cudaMemcpyFromArray_ptds \
    cudaMemcpyFromSymbolAsync_ptsz cudaMemcpyFromSymbol_ptds cudaMemcpyToArrayAsync_ptsz cudaMemcpyToArray_ptds \
    cudaMemcpyToSymbolAsync_ptsz cudaMemcpyToSymbol_ptds cudaMemcpy_ptds cudaMemset2DAsync_ptsz \
    cudaMemset2D_ptds cudaMemset3DAsync_ptsz cudaMemset3D_ptds cudaMemsetAsync_ptsz cudaMemset_ptds \
    cudaSignalExternalSemaphoresAsync_ptsz cudaStreamAddCallback_ptsz cudaStreamAttachMemAsync_ptsz \
    cudaStreamBeginCaptureToGraph_ptsz cudaStreamBeginCapture_ptsz cudaStreamCopyAttributes_ptsz \
    cudaStreamEndCapture_ptsz cudaStreamGetAttribute_ptsz cudaStreamGetCaptureInfo_ptsz cudaStreamGetDevice_ptsz \
    cudaStreamGetFlags_ptsz cudaStreamGetId_ptsz cudaStreamGetPriority_ptsz cudaStreamIsCapturing_ptsz \
    cudaStreamQuery_ptsz cudaStreamSetAttribute_ptsz cudaStreamSynchronize_ptsz \
    cudaStreamUpdateCaptureDependencies_ptsz cudaStreamWaitEvent_ptsz cudaWaitExternalSemaphoresAsync_ptsz

$(CUDART): $(CUDART_OBJ) $(ARCHIVES)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-z,defs -Wl,-Bsymbolic -Wl,--exclude-libs,ALL -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS) -lpthread -Wl,--no-as-needed -lstdc++ \
	  $(foreach s,$(PER_THREAD),-Wl,--defsym=$(s)=$(firstword $(subst _pt, ,$(s))))

# Programs that nvcc linked with -cudart shared ask for these libraries, and for symbols with the library's name as version.
CUDA_VERSIONS := $(patsubst %,$(BUILD)/cuda/libcudart.so.%,11.0 12 13)
all: $(CUDA_VERSIONS)
$(BUILD)/cuda/libcudart.so.%: $(CUDART) $(BUILD)/cuda/versions/cuda13.o
	@mkdir -p $(@D)
	$(Q)echo 'libcudart.so.$* { *; };' > $@.map && $(CC) $(CFLAGS) -shared -Wl,-soname,libcudart.so.$* -Wl,--version-script=$@.map \
	  -o $@ $(if $(filter 13,$*),$(BUILD)/cuda/versions/cuda13.o) -L$(BUILD) -Wl,--no-as-needed -lheddle_cudart \
	  '-Wl,-rpath,$$ORIGIN/..' && rm $@.map
	$(Q)for n in libcudart.so libcuda.so libcuda.so.1; do ln -sf ../libheddle_cudart.so $(@D)/$$n; done

# build/cuda has the shape of an SDK, for build systems.
SDK := $(BUILD)/cuda/bin/nvcc
all: $(SDK)
$(SDK): cuda/nvcc/sdk.sh
	$(Q)cuda/nvcc/sdk.sh $(BUILD)

# `heddle nvcc` finds the headers beside itself.
CUDA_HEADERS := $(shell cd cuda/include && find . -type f) $(notdir $(wildcard compiler/include/*))
all: $(CUDA_HEADERS:%=$(BUILD)/include/%)
# What builds a program and runs it.
CUDA_NEEDS := $(BUILD)/heddle $(CUDA_NVCC) $(CUDART) $(CUDA_HEADERS:%=$(BUILD)/include/%)
$(BUILD)/include/%: cuda/include/%
	@mkdir -p $(@D) && cp $< $@
$(BUILD)/include/%: compiler/include/%
	@mkdir -p $(@D) && cp $< $@

# CUDA's other libraries are programs of ours; without clang, which `heddle nvcc` needs anyway, they are left out.
CUDA_LIBRARIES := $(if $(shell command -v clang-$(CLANG_VERSION)),$(patsubst %,$(BUILD)/libcu%.so,blas fft rand sparse))
CUDA_LIBRARIES += $(BUILD)/libnvrtc.so $(BUILD)/libnvidia-ml.so
CUDA_LIBRARY_OBJ := $(BUILD)/cuda/libraries/rtc.o $(BUILD)/cuda/libraries/ml.o
all: $(CUDA_LIBRARIES)
$(BUILD)/libnvrtc.so: $(BUILD)/cuda/libraries/rtc.o
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-z,defs -o $@ $< -ldl
$(BUILD)/libnvidia-ml.so: $(BUILD)/cuda/libraries/ml.o $(CUDART)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-z,defs -o $@ $< -L$(BUILD) -lheddle_cudart '-Wl,-rpath,$$ORIGIN'
$(BUILD)/libcu%.so: cuda/libraries/%.cu $(CUDA_NEEDS)
	$(Q)$(BUILD)/heddle nvcc -std=c++17 -O2 -shared -Xcompiler -fPIC $(filter cuda/libraries/%,$^) -o $@ -Xlinker '-rpath=$$ORIGIN'
$(BUILD)/libcublas.so: cuda/libraries/blas_ex.cu cuda/libraries/blas_lu.cu cuda/libraries/blas_old.cpp

# A script an idea, cuda/tests/programs/NAME.sh.  Three show every day that programs run in every way.
PROGRAM_TESTS := $(patsubst cuda/tests/programs/%.sh,%,$(filter-out %/common.sh,$(sort $(wildcard cuda/tests/programs/*.sh))))
PROGRAM_DAILY := helpers modes reaps
# The dearest first among those that take turns, so that each day has its share.
PROGRAM_DEAR  := linking ptx values binaries memory collectives libraries textures names language graphs
.PHONY: test-programs $(PROGRAM_TESTS:%=test-programs-%)
test-programs: $(PROGRAM_TESTS:%=test-programs-%)    ## whole CUDA programs, on the model and in lockstep; test-programs-NAME: cuda/tests/programs/NAME.sh
$(PROGRAM_TESTS:%=test-programs-%): test-programs-%: $(CUDA_NEEDS) $(BUILD)/rtl/libcore_l4.so
	$(Q)BUILD=$(BUILD) cuda/tests/programs/$*.sh
$(addprefix test-programs-,linking nvcc public): $(SDK)
$(addprefix test-programs-,binaries driver judges): $(CUDA_VERSIONS)
$(addprefix test-programs-,libraries linking): $(CUDA_LIBRARIES)
PARTS += $(PROGRAM_DAILY:%=test-programs-%)
TURNS += $(patsubst %,test-programs-%,$(PROGRAM_DEAR) $(filter-out $(PROGRAM_DAILY) $(PROGRAM_DEAR),$(PROGRAM_TESTS)))

# A run time whose model has a bug, with a heddle of the same: what a program says of a difference.
$(BUILD)/planted/cudart/libheddle_cudart.so: $(BUILD)/planted/waves/heddle $(CUDART)
	@mkdir -p $(@D)
	$(Q)cp $< $(@D)/heddle && ln -sfn ../../rtl $(@D)/rtl
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-Bsymbolic -Wl,--exclude-libs,ALL -o $@ $(CUDART_OBJ) $(BUILD)/planted/waves/cmodel/machine/barriers.c \
	  $(ARCHIVES) $(LDFLAGS) $(HEDDLE_LIBS) -lpthread -Wl,--no-as-needed -lstdc++
.PHONY: test-program-links
test-program-links: deps-node $(CUDA_NEEDS) $(BUILD)/planted/cudart/libheddle_cudart.so $(BUILD)/rtl/libcore_l4.so $(CORE32)    ## the links of programs' reports hold what failed
	$(Q)cuda/tests/linked.sh $(BUILD) $(BUILD)/planted/cudart
PARTS += test-program-links

# THRUST: where thrust and CUB are, of a CUDA SDK or of Debian's libthrust-dev and libcub-dev.
THRUST ?= /usr/include
.PHONY: test-thrust
test-thrust: $(CUDA_NEEDS)    ## thrust and CUB in a program, where they are: THRUST=FOLDER
	$(Q)test -e $(THRUST)/thrust/version.h || { echo "NOT RUN: thrust is not in $(THRUST) (apt-get install libthrust-dev libcub-dev)"; exit 0; }; \
	mkdir -p $(BUILD)/tests && $(BUILD)/heddle nvcc -I$(THRUST) cuda/tests/thrust.cu -o $(BUILD)/tests/thrust && \
	HEDDLE_REPORT=1 $(BUILD)/tests/thrust
LONG += test-thrust

# DIR: a folder of public programs, which lies beside the tree (cuda/docs/programs.md).
.PHONY: programs
programs: $(CUDA_NEEDS) $(SDK) $(CUDA_LIBRARIES)    ## public CUDA programs of DIR=, built, run and tabled; ONLY= a pattern, SECONDS= for each, HOW=lockstep
	$(Q)test -n "$(DIR)" || { echo "make programs DIR=FOLDER: which folder?"; exit 2; }
	$(Q)cuda/tests/public.pl $(BUILD)/heddle "$(DIR)" $(BUILD)/programs '$(ONLY)' '$(SECONDS)' '$(HOW)'

# DIR: a folder of PTX files.  GPU: results of the judge from a machine with a GPU.
.PHONY: kernels-public judge-public
kernels-public: $(BUILD)/heddle         ## kernels of the PTX files of DIR=: which compile, and why others do not; ONLY= a pattern, SECONDS= for each
	$(Q)test -n "$(DIR)" || { echo "make kernels-public DIR=FOLDER: which folder?"; exit 2; }
	$(Q)cuda/tests/kernels.pl $(BUILD)/heddle "$(DIR)" $(BUILD)/kernels-public '$(ONLY)' '$(SECONDS)'
judge-public: $(BUILD)/heddle $(CUDART) $(CUDA_VERSIONS)    ## kernels of the PTX files of DIR= under launches that nobody describes; GPU= what a GPU made of them
	$(Q)test -n "$(DIR)" || { echo "make judge-public DIR=FOLDER: which folder?"; exit 2; }
	$(Q)cuda/tests/judge/run.sh $(BUILD) "$(DIR)" $(BUILD)/judge-public '$(GPU)'

# On a core with fewer warps, registers and less shared memory.
.PHONY: test-small-programs
test-small-programs: $(CUDA_NEEDS) $(BUILD)/rtl/libcore_l4_small.so    ## programs on a smaller core: what does not fit is refused
	$(Q)cuda/tests/small_core.sh $(BUILD)/heddle $(abspath $(BUILD)/rtl/libcore_l4_small.so)
LONG += test-small-programs

# What nvcc packs, read back.
$(BUILD)/cuda/tests/unit/test_fatbin: $(BUILD)/cuda/tests/unit/test_fatbin.o $(CODE_OBJ) $(ARCHIVES)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka $(HEDDLE_LIBS)
.PHONY: test-fatbin
test-fatbin: $(BUILD)/cuda/tests/unit/test_fatbin    ## device code as programs carry it, damaged at each byte
	$(Q)$<
PARTS += test-fatbin
SAN_TESTS += $(BUILD)/cuda/tests/unit/test_fatbin

include cuda/tests/headers.mk
