# Proofs: every harness formal/NAME.v, its covers and its planted bugs (formal/prove says how).
# SPDX-License-Identifier: Apache-2.0
FORMAL_ALL   := $(patsubst formal/%.v,%,$(wildcard formal/*.v))
# Those of `make test`: up to a quarter of a minute each.
FORMAL_QUICK := axi_read_port axi_write_port pick_fair age_order age_serial_order \
                fault_last stack_halted known_inside

# The others take turns, a part each: some in `make test`, those of some minutes in `make test-long`.
FORMAL_TURNS := lsu_write_port lsu_read_port barriers_serial_kept none_begins probe_equal
FORMAL_LONG  := $(filter-out $(FORMAL_QUICK) $(FORMAL_TURNS),$(FORMAL_ALL))
FORMAL_PARTS := $(FORMAL_TURNS:%=formal-%) $(FORMAL_LONG:%=formal-%)

.PHONY: formal test-formal test-formal-long $(FORMAL_PARTS)
formal: FORMAL ?= $(FORMAL_ALL)
formal test-formal test-formal-long $(FORMAL_PARTS): $(GEN)/decode_gen.v $(RTL_GEN)
formal:                         ## proofs, with covers and planted bugs; DEPTH=cycles goes deeper, FORMAL=names picks, JOBS= at a time
	$(Q)formal/prove --build $(BUILD) --jobs $(or $(JOBS),$(shell nproc)) $(if $(DEPTH),--depth $(DEPTH)) $(FORMAL)
test-formal:    ## the proofs that take seconds; of the others, that they can be read
	$(Q)formal/prove --only head $(FORMAL_ALL)
	$(Q)formal/prove --build $(BUILD) --jobs $(or $(JOBS),$(shell nproc)) $(FORMAL_QUICK)
test-formal-long:               ## the other proofs
	$(Q)formal/prove --build $(BUILD) --jobs $(or $(JOBS),$(shell nproc)) $(FORMAL_TURNS) $(FORMAL_LONG)
$(FORMAL_PARTS): formal-%:
	$(Q)formal/prove --build $(BUILD) --jobs $(or $(JOBS),$(shell nproc)) $*
PARTS += test-formal
TURNS += $(FORMAL_TURNS:%=formal-%)
LONG  += $(FORMAL_LONG:%=formal-%)

.PHONY: test-clear
test-clear: $(GEN)/decode_gen.v $(RTL_GEN)      ## each unit's state after a clear is its state after a reset, proved
	$(Q)formal/clear --build $(BUILD) --jobs $(or $(JOBS),$(shell nproc))
LONG += test-clear
