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

# Units as netlists in a core of LANES=4 and 4 warps, in lockstep with the model (tests/fpga/gates.sh).
.PHONY: gate-lockstep
GATES        := $(BUILD)/gates
GATES_UNITS  := conv stack
GATES_PARAMS := STACK_DEPTH=16 WARPS=4
GATES_FILES  := $(foreach u,$(GATES_UNITS),$(GATES)/$(u).v $(GATES)/$(u)_net.v) $(GATES)/cells.v $(GATES)/simt_core.v
$(GATES)/core.il: $(CORE_DEP)
	@mkdir -p $(@D)
	$(Q)yosys -q -l $(@D)/log -p "read_verilog -defer -sv -DSYNTHESIS -Irtl -I$(GEN) $(CORE_SRC); chparam -set LANES 4 \
	    $(foreach p,$(GATES_PARAMS),-set $(subst =, ,$(p))) simt_core; hierarchy -check -top simt_core; write_rtlil $@" \
	    > $(@D)/said 2>&1 || { grep ERROR $(@D)/said; exit 1; }
$(GATES)/conv_net.v: GATES_FIRST := 1
$(GATES)/stack_net.v: GATES_FIRST := 5
$(GATES)/%_net.v: $(GATES)/core.il tests/fpga/gates.sh
	$(Q)tests/fpga/gates.sh $< $* $(@D) $(GATES_FIRST)
# Ports that are vectors look like loops to Verilator; RAM cells of Yosys' library begin by `<='.
$(GATES)/rtl/libcore_l4.so: $(GATES_UNITS:%=$(GATES)/%_net.v) tests/mutants/netlist_wrap.pl
	$(Q)tests/mutants/netlist_wrap.pl simt_core < rtl/simt_core.v > $(GATES)/simt_core.v
	$(Q)grep -v '^ *`include' /usr/share/yosys/ecp5/cells_sim.v > $(GATES)/cells.v
	$(Q)+env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(MAKE) -s $(PARALLEL) BUILD=$(GATES) GEN=$(GEN) RTL_OPT=-O1 \
	    VERILATOR="$(VERILATOR) -Wno-UNOPTFLAT -Wno-INITIALDLY" CORE_PARAMS="$(GATES_PARAMS:%=-G%)" \
	    CORE_SRC="$(filter-out rtl/simt_core.v $(GATES_UNITS:%=rtl/converge/%.v),$(CORE_SRC)) $(GATES_FILES)" $@
gate-lockstep: $(BUILD)/core_smoke $(GATES)/rtl/libcore_l4.so    ## both mechanisms as netlists of an ECP5, in lockstep; COUNT= random programs
	$(Q)cp $(BUILD)/core_smoke $(GATES)/ && tests/fpga/gates_run.sh $(GATES)/core_smoke $(or $(COUNT),20)

# A piece of the core on a small FPGA, placed: cells, clock, and the bitstream runs as the RTL does.
.PHONY: fpga-place
fpga-place: $(CORE_DEP)    ## the stack unit and a driver on an iCE40 HX8K, placed and routed, its bitstream simulated; SEED=
	$(Q)tests/fpga/place/place.sh $(BUILD) $(or $(SEED),1)
