# A small grid in four states, under Icarus Verilog (rtl/README.md, "In four states").
# SPDX-License-Identifier: Apache-2.0
.PHONY: test-icarus
test-icarus: $(addprefix $(BUILD)/,heddle rtl/libcore_l4.so rtl/libcore_l4_icarus.so)  ## a small grid in four states, all X at first
	$(Q)BUILD=$(BUILD) tests/icarus/test.sh
test-all: test-icarus
