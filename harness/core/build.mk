# The Verilated core, one shared library for each LANES, loaded with dlopen.
# SPDX-License-Identifier: Apache-2.0
VERILATOR     ?= verilator
# clang's core simulates 1.1 times as fast as g++'s and is compiled in four fifths of the time.
# With -O2 it simulates 1.18 times as fast at LANES=4 as with -O1, and takes a tenth longer to
# compile.  -O1 is for cores that trace, which a first run waits for, or count coverage.
# By its path: make would take a folder of that name, as build/ccache with build/ in PATH, for it.
CCACHE        := $(shell command -v ccache)
RTL_CXX       ?= $(CCACHE) clang++-$(CLANG_VERSION)
RTL_OPT       ?=
core_opt       = $(or $(RTL_OPT),$(if $(filter %_trace %_cov,$(1)),-O1,-O2))
export CCACHE_DIR ?= $(CURDIR)/$(BUILD)/ccache
# Parameters of the simulated core besides LANES.
CORE_PARAMS   ?= -GSTACK_DEPTH=64
VFLAGS   := --cc --top-module simt_core --prefix Vcore -O3 --x-assign fast --x-initial fast \
            -Wno-lint -Wno-style -Irtl -I$(GEN) -sv
$(GEN)/steps.h: harness/core/steps.pl rtl/conv_fn.vh rtl/converge/stack.v rtl/mem/lsu.v
	@mkdir -p $(@D)
	$(Q)harness/core/steps.pl > $@.new && mv $@.new $@

# What may be left out of an evaluation.
EVAL_DEP := harness/core/eval.pl harness/core/eval_parts.h
SHIM_DEP := $(addprefix harness/core/,rtl_shim.cpp rtl_shim.h fst_out.h fst_calls.h axi_mem.h axi_rules.h) $(EVAL_DEP) \
            $(GEN)/steps.h rtl/events.def \
            $(addprefix cmodel/isa/commit.,h def)

.PHONY: test-eval
test-eval:      ## an evaluation in parts is Verilator's eval(), an input that is left out is noticed, as is another Verilator
	$(Q)tests/rtl/eval.sh $(BUILD)/eval $(VERILATOR_INC) $(RTL_CXX) -O0
PARTS += test-eval

# What a library says of its sources (sources.h), as a word of the shell.  $(1): the library, $(2):
# prints cksum's lines of them, $(3): more for its make.  REBUILD: what a make with variables of its
# own was called by.
core_sources = \"sources $$({ $(2); } | cksum | tr -dc 0-9);$$(realpath -m --relative-to=$(dir $(1)) .);$(or \
    $(REBUILD),make $(3)$(if $(filter-out build,$(BUILD)),BUILD=$(BUILD) )$(1));$$({ $(2); } | tr '\n' ';')\"

# What several cores share, for eight of them: the same for every LANES.
$(BUILD)/rtl/share/Vshare.mk: $(wildcard rtl/cores/*.v) rtl/address.vh
	@mkdir -p $(@D)
	$(Q)$(VERILATOR) --cc --top-module share --prefix Vshare -O3 --x-assign fast --x-initial fast -Wno-lint -Wno-style \
	    -sv -Irtl -GCORES=8 --Mdir $(@D) $(filter %.v,$^)
	@printf 'include Vshare.mk\nall_: $$(VM_PREFIX)__ALL.a $$(VK_GLOBAL_OBJS)\n' > $(@D)/all.mk
SHARE_DEP := $(wildcard rtl/cores/*.v) rtl/address.vh $(addprefix harness/core/share_shim.,cpp h) $(EVAL_DEP)
$(BUILD)/rtl/libshare.so: $(BUILD)/rtl/share/Vshare.mk $(SHARE_DEP)
	$(Q)harness/core/eval.pl $(<D) Vshare > $(<D)/eval.h
	$(Q)+$(MAKE) --no-print-directory $(PARALLEL) -C $(<D) -f all.mk all_ CXX="$(RTL_CXX)" OPT_FAST="-O2 -fPIC" \
	    OPT_SLOW="-O0 -fPIC" OPT_GLOBAL="-O2 -fPIC" > $(<D)/log 2>&1 || { cat $(<D)/log; exit 1; }
	$(Q)$(RTL_CXX) -std=c++17 -O2 -fPIC -I. -I$(<D) -I$(VERILATOR_INC) -I$(VERILATOR_INC)/vltstd -shared -Wl,-Bsymbolic \
	    -DRTL_SOURCES="$(call core_sources,$@,cksum $(SHARE_DEP))" -o $@.new harness/core/share_shim.cpp $(<D)/Vshare__ALL.a $$(ls $(<D)/verilated*.o) -pthread -lz \
	    $(if $(findstring clang,$(RTL_CXX)),-latomic,-fno-gnu-unique) && mv $@.new $@

# Verilator 5.006 has no target for an archive that can be linked: a small makefile asks for the two
# pieces that exist (docs/performance.md).  The .vlt file goes before the sources.
# $(1): LANES, $(2): suffix, $(3): more Verilator flags.  More flags for the shim: SHIM_FLAGS and
# the suffix; as a variable, since the commas of -Wl would end an argument.
define core_rule
$(BUILD)/rtl/l$(1)$(2)/Vcore.mk: $$(CORE_DEP)
	@mkdir -p $$(@D)
	@cksum $$(CORE_DEP) > $$(@D)/sources
	$$(Q)$$(VERILATOR) $$(VFLAGS) $(3) -GLANES=$(1) $(CORE_PARAMS) --Mdir $$(@D) rtl/probe.vlt \
	    $$(CORE_SRC)
	@printf 'include Vcore.mk\nall_: $$$$(VM_PREFIX)__ALL.a $$$$(VK_GLOBAL_OBJS)\n' > $$(@D)/all.mk

$(BUILD)/rtl/libcore_l$(1)$(2).so: $(BUILD)/rtl/l$(1)$(2)/Vcore.mk $$(SHIM_DEP) | $(BUILD)/rtl/libshare.so
	$$(call compile_core,$$(<D),$(1),,$$(SHIM_FLAGS$(2)),$$@)
endef

# $(1): where Verilator wrote to, $(2): LANES, $(3): more C++ flags for what runs each cycle,
# $(4): for the shim, $(5): the library, whole or not at all: a test beside it may look whether it
# is newer (+: make does not see in the call that it runs a make)
define compile_core
$(Q)harness/core/eval.pl $(1) Vcore > $(1)/eval.h
$(Q)+$(MAKE) --no-print-directory $(PARALLEL) -C $(1) \
    -f all.mk all_ CXX="$(RTL_CXX)" OPT_FAST="$(call core_opt,$(1)) -fPIC $(3)" OPT_SLOW="-O0 -fPIC" \
    OPT_GLOBAL="-O2 -fPIC" > $(1)/log 2>&1 || { cat $(1)/log; exit 1; }
$(Q)$(RTL_CXX) -std=c++17 -O2 -Werror=switch -fPIC $(4) -I. -I$(GEN) -I$(1) -I$(VERILATOR_INC) \
    -I$(VERILATOR_INC)/vltstd -DRTL_LANES=$(2) \
    -DRTL_SOURCES="$(call core_sources,$(5),cat $(1)/sources 2> /dev/null || cksum $(CORE_DEP); cksum $(SHIM_DEP))" -shared -Wl,-Bsymbolic -o $(5).new \
    harness/core/rtl_shim.cpp $(1)/Vcore__ALL.a $$(ls $(1)/verilated*.o) -pthread -lz \
    $(if $(findstring clang,$(RTL_CXX)),-latomic,-fno-gnu-unique) && mv $(5).new $(5)
endef

$(foreach l,$(LANES_ALL),$(eval $(call core_rule,$(l),,)))
# A trace without the constants of the ISA, which every module would repeat (47,000 names), and in
# functions that a compiler takes seconds for, not half a minute.
TRACE_FLAGS := --trace-fst --trace-structs --no-trace-params --output-split-ctrace 500 \
               rtl/inside.vlt
# What the FST library gets from the shim instead of the C library; and how the simulator dies.
SHIM_FLAGS_trace := -DRTL_TRACE $(patsubst %,-Wl$(,)--wrap=%,fopen fclose tmpfile mmap unlink _Z11VL_FATAL_MTPKciS0_S0_)
$(foreach l,$(LANES_ALL),$(eval $(call core_rule,$(l),_trace,$(TRACE_FLAGS))))
$(foreach l,$(LANES_ALL),$(eval $(BUILD)/rtl/l$(l)_trace/Vcore.mk: rtl/inside.vlt))
# The same library for waveforms of the core without tracing.
# The library is not ours to mend: it stores misaligned words and shifts negative numbers.
$(BUILD)/harness/core/fst_lib.o: private CFLAGS += -isystem $(VERILATOR_INC) -fno-sanitize=undefined

# Whatever no reset sets begins with random bits (--x-seed).
$(eval $(call core_rule,4,_x,--x-assign unique --x-initial unique))
$(foreach f,$(F64_OTHER),$(eval $(call core_rule,4,_f$(f),-GF64_LANES=$(f))))
$(foreach c,$(UNITS_OTHER),$(eval $(call core_rule,4,_$(c),$(UNITS_$(c):%=-G%))))
# A core of another size than all others, its addresses too: what does not fit is refused (--core).
CORE_SMALL := WARPS=4 NREGS=64 SHARED_BYTES=4096 ICACHE_BYTES=1024 CONST_BYTES=512 TARGETS=4 LSU_SLOTS=2
$(eval $(call core_rule,4,_small,$(CORE_SMALL:%=-G%) +define+ADDR_BITS=34))
SHIM_FLAGS_cov := -DVM_COVERAGE=1 -Wl$(,)-z$(,)nodelete
$(eval $(call core_rule,4,_cov,--coverage-line --coverage-toggle))

# With profile feedback a core runs 1.1 to 1.4 times as many random kernels, and takes thrice as
# long to build: for campaigns.  Both compilations are in one folder, so that names stay the same.
PROFILED := $(BUILD)/profiled
define profiled_rule
$(PROFILED)/l$(1)/trained $(PROFILED)/rtl/libcore_l$(1).so: private RTL_CXX := clang++-$(CLANG_VERSION)
$(PROFILED)/l$(1)/trained: $(BUILD)/rtl/l$(1)/Vcore.mk $$(SHIM_DEP) tests/farm/train.sh | $(BUILD)/heddle
	$$(Q)rm -rf $$(@D) && mkdir -p $$(@D)/run/rtl
	$$(Q)cp $$(<D)/*.h $$(<D)/*.cpp $$(<D)/*.mk $$(<D)/sources $$(@D)/ && cp $(BUILD)/heddle $$(@D)/run/
	$$(call compile_core,$$(@D),$(1),-O2 -fprofile-generate=$$(abspath $$(@D))/raw,-fprofile-generate=$$(abspath $$(@D))/raw,$$(@D)/run/rtl/libcore_l$(1).so)
	$$(Q)tests/farm/train.sh $$(@D)/run/heddle $(1) $$(@D)/run
	$$(Q)llvm-profdata-$(CLANG_VERSION) merge -o $$(@D)/counts $$(@D)/raw/*.profraw
	$$(Q)rm -r $$(@D)/run $$(@D)/*.o $$(@D)/*.a && touch $$@
$(PROFILED)/rtl/libcore_l$(1).so: $(PROFILED)/l$(1)/trained $$(SHIM_DEP)
	@mkdir -p $$(@D)
	$$(call compile_core,$$(<D),$(1),-O2 -fprofile-use=$$(abspath $$(<D))/counts -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date,,$$@)
endef
$(foreach l,$(LANES_ALL),$(eval $(call profiled_rule,$(l))))

# A board's top level (rtl/fpga), whose link's bytes and memory the harness drives.
BOARD_SRC = $(wildcard rtl/fpga/*.v) $(filter-out rtl/simt_cores.v rtl/cores/% $(GEN)/%,$(CORE_SRC))
BOARD_DEP := $(wildcard rtl/fpga/*.v rtl/fpga/*.vh) $(GEN)/commit_wire.vh $(GEN)/told_gen.vh
BOARD_SHIM := $(addprefix harness/core/board_shim.,cpp h) harness/core/axi_rules.h
# $(1): where Verilator wrote to, $(2): the library, $(3): what the Verilog is made of
define compile_board
$(Q)+$(MAKE) --no-print-directory $(PARALLEL) -C $(1) -f all.mk all_ CXX="$(RTL_CXX)" OPT_FAST="$(or $(RTL_OPT),-O2) -fPIC" \
    OPT_SLOW="-O0 -fPIC" OPT_GLOBAL="-O2 -fPIC" > $(1)/log 2>&1 || { cat $(1)/log; exit 1; }
$(Q)$(RTL_CXX) -std=c++17 -O2 -fPIC -I. -I$(GEN) -I$(1) -I$(VERILATOR_INC) -I$(VERILATOR_INC)/vltstd -shared -Wl,-Bsymbolic \
    -DRTL_SOURCES="$(call core_sources,$(2),cksum $(3) $(BOARD_SHIM))" -o $(2).new \
    harness/core/board_shim.cpp $(1)/Vboard__ALL.a $$(ls $(1)/verilated*.o) -pthread -lz \
    $(if $(findstring clang,$(RTL_CXX)),-latomic,-fno-gnu-unique) && mv $(2).new $(2)
endef
# $(1): LANES, $(2): the folder above rtl/ for the library, $(3): the folder of the sources' rtl/, with `/', or nothing;
# $(4): what these hang on
define board_rule
$(2)/rtl/board$(1)/Vboard.mk: $(4)
	@mkdir -p $$(@D)
	$$(Q)$$(VERILATOR) --cc --top-module board --prefix Vboard -O3 --x-assign fast --x-initial fast -Wno-lint -Wno-style -sv \
	    -DCOMMIT_PORT $$(addprefix -I$(3),rtl/fpga rtl) -I$(GEN) -GLANES=$(1) $(CORE_PARAMS) --Mdir $$(@D) \
	    $$(addprefix $(3),$$(BOARD_SRC)) $(GEN)/decode_gen.v
	@printf 'include Vboard.mk\nall_: $$$$(VM_PREFIX)__ALL.a $$$$(VK_GLOBAL_OBJS)\n' > $$(@D)/all.mk
$(2)/rtl/libboard_l$(1).so: $(2)/rtl/board$(1)/Vboard.mk $$(BOARD_SHIM)
	$$(call compile_board,$$(<D),$$@,$$(CORE_DEP) $$(BOARD_DEP))
endef
$(foreach l,$(LANES_ALL),$(eval $(call board_rule,$(l),$(BUILD),,$(CORE_DEP) $(BOARD_DEP))))

.PHONY: rtl-all
rtl-all: $(RTL_LIBS)    ## the core of every LANES
