# The core under Icarus Verilog, in four states, as a library like the Verilated ones
# (heddle --four-state).
# SPDX-License-Identifier: Apache-2.0
ICARUS_LANES ?= 4
ICARUS_RTL   := $(BUILD)/rtl/icarus
ICARUS_H     := $(addprefix harness/icarus/,icarus.h wires.def) \
                rtl/events.def $(addprefix cmodel/isa/commit.,h def) $(ISA_GEN)
# Said of every process with a constant index into an array: it wakes up more often than it must.
ICARUS_CHATTER := sorry: constant selects in always_\* processes are not currently supported

# Icarus 11 lets some of the core's `always_comb` processes wake each other for ever; as `always @*`
# they settle.  All that gets lost is their start at time 0, before the reset.
$(ICARUS_RTL)/prepared: $(CORE_DEP)
	@mkdir -p $(@D)
	@cksum $(CORE_DEP) > $(@D)/sources
	$(Q)for f in $(filter %.v %.vh,$(CORE_DEP)); do \
	    sed 's/\<always_comb\>/always @*/' $$f > $(@D)/$$(basename $$f) || exit 1; done
	@touch $@

# $(1): LANES, $(2): the program, $(3): the folder with prepared sources
define icarus_compile
$$(Q)iverilog -g2012 -s simt_core -Psimt_core.LANES=$(1) $$(CORE_PARAMS:-G%=-Psimt_core.%) -I$(3) \
	    -o $(2).early $$(addprefix $(3)/,$$(notdir $$(CORE_SRC))) 2> $(2).log; s=$$$$?; \
	    grep -v '$$(ICARUS_CHATTER)' $(2).log >&2; [ $$$$s = 0 ]
	$$(Q)harness/icarus/order.pl < $(2).early > $(2) && rm $(2).early $(2).log
endef
define icarus_rule
$(BUILD)/rtl/core_l$(1).vvp: $(ICARUS_RTL)/prepared harness/icarus/order.pl
	$(call icarus_compile,$(1),$(BUILD)/rtl/core_l$(1).vvp,$(ICARUS_RTL))
$(BUILD)/rtl/libcore_l$(1)_icarus.so: harness/icarus/shim.c $(ICARUS_H) harness/core/rtl_shim.h \
        harness/core/axi_mem.h harness/core/axi_rules.h $(BUILD)/rtl/core_l$(1).vvp $(BUILD)/rtl/icarus.vpi
	$$(Q)$$(CC) $$(CFLAGS) -fvisibility=default -shared -Wl,-Bsymbolic -DRTL_LANES=$(1) \
	    -DRTL_SOURCES="$$(call core_sources,$$@,cat $(ICARUS_RTL)/sources 2> /dev/null || cksum $(CORE_DEP); cksum harness/icarus/shim.c harness/core/rtl_shim.h,ICARUS_LANES=$(1) )" \
	    -o $$@ $$< -ldl
endef
$(foreach l,$(ICARUS_LANES),$(eval $(call icarus_rule,$(l))))

$(BUILD)/rtl/icarus.vpi: harness/icarus/vpi.c $(ICARUS_H)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -fvisibility=default -I/usr/include/iverilog -shared -o $@ $<

# For planted bugs: LANES 4, other sources, another place (tests/icarus/planted.sh).
.PHONY: icarus-program
icarus-program:    ## the same, from sources with a planted bug
$(eval icarus-program: ; $(call icarus_compile,4,$(ICARUS_PROGRAM),$(ICARUS_RTL)))
