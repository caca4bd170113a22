# The core on a board of its own: pins, netlists, bitstreams (docs/board.md).
# SPDX-License-Identifier: Apache-2.0

# ---- pins: a serial line, an SDRAM ----
.PHONY: test-sdram
test-sdram:     ## the SDRAM's controller against a chip with its rules; planted mistakes are found
	$(Q)tests/fpga/board/sdram.sh $(BUILD)/sdram
PARTS += test-sdram

# ---- synthesis, placement ----
.PHONY: fpga-tools
fpga-tools:     ## which yosys and nextpnr-ecp5 are used; makes a tree of a newer Debian if none is installed
	$(Q)tests/fpga/tools.sh $(BUILD)
