# Mutants: planted bugs that the checks must catch (docs/mutants.md).
# SPDX-License-Identifier: Apache-2.0
#
# All curated mutants are compiled into one copy of the tree, each selected by a switch; LANES=16
# stands for every LANES: with fewer the pipeline is too slow for hazards.  LANES=8 is there for
# what only beats show: with four of them an operation between lanes is still writing when a float
# wants to.  What a copy of the tree is made of.
TREE := Makefile cmodel compiler regroup rtl stream harness cuda formal page tests waves docs
MUTANT_TABLES  := $(sort $(wildcard tests/mutants/curated/*.bugs))
BLIND_TABLES   := $(sort $(wildcard tests/mutants/blind/*.bugs))
MUTANT_TREE    := $(BUILD)/mutants/tree
MUTANT_SOURCES := $(wildcard Makefile $(foreach d,$(filter-out Makefile docs,$(TREE)),$(foreach e,c h def cpp v vh mk,$d/*.$e $d/*/*.$e)) \
                  compiler/*/* waves/*)
MUTANT_BUILDS  := heddle core_smoke test_rules test_model test_lanes test_memory test_compare test_lockstep test_left_out test_chain test_ends test_high \
                  tests/unit/test_place tests/unit/test_backend rtl/libcore_l16.so rtl/libcore_l8.so rtl/libcore_l4_serial.so
MUTANT_JOBS    ?= 2

$(MUTANT_TREE)/muxed: $(MUTANT_TABLES) tests/mutants/mux.pl tests/mutants/Bugs.pm $(MUTANT_SOURCES)
	$(Q)mkdir -p $(MUTANT_TREE) && cd $(MUTANT_TREE) && rm -rf $(filter-out docs,$(TREE))
	$(Q)cp -rp $(TREE) $(MUTANT_TREE)
	$(Q)tests/mutants/mux.pl $(MUTANT_TREE) $(MUTANT_TABLES) && touch $@

.PHONY: mutants-build mutants-apply test-mutants mutants docs-mutants
mutants-build: $(MUTANT_TREE)/muxed    ## the copy of the tree that holds them all
	$(Q)env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(MAKE) -s -j2 -C $(MUTANT_TREE) BUILD=build OPT=-O1 RTL_OPT=-O1 \
	    EXTRA_CFLAGS=-w $(MUTANT_BUILDS:%=build/%)
	$(Q)cd $(MUTANT_TREE)/build/rtl && for l in 1 2 4 32; do ln -sf libcore_l16.so libcore_l$$l.so; done
	$(Q)mkdir -p $(MUTANT_TREE)/build/serial/rtl && cd $(MUTANT_TREE)/build && cp core_smoke heddle serial
	$(Q)ln -sf ../../rtl/libcore_l4_serial.so $(MUTANT_TREE)/build/serial/rtl/libcore_l4.so
	$(Q)mkdir -p $(MUTANT_TREE)/build/ops && ln -sfn ../../tests/silicon/ops $(MUTANT_TREE)/build/ops/ops

# Quick: the text that each edits is there once.
mutants-apply:    ## every planted bug still applies
	$(Q)tests/mutants/bugs.pl check $(MUTANT_TABLES) $(BLIND_TABLES) tests/fuzz/planted.bugs tests/board/predict.v.bugs tests/board/sums.v.bugs tests/board/predict.c.bugs

# A part that waited for the copy, as for a prerequisite, would begin after all others: so it builds it itself,
# one at a time.
BUILD_MUTANTS   = $(Q)+flock $(BUILD)/mutants $(MAKE) --no-print-directory mutants-build
BUILD_OPERATORS = $(Q)+flock $(BUILD)/mutants $(MAKE) --no-print-directory operators-build
test-mutants: $(MUTANT_TREE)/muxed    ## a sample of the planted bugs; MUTANT_SEED=1
	$(BUILD_MUTANTS)
	$(Q)tests/mutants/campaign.pl $(MUTANT_TREE) --sample 16 --seed $(or $(MUTANT_SEED),1) --jobs $(MUTANT_JOBS)
mutants: mutants-build          ## every planted bug, and the matrix of the checks that catch it
	$(Q)tests/mutants/campaign.pl $(MUTANT_TREE) --jobs $(MUTANT_JOBS) --results $(BUILD)/mutants/curated
PARTS += mutants-apply
LONG += test-mutants
# The pages' tables: a target of its own, as a whole campaign takes hours.
docs-mutants: mutants mutants-place     ## docs/mutants: the matrix and the table of placements, measured again
	$(Q)tests/mutants/campaign.pl --merge $(BUILD)/mutants/curated > $(BUILD)/mutants/matrix.txt
	$(Q)cp $(BUILD)/mutants/matrix.txt docs/mutants/matrix.txt
	$(Q)$(BUILD)/test_mutants_place > $(BUILD)/mutants/placement.txt 2>&1
	$(Q)awk '/^mistake/, /^all/ { sub(/ +$$/, ""); print }' $(BUILD)/mutants/placement.txt > docs/mutants/placement.txt

# Bugs written without having read the checks, in a tree of their own, with narrow cores for all
# widths.
BLIND_TREE   := $(BUILD)/mutants/blind
BLIND_BUILDS := $(filter-out rtl/libcore_l4_serial.so test_lockstep tests/unit/test_place tests/unit/test_backend,$(MUTANT_BUILDS)) test_stack test_repeat \
                test_axi_mem test_third test_port $(addprefix tests/unit/test_,isa fp32 mufu) rtl/libcore_l4.so
.PHONY: mutants-blind
$(BLIND_TREE)/muxed: $(BLIND_TABLES) tests/mutants/mux.pl tests/mutants/Bugs.pm $(MUTANT_SOURCES)
	$(Q)rm -rf $(addprefix $(BLIND_TREE)/,$(TREE)) && mkdir -p $(BLIND_TREE)/build/rtl
	$(Q)cp -rp $(TREE) $(BLIND_TREE)
	$(Q)tests/mutants/mux.pl $(BLIND_TREE) $(BLIND_TABLES) && touch $@
mutants-blind: $(BLIND_TREE)/muxed      ## bugs written without knowledge of the checks
	$(Q)env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(MAKE) -s -j2 -C $(BLIND_TREE) BUILD=build OPT=-O1 RTL_OPT=-O1 \
	    EXTRA_CFLAGS=-w $(BLIND_BUILDS:%=build/%)
	$(Q)cd $(BLIND_TREE)/build/rtl && for l in 1 2; do ln -sf libcore_l4.so libcore_l$$l.so; done; ln -sf libcore_l16.so libcore_l32.so
	$(Q)tests/mutants/campaign.pl $(BLIND_TREE) --folder tests/mutants/blind --jobs $(MUTANT_JOBS) --results $(BUILD)/mutants/blind.results

# Mutants by operators: small mistakes at COUNT places of each file of the core and of the model,
# all in one build at LANES=4.  The generators (isagen, mufugen) run before any mutant is chosen,
# and are left out; so is what several cores share, where no core chooses a mutant: share_port_kept
# has its planted bugs.
OPERATOR_FILES := $(filter-out rtl/simt_cores.v rtl/cores/% rtl/fpga/%,$(sort $(wildcard rtl/*.v rtl/*/*.v) $(CMODEL_SRC)))
OPERATORS      := $(BUILD)/mutants/operators/$(or $(COUNT),3)-$(or $(SEED),1)
OPERATOR_TOOLS := $(addprefix tests/mutants/,operators.pl Mux.pm Sites.pm)
OPERATOR_BUILDS := heddle core_smoke $(patsubst $(BUILD)/%,%,$(MODEL_TESTS) $(ISA_TESTS) $(FP_TESTS)) test_launch_args test_third \
                  rtl/libcore_l4.so
$(OPERATORS)/operators.list: $(OPERATOR_TOOLS) $(MUTANT_SOURCES) $(GEN)/decode_gen.v
	$(Q)rm -rf $(@D) && mkdir -p $(@D) && cp -rp $(TREE) $(@D)
	$(Q)tests/mutants/operators.pl $(@D) $(abspath $(GEN)) $(or $(COUNT),3) $(or $(SEED),1) $(OPERATOR_FILES)
.PHONY: operators-build test-operators mutants-operators
operators-build: $(OPERATORS)/operators.list    ## the copy of the tree that holds small mistakes
	$(Q)env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(MAKE) -s -j2 -C $(OPERATORS) BUILD=build OPT=-O1 RTL_OPT=-O1 \
	    EXTRA_CFLAGS=-w $(OPERATOR_BUILDS:%=build/%)
	$(Q)cd $(OPERATORS)/build/rtl && for l in 1 2 8 16 32; do ln -sf libcore_l4.so libcore_l$$l.so; done
	$(Q)mkdir -p $(OPERATORS)/build/ops && ln -sfn ../../tests/silicon/ops $(OPERATORS)/build/ops/ops
# Of sixteen, on a busy machine: six were caught (seed 1).  What all checks catch is
# mutants-operators' to say.
test-operators: $(OPERATORS)/operators.list     ## a sample of small mistakes in core and model, each for seconds; SEED=
	$(BUILD_OPERATORS)
	$(Q)tests/mutants/operators_run.pl $(OPERATORS) --sample 16 --seed $(or $(SEED),1) --budget 25 --least 25 --jobs $(MUTANT_JOBS)
mutants-operators: operators-build      ## all of them, score by file; COUNT= a file, SEED=; continues a run that was interrupted
	$(Q)tests/mutants/operators_run.pl $(OPERATORS) --lint $(abspath $(GEN)) --results $(OPERATORS)/results --jobs $(MUTANT_JOBS)
LONG += test-operators

# Mistakes in placed barriers, made between the passes of the compiler: whole in two seconds.
$(BUILD)/test_mutants_place: LDFLAGS += -Wl,--wrap=verify_placement,--wrap=verify_code
$(BUILD)/test_mutants_place: $(BUILD)/tests/unit/test_mutants_place.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) -lcmocka $(HEDDLE_LIBS)
.PHONY: mutants-place
mutants-place: $(BUILD)/test_mutants_place      ## mistakes in the placement of barriers, and which proof or run sees them
	$(Q)$<
PARTS += mutants-place
SAN_TESTS += $(BUILD)/test_mutants_place

# Mutants of single gates, in three units of a core with few warps: then each gate has more to do
# (docs/mutants.md has the score).  The netlist with all mutants of a unit is built once, and
# so is the core.
NETLIST_UNITS   := conv stack issue
NETLIST_conv    := conv.v conv_exec.v conv_split.v next_group.v conv_release.v conv_block.v conv_lanes.v conv_barriers.v bar_walk.v age.v starve.v
NETLIST_stack   := stack.v stack_exec.v stack_step.v stack_mem.v stack_carrier.v bar_walk.v pick.v starve.v
NETLIST_issue   := issue.v scoreboard.v pick.v slots.v turn.v bound.v
NETLIST_PARAMS_conv  := -chparam WARPS 4
NETLIST_PARAMS_stack := -chparam WARPS 4 -chparam DEPTH 16
NETLIST_PARAMS_issue := -chparam WARPS 4 -chparam LANES 16
NETLIST         := $(BUILD)/mutants/net/$(or $(COUNT),100)-$(or $(SEED),1)

# Where a file of the core is, by its name.
rtl_file = $(foreach f,$(1),$(filter %/$(f),$(CORE_SRC)))

define netlist_rule
$(NETLIST)/$(1)/list: $(CORE_DEP) tests/mutants/netlist.sh tests/mutants/netlist_wrap.pl
	@mkdir -p $$(@D) && rm -f $$(@D)/results
	$$(Q)tests/mutants/netlist.sh $$(@D) $(1) $(or $(COUNT),100) $(or $(SEED),1) $(GEN) \
	    "$(call rtl_file,$(NETLIST_$(1))) $(if $(filter issue,$(1)),$(GEN)/decode_gen.v)" "$(NETLIST_PARAMS_$(1))"
$(NETLIST)/$(1)/pair.aag: $(NETLIST)/$(1)/list $(wildcard tests/mutants/netlist_pair.* tests/mutants/same_$(1).vh \
                          tests/mutants/$(1)_needed.v)
	$$(Q)rm -f $$(@D)/results && tests/mutants/netlist_pair.sh $$(@D) $(1) $(GEN)
$(NETLIST)/$(1)/$(1).v $(NETLIST)/$(1)/simt_core.v $(NETLIST)/$(1)/$(1)_net.v: $(NETLIST)/$(1)/list ;
$(NETLIST)/$(1)/rtl/libcore_l16.so: $(NETLIST)/$(1)/list
	$$(Q)env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $$(MAKE) -s BUILD=$$(NETLIST)/$(1) GEN=$(GEN) RTL_OPT=-O1 \
	    REBUILD="make mutants-netlist" \
	    CORE_PARAMS="-GSTACK_DEPTH=16 -GWARPS=4 -GNREGS=256" CORE_SRC="$$(filter-out %/$(1).v rtl/simt_core.v,$$(CORE_SRC)) \
	    $(NETLIST)/$(1)/$(1).v $(NETLIST)/$(1)/simt_core.v $(NETLIST)/$(1)/$(1)_net.v" $$@
endef
$(foreach u,$(NETLIST_UNITS),$(eval $(call netlist_rule,$(u))))

$(BUILD)/cofactor: tests/mutants/cofactor.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -o $@ $<
NETLIST_CHOSEN := $(or $(UNITS),$(NETLIST_UNITS))
NETLIST_BUILT  := $(BUILD)/core_smoke $(BUILD)/cofactor \
                  $(foreach u,$(NETLIST_CHOSEN),$(NETLIST)/$(u)/rtl/libcore_l16.so $(NETLIST)/$(u)/pair.aag)
.PHONY: mutants-netlist
mutants-netlist: $(NETLIST_BUILT)       ## single gates changed: which check notices, and proofs; UNITS= COUNT= SEED= FIRST=
	$(Q)bad=0; for u in $(NETLIST_CHOSEN); do cp $(BUILD)/core_smoke $(BUILD)/cofactor $(NETLIST)/$$u/ && \
	    tests/mutants/netlist.pl $$u $(NETLIST)/$$u --jobs $(MUTANT_JOBS) $(if $(FIRST),--first $(FIRST)) \
	    || bad=1; done; exit $$bad
