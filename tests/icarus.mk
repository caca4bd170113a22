# A small grid in four states, under Icarus Verilog (rtl/README.md, "In four states").
# SPDX-License-Identifier: Apache-2.0
.PHONY: test-icarus
test-icarus: $(addprefix $(BUILD)/,heddle rtl/libcore_l4.so rtl/libcore_l4_icarus.so rtl/known.vpi)  ## a small grid in four states, all X at first; missing resets
	$(Q)tests/icarus/known.sh $(BUILD) $(BUILD)/rtl/core_l4.vvp
	$(Q)BUILD=$(BUILD) tests/icarus/test.sh
	$(Q)tests/icarus/planted.sh $(BUILD) tests/icarus/planted
TURNS += test-icarus
.PHONY: icarus-accept
icarus-accept: $(BUILD)/rtl/core_l4.vvp $(BUILD)/rtl/known.vpi       ## accept the registers known after a reset
	$(Q)tests/icarus/known.sh $(BUILD) $< --accept

$(BUILD)/rtl/known.vpi: tests/icarus/known.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -fvisibility=default -I/usr/include/iverilog -shared -o $@ $<
