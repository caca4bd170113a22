# The core on an FPGA: area and depth of its units (docs/area.md).
# SPDX-License-Identifier: Apache-2.0
.PHONY: fpga fpga-accept docs-area test-area
FPGA_SETS ?= small.ecp5
fpga: $(CORE_DEP)       ## LUTs, registers, RAM, DSPs and levels of every unit; FPGA_SETS=set.family..., UNITS=names, JOBS=
	$(Q)set -e; $(foreach s,$(FPGA_SETS),tests/fpga/area --build $(BUILD) --jobs $(or $(JOBS),$(shell nproc)) \
	    --set $(basename $(s)) --family $(subst .,,$(suffix $(s))) $(UNITS);)
fpga-accept:            ## after fpga: the numbers are the accepted ones; NOTE= says what changed
	$(Q)tests/fpga/accept.pl $(BUILD)/fpga "$(NOTE)" $(FPGA_SETS)
docs-area:              ## the tables of docs/area.md, from the accepted numbers
	$(Q)tests/fpga/page.pl docs/area.md
# Small units, quick to synthesise, of different kinds: of both mechanisms, a lane, one of memory.
AREA_CHECKED := bar_block retire axi_arb converge fpu
test-area: $(CORE_DEP)  ## no small unit has grown beyond its accepted area; docs/area.md shows the accepted numbers
	$(Q)tests/fpga/area --build $(BUILD) --check $(AREA_CHECKED)
	$(Q)tests/fpga/page.pl --check docs/area.md
	$(Q)tests/fpga/planted.sh $(BUILD) retire
LONG += test-area

# The core as netlists, in lockstep with the model (tests/fpga/gates.sh).  `gates`: both mechanisms in a core of
# LANES=4, memories as RAMs of 16 x 4.  `gates_core`: a small core with both mechanisms, floats and a constant cache
# (as the set `fit`, docs/area.md), 256 registers for kernels that need more than 64.  Only simt_core.v, the LSU's
# own registers and shared memory are RTL there: the harness reads into the latter two.
.PHONY: gate-lockstep gate-core
GATES_NAMES := gates gates_core
gates_LANES := 4
gates_UNITS := conv stack
gates_PARAMS := STACK_DEPTH=16 WARPS=4
gates_MEMORIES := small
gates_core_LANES := 4
gates_core_UNITS := csr dispatcher fetch issue execute sreg converge axi_arb retire \
                    lsu_address lsu_known lsu_device lsu_atomic lsu_data lsu_fault lsu_result
gates_core_PARAMS := WARPS=4 SHARED_BYTES=16384 ICACHE_BYTES=4096 CONST_BYTES=512 STACK_DEPTH=4 CONV_LANES=1 F64_LANES=0 \
                     FLOAT_LANES=1 MATCH_SERIAL=1 CONV_QUEUE=1 TRACK=0 TARGETS=0 LSU_SLOTS=1 RANGE_SERIAL=1
gates_core_MEMORIES := kept
gates_file = $(wildcard rtl/*/$(1).v)
gates_net  = $(foreach u,$($(1)_UNITS),$(BUILD)/$(1)/$u_net.v)
gates_made = $(foreach u,$($(1)_UNITS),$(BUILD)/$(1)/$u.v) $(gates_net) $(BUILD)/$(1)/cells.v $(BUILD)/$(1)/simt_core.v
# Ports that are vectors look like loops to Verilator; RAM cells of Yosys' library begin by `<='.
define gates_rule
$(BUILD)/$(1)/core.il: $$(CORE_DEP)
	@mkdir -p $$(@D)
	$$(Q)yosys -q -l $$(@D)/log -p "read_verilog -defer -sv -DSYNTHESIS -Irtl -I$$(GEN) $$(CORE_SRC); \
	    chparam -set LANES $($(1)_LANES) $$(foreach p,$($(1)_PARAMS),-set $$(subst =, ,$$p)) simt_core; \
	    hierarchy -check -top simt_core; write_rtlil $$@" > $$(@D)/said 2>&1 || { grep ERROR $$(@D)/said; exit 1; }
$(foreach u,$($(1)_UNITS),$(BUILD)/$(1)/$u_net.v): $(BUILD)/$(1)/%_net.v: $(BUILD)/$(1)/core.il tests/fpga/gates.sh
	$$(Q)tests/fpga/gates.sh $$< $$* $$(@D) $$(call gates_first,$($(1)_UNITS),$$*) $($(1)_MEMORIES)
$(BUILD)/$(1)/rtl/libcore_l$($(1)_LANES).so: $(foreach u,$($(1)_UNITS),$(BUILD)/$(1)/$u_net.v) tests/mutants/netlist_wrap.pl \
    harness/core/rtl_shim.cpp harness/core/rtl_shim.h
	$$(Q)tests/mutants/netlist_wrap.pl simt_core < rtl/simt_core.v > $(BUILD)/$(1)/simt_core.v
	$$(Q)grep -v '^ *`include' /usr/share/yosys/ecp5/cells_sim.v > $(BUILD)/$(1)/cells.v
	$$(Q)+env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $$(MAKE) -s $$(PARALLEL) BUILD=$(BUILD)/$(1) GEN=$$(GEN) RTL_OPT=-O1 \
	    REBUILD="make $$(if $$(filter-out build,$(BUILD)),BUILD=$(BUILD) )$$@" \
	    VERILATOR="$$(VERILATOR) -Wno-UNOPTFLAT -Wno-INITIALDLY" CORE_PARAMS="$($(1)_PARAMS:%=-G%)" \
	    $$(addprefix -o ,$$(GEN)/decode_gen.v $$(RTL_GEN)) \
	    CORE_SRC="$$(filter-out rtl/simt_core.v $$(foreach u,$($(1)_UNITS),$$(call gates_file,$$u)),$$(CORE_SRC)) \
	    $$(call gates_made,$(1))" $$@
endef
# The number of a unit's first planted bug: four for each unit before it.
gates_first = $(shell echo $(1) | tr ' ' '\n' | awk '$$1 == "$(2)" { print 4 * NR - 3 }')
$(foreach g,$(GATES_NAMES),$(eval $(call gates_rule,$g)))
gate-lockstep: $(BUILD)/core_smoke $(BUILD)/gates/rtl/libcore_l4.so    ## both mechanisms as netlists of an ECP5, in lockstep; COUNT= random programs
	$(Q)cp $(BUILD)/core_smoke $(BUILD)/gates/ && tests/fpga/gates_run.sh $(BUILD)/gates/core_smoke $(or $(COUNT),20)
gate-core: $(BUILD)/heddle $(BUILD)/core_smoke $(BUILD)/gates_core/rtl/libcore_l4.so    ## a small core as netlists: tests/kernels and random programs in lockstep; COUNT= of each kind, SECONDS= for each kernel
	$(Q)tests/fpga/gates_core.sh $(BUILD)/heddle $(BUILD)/core_smoke $(BUILD)/gates_core/rtl/libcore_l4.so $(or $(COUNT),10) \
	    $(words $(foreach u,$(gates_core_UNITS),1 2 3 4)) $(or $(SECONDS),600) $(KERNELS)

# A piece of the core on a small FPGA, placed: cells, clock, and the bitstream runs as the RTL does.
.PHONY: fpga-place
fpga-place: $(CORE_DEP)    ## the stack unit and a driver on an iCE40 HX8K, placed and routed, its bitstream simulated; SEED=
	$(Q)tests/fpga/place/place.sh $(BUILD) $(or $(SEED),5) $(if $(SEED),0,30)
