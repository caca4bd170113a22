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
