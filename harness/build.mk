# The harness: `heddle`, and the Verilated core as one shared library for each LANES.
# SPDX-License-Identifier: Apache-2.0
HARNESS_SRC := harness/main.c $(filter-out harness/icarus/%,$(wildcard harness/*/*.c))
HARNESS_OBJ := $(HARNESS_SRC:%.c=$(BUILD)/%.o)
HARNESS_LIB := $(filter-out $(BUILD)/harness/main.o,$(HARNESS_OBJ))
HEDDLE_LIBS := -ldl -lz -lcjson -lm
VERILATOR   ?= verilator
VERILATOR_INC ?= /usr/share/verilator/include
RTL_CXX     ?= ccache g++
RTL_OPT     ?= -O2
export CCACHE_DIR ?= $(CURDIR)/$(BUILD)/ccache

all: $(BUILD)/heddle

$(BUILD)/libharness.a: $(HARNESS_LIB)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# The view is part of the program.
$(BUILD)/harness/cmd/wave.o: waves/core.gtkw

$(BUILD)/heddle: $(BUILD)/harness/main.o $(BUILD)/libharness.a $(BUILD)/libregroup.a $(BUILD)/libcompiler.a $(BUILD)/libcmodel.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

# ---- the Verilated core ----
# Verilator 5.006 has no target for an archive that can be linked: a small makefile asks for the two
# pieces that exist (docs/performance.md).  The .vlt file goes before the sources.
VFLAGS   := --cc --top-module simt_core --prefix Vcore -O3 --x-assign fast --x-initial fast -Wno-lint -Wno-style \
            -Irtl -I$(GEN) -sv
RTL_LIBS := $(LANES_ALL:%=$(BUILD)/rtl/libcore_l%.so)
# Parameters of the simulated core besides LANES.
CORE_PARAMS ?= -GSTACK_DEPTH=64

# $(1): LANES, $(2): suffix, $(3): more Verilator flags, $(4): more C++ flags
define core_rule
$(BUILD)/rtl/l$(1)$(2)/Vcore.mk: $$(CORE_DEP)
	@mkdir -p $$(@D)
	$$(Q)$$(VERILATOR) $$(VFLAGS) $(3) -GLANES=$(1) $(CORE_PARAMS) --Mdir $$(@D) rtl/probe.vlt $$(CORE_SRC)
	@printf 'include Vcore.mk\nall_: $$$$(VM_PREFIX)__ALL.a $$$$(VK_GLOBAL_OBJS)\n' > $$(@D)/all.mk

$(BUILD)/rtl/libcore_l$(1)$(2).so: $(BUILD)/rtl/l$(1)$(2)/Vcore.mk harness/core/rtl_shim.cpp harness/core/rtl_shim.h harness/core/axi_mem.h harness/core/axi_rules.h cmodel/isa/commit.h cmodel/isa/commit.def
	$$(Q)$$(MAKE) --no-print-directory $$(if $$(findstring jobserver,$$(MAKEFLAGS)),,-j2) -C $$(<D) -f all.mk all_ CXX="$$(RTL_CXX)" OPT_FAST="$$(RTL_OPT) -fPIC" \
	    OPT_SLOW="-O0 -fPIC" OPT_GLOBAL="-O2 -fPIC" > $$(<D)/log 2>&1 || { cat $$(<D)/log; exit 1; }
	$$(Q)$$(RTL_CXX) -std=c++17 -O2 -fPIC -fno-gnu-unique $(4) -I. -I$$(GEN) -I$$(<D) \
	    -I$$(VERILATOR_INC) -I$$(VERILATOR_INC)/vltstd -DRTL_LANES=$(1) -shared -Wl,-Bsymbolic -o $$@ harness/core/rtl_shim.cpp \
	    $$(<D)/Vcore__ALL.a $$$$(ls $$(<D)/verilated*.o) -pthread -lz
endef
$(foreach l,$(LANES_ALL),$(eval $(call core_rule,$(l),,,)))
# What the FST library gets from the shim instead of the C library; and how the simulator dies.
FST_WRAP := $(patsubst %,-Wl$(,)--wrap=%,fopen fclose tmpfile mmap unlink _Z11VL_FATAL_MTPKciS0_S0_)
$(foreach l,$(LANES_ALL),$(eval $(call core_rule,$(l),_trace,--trace-fst --trace-structs,-DRTL_TRACE $(FST_WRAP))))

# Whatever no reset sets begins with random bits (--x-seed).
$(eval $(call core_rule,4,_x,--x-assign unique --x-initial unique,))
$(eval $(call core_rule,4,_cov,--coverage-line --coverage-toggle,-DVM_COVERAGE=1 -Wl$(,)-z$(,)nodelete))

include harness/icarus/build.mk

.PHONY: rtl-all
rtl-all: $(RTL_LIBS)    ## the core of every LANES
