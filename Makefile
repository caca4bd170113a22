# Heddle: builds everything; `make help` lists the targets that are used most.
# SPDX-License-Identifier: Apache-2.0
#
# A rule is where what it builds or runs is:
#   cmodel/   build.mk: ISA and record tables, libcmodel.a; fp.mk, model.mk: their tests
#   compiler/ build.mk: libcompiler.a; softlib/softlib.mk: its library of PTX
#   rtl/      build.mk: lint, synthesis, core-smoke       formal/  build.mk: proofs
#   regroup/  build.mk: libregroup.a, threads in other warps (paper B)
#   harness/  build.mk: heddle, and the Verilated core of each LANES; install/: prefix, package
#   stream/   build.mk: libstream.a, warp events of any core
#   cuda/     build.mk: heddle-nvcc and the run time of whole CUDA programs; CUDA=0: without them
#   tests/    parts.mk: `make test`, `make test-long`; unit/unit.mk, build.mk: unit tests;
#             a file for each kind of check or campaign
# Everything that is built lies in $(BUILD).
BUILD ?= build
GEN   := $(BUILD)/gen
# What the core can be built with; here, as every part expands it in prerequisites when it is read.
LANES_ALL := 1 2 4 8 16 32
RTL_LIBS   = $(LANES_ALL:%=$(BUILD)/rtl/libcore_l%.so)
# What a test at LANES=32 needs: the traced core is there after `make run`, and does for the one
# without tracing.
CORE32     = $(BUILD)/rtl/libcore_l32_trace.so
V     ?= 0
# 0: without whole CUDA programs; what the other parts want of them is then nothing.
CUDA  ?= $(if $(wildcard cuda/build.mk),1,0)
CUDA_NEEDS :=
CUDA_NVCC :=
CUDA_VERSIONS :=
CUDA_LIBRARIES :=
CUDA_LIBRARY_OBJ :=
Q     := $(if $(filter 1,$(V)),,@)
# The only clang that makes PTX, host code of CUDA sources, and the Verilated core: another version
# makes other code.
CLANG_VERSION := 19
CC    := gcc
CXX   := g++
VERILATOR_INC ?= /usr/share/verilator/include
OPT   ?= -O3 -march=native
, := ,
# Text files as a string of C, which a header holds.  $(1): its name, $(2): the files.
text_as_c = echo 'static const char $(1)[] ='; sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $(2); echo ';'
# For a make within a rule: as many at a time as there are processors, unless the caller said how
# many.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(or $(JOBS),$(shell nproc)))
SANITIZE := $(if $(SAN),-fsanitize=address$(,)undefined -fno-omit-frame-pointer)
CFLAGS := -std=c11 -D_GNU_SOURCE -g $(OPT) -fPIC -fvisibility=hidden -Wall -Wextra -Wshadow -Werror \
          -fno-strict-aliasing -I. -I$(GEN) -DCLANG_VERSION=$(CLANG_VERSION) $(SANITIZE) $(EXTRA_CFLAGS)
LDFLAGS := $(SANITIZE) $(EXTRA_LDFLAGS)

# Everything that heddle is made of, in the order in which it is linked.
ARCHIVES := $(patsubst %,$(BUILD)/lib%.a,harness regroup compiler cmodel stream)

.DEFAULT_GOAL := all
.PHONY: all deps run test clean help help-all
all:                            ## heddle, and what it needs but for the cores

# What `make help` shows, by what one wants to do.
define HELP
begin: deps run all test test-long clean
change the core: lint core-smoke accept formal test-lsu test-icarus fpga
change the model or the compiler: docs test-isa test-model test-compiler test-kernels test-fail check-c test-san
random kernels: fuzz fuzz-found campaign
planted bugs: mutants-apply test-mutants mutants
compare with a GPU and with the papers: silicon paper-a paper-b paper-c compare-modes
measure: bench bench-cc coverage timing-check
$(if $(filter 0,$(CUDA)),,whole CUDA programs: test-programs programs)
write pages: test-docs docs-pictures
endef
export HELP
HELP_FILES = Makefile tests/parts.mk $(filter-out tests/parts.mk,$(filter %.mk,$(MAKEFILE_LIST)))
help:                           ## the targets that are used most, by what one wants to do
	@awk -v text="$$HELP" 'match($$0, /^[a-z][a-z-]*[a-z -]*:[^#=][^#]*## /) { name = $$0; sub(/:.*/, "", name); \
	        what[name] = substr($$0, RLENGTH + 1) } \
	    END { n = split(text, line, "\n"); for (k = 1; k <= n; k++) if (line[k]) { split(line[k], part, ": "); print part[1] ":"; \
	        m = split(part[2], target, " "); for (i = 1; i <= m; i++) printf "  make %-20s%s\n", target[i], what[target[i]]; \
	        print "" } print "make help-all lists every target, file by file" }' $(HELP_FILES)
help-all:                       ## every target, file by file
	@awk 'FNR == 1 { title = substr($$0, 3); sub(/[.:;,] .*|\.$$/, "", title) } \
	    match($$0, /^[a-z][a-z-]*[a-z -]*:[^#=][^#]*## /) { name = $$0; sub(/:.*/, "", name); \
	        if (title != "") { print "\n" title " (" FILENAME ")"; title = "" } \
	        printf "  make %-22s%s\n", name, substr($$0, RLENGTH + 1) }' $(HELP_FILES)

# Debian packages, by name; quick when all are there.
PACKAGES := gcc g++ make clang-$(CLANG_VERSION) verilator iverilog yosys gtkwave ccache z3 cppcheck binutils perl \
            libcmocka-dev libmpfr-dev libcjson-dev liblapacke-dev libdw-dev zlib1g-dev libzstd-dev git patch gnuplot-nox
OPTIONAL := libthrust-dev libcub-dev
deps:                           ## install what is needed (Debian packages; as root, or with sudo)
	@missing=$$(for p in $(PACKAGES); do \
	    dpkg -s $$p 2>/dev/null | grep -q '^Status: install ok' || echo $$p; done); \
	if [ -n "$$missing" ]; then \
	    echo "installing" $$missing; \
	    sudo=; [ $$(id -u) = 0 ] || sudo=sudo; \
	    $$sudo apt-get -o DPkg::Lock::Timeout=400 -qq update && \
	    DEBIAN_FRONTEND=noninteractive $$sudo apt-get -o DPkg::Lock::Timeout=400 install -y -qq \
	        --no-install-recommends $$missing > /dev/null; \
	fi && { dpkg -s $(OPTIONAL) > /dev/null 2>&1 || ! apt-cache show $(OPTIONAL) > /dev/null 2>&1 || \
	    DEBIAN_FRONTEND=noninteractive $$([ $$(id -u) = 0 ] || echo sudo) apt-get \
	        -o DPkg::Lock::Timeout=400 -o Acquire::Retries=0 -o Acquire::http::Timeout=20 \
	        install -y -qq --no-install-recommends $(OPTIONAL) > /dev/null || \
	    echo "not installed, programs that include thrust or CUB need them: $(OPTIONAL)"; }

clean:                          ## remove everything that was built
	rm -rf $(BUILD)

RUN_LAUNCH := tests/kernels/divergent.cu --grid 8 --block 128 data:f32[1024]=rand:1 \
              steps:i32[1024] n:i32=1000
run:                            ## tests/kernels/divergent.cu in lockstep, with its waveform
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) $(BUILD)/heddle $(CORE32)
	@mkdir -p $(BUILD)/run
	$(Q)$(BUILD)/heddle lockstep $(RUN_LAUNCH) --print data[0:8] --print steps[0:16]
	$(Q)$(BUILD)/heddle wave $(RUN_LAUNCH) --around cycle:20000 -o $(BUILD)/run/divergent.fst

# Objects between two rules are kept; of those that a rule names, a missing one is built.
.PRECIOUS: $(BUILD)/%.o $(BUILD)/%.hx $(BUILD)/%.ptx
.DELETE_ON_ERROR:

# Every part brings its own rules and adds its objects to the lists below.
include tests/unit/unit.mk cmodel/build.mk compiler/build.mk rtl/build.mk rtl/fpga.mk regroup/build.mk \
        stream/build.mk harness/build.mk $(if $(filter 0,$(CUDA)),,cuda/build.mk) harness/install/install.mk page/build.mk tests/build.mk formal/build.mk tests/parts.mk

# One rule for every C object; dependencies are recorded by the compiler, and other flags make other
# objects.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CFLAGS)' | cmp -s - $@ || echo '$(CFLAGS)' > $@
.PHONY: FORCE
FORCE:
$(BUILD)/%.o: %.c $(BUILD)/flags | $(ISA_GEN)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<
# Not those of mutants, which are builds of their own, nor what a tree of Debian has (tests/fpga/tools.sh).
-include $(shell find $(BUILD) -path $(BUILD)/mutants -prune -o -path $(BUILD)/debian -prune -o -name '*.d' ! -name '*__ver.d' \
                  -print 2>/dev/null)
