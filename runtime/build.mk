# Whole CUDA programs: the run time and its headers.
# SPDX-License-Identifier: Apache-2.0
CUDART_OBJ  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard runtime/cudart/*.c))
RUNTIME_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard runtime/code/*.c runtime/nvcc/*.c))
CUDART      := $(BUILD)/libheddle_cudart.so

$(BUILD)/libruntime.a: $(RUNTIME_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

all: $(CUDART)

# Programs that nvcc linked with -cudart shared look for it by the other names.
$(CUDART): $(CUDART_OBJ) $(ARCHIVES)
	@mkdir -p $(@D)/cuda
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-z,defs -Wl,-Bsymbolic -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS) -lpthread -Wl,--no-as-needed -lstdc++
	$(Q)for n in libcudart.so libcudart.so.11.0 libcudart.so.12 libcudart.so.13 libcuda.so libcuda.so.1; do \
	    ln -sf ../libheddle_cudart.so $(@D)/cuda/$$n; done

# `heddle nvcc` finds the headers beside itself.
CUDA_HEADERS := $(shell cd runtime/include && find . -type f) $(notdir $(wildcard compiler/include/*.h))
all: $(CUDA_HEADERS:%=$(BUILD)/include/%)
$(BUILD)/include/%: runtime/include/%
	@mkdir -p $(@D) && cp $< $@
$(BUILD)/include/%: compiler/include/%
	@mkdir -p $(@D) && cp $< $@

.PHONY: test-programs
test-programs: $(BUILD)/heddle $(CUDART) $(CUDA_HEADERS:%=$(BUILD)/include/%) $(BUILD)/rtl/libcore_l4.so    ## whole CUDA programs, on the model and in lockstep
	$(Q)BUILD=$(BUILD) tests/programs/run.sh
PARTS += test-programs

# THRUST: where thrust and CUB are, of a CUDA SDK or of Debian's libthrust-dev and libcub-dev.
THRUST ?= /usr/include
.PHONY: test-thrust
test-thrust: $(BUILD)/heddle $(CUDART) $(CUDA_HEADERS:%=$(BUILD)/include/%)    ## thrust and CUB in a program, where they are: THRUST=FOLDER
	$(Q)test -e $(THRUST)/thrust/version.h || { echo "NOT RUN: thrust is not in $(THRUST) (apt-get install libthrust-dev libcub-dev)"; exit 0; }; \
	mkdir -p $(BUILD)/tests && $(BUILD)/heddle nvcc -I$(THRUST) tests/programs/thrust.cu -o $(BUILD)/tests/thrust && \
	HEDDLE_REPORT=1 $(BUILD)/tests/thrust
LONG += test-thrust

# DIR: a folder of public programs, which lies beside the tree (docs/programs.md).
.PHONY: programs
programs: $(BUILD)/heddle $(CUDART) $(CUDA_HEADERS:%=$(BUILD)/include/%)    ## public CUDA programs of DIR=, built, run and tabled; ONLY= a pattern, SECONDS= for each, HOW=lockstep
	$(Q)test -n "$(DIR)" || { echo "make programs DIR=FOLDER: which folder?"; exit 2; }
	$(Q)tests/programs/public.pl $(BUILD)/heddle "$(DIR)" $(BUILD)/programs '$(ONLY)' '$(SECONDS)' '$(HOW)'
