# Kernels with their own expectation, what must fail, and the harness's units.
# SPDX-License-Identifier: Apache-2.0
HARNESS_LINK = $(Q)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(ARCHIVES) $(LDFLAGS) -lcmocka $(HEDDLE_LIBS)
HARNESS_TESTS := $(addprefix $(BUILD)/,$(call unit_names,$(UNIT_HARNESS)))

$(HARNESS_TESTS): $(BUILD)/test_%: $(BUILD)/tests/unit/test_%.o $(ARCHIVES)
	$(HARNESS_LINK)
# The model beside itself, by a run that is caught.
$(BUILD)/test_fast: LDFLAGS += -Wl,--wrap=fast_run
$(BUILD)/test_fast: $(BUILD)/tests/unit/model_same.o
# Where it lets RTL and model agree on what is not so.
$(BUILD)/test_deadlock: LDFLAGS += -Wl,--wrap=model_view,--wrap=fast_spins

.PHONY: test-harness test-kernels test-fail test-cli test-files test-signals
test-harness: $(HARNESS_TESTS) $(CORE32) $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libcore_l4_trace.so    ## unit tests of the harness
	$(Q)for t in $(HARNESS_TESTS); do $$t || exit 1; done

# Those that name other LANES than 4 and 32 wait for more cores, and large ones for more time.
KERNELS       := $(sort $(wildcard tests/kernels/*.cu tests/kernels/*.ptx tests/kernels/*.s))
FAIL          := $(sort $(wildcard tests/fail/*.cu tests/fail/*.ptx tests/fail/*.s))
KERNELS_LANES := $(shell grep -lE '^// LANES:.* (1|2|8|16)( |$$)' $(KERNELS))
KERNELS_LARGE := $(addprefix tests/kernels/,tall_grids.s crowded.s yield_sets.s many_blocks.s odd_blocks.cu block_counts.cu)
.PHONY: test-kernels-lanes
test-kernels: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so $(CORE32)    ## kernels with their expectation
	$(Q)$(BUILD)/heddle check $(filter-out $(KERNELS_LANES) $(KERNELS_LARGE),$(KERNELS))
test-kernels-lanes: $(BUILD)/heddle $(RTL_LIBS)         ## kernels for every LANES, large ones, and all at LANES=8
	$(Q)$(BUILD)/heddle check $(KERNELS_LANES) $(KERNELS_LARGE)
	$(Q)$(BUILD)/heddle check --lanes 8 $(filter-out $(KERNELS_LARGE),$(KERNELS)) $(FAIL)
LONG += test-kernels-lanes
# On a core with fewer warps, registers and less shared memory; which do not fit is named.
.PHONY: test-small-core
test-small-core: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4_small.so    ## a smaller core: what does not fit is refused, all other kernels are equal
	$(Q)tests/fail/small_core.sh $(BUILD)/heddle $(abspath $(BUILD)/rtl/libcore_l4_small.so)
	$(Q)$(BUILD)/heddle check --core $(BUILD)/rtl/libcore_l4_small.so --mem-seed 77 $(KERNELS)
LONG += test-small-core
# Where their hashes come from: the same source, compiled and computed by the host.
HOST_KERNELS := $(patsubst tests/kernels/host/%.cc,$(BUILD)/host/%,$(wildcard tests/kernels/host/*.cc))
$(BUILD)/host/%: tests/kernels/host/%.cc $(wildcard tests/kernels/host/*.h tests/kernels/*.cu compiler/softlib/*.cuh)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Wno-implicit-fallthrough -o $@ $<
.PHONY: test-host
test-host: $(HOST_KERNELS)              ## the hashes of test-kernels are what the host computes
	$(Q)for k in $(notdir $^); do grep -h '^// HASH: ' tests/kernels/$$k.[cp]* > $(BUILD)/host/$$k.told; \
	    $(BUILD)/host/$$k > $(BUILD)/host/$$k.said && diff $(BUILD)/host/$$k.told $(BUILD)/host/$$k.said || \
	    { echo "tests/kernels/$$k: its hash (<) is not what the host computes (>)"; exit 1; }; done
	$(Q)for k in $$(grep -l '^// HASH: ' tests/kernels/*.cu tests/kernels/*.ptx tests/kernels/*.s); do k=$${k##*/}; \
	    test -f tests/kernels/host/$${k%.*}.cc || { echo "$$k: who says that this is its hash?"; exit 1; }; done
	$(Q)echo "host: hashes of $(words $^) kernels are the host's"
PARTS += test-host
.PHONY: test-predict
test-predict: $(BUILD)/heddle $(BUILD)/rtl/libcore_l32.so    ## every placement of predictions stores the same; docs/speculative.md
	$(Q)mkdir -p $(BUILD)/predict
	$(Q)tests/predict/placements.pl $(BUILD)/heddle tests/predict/patterns.cu docs/speculative.md $(BUILD)/predict
test-fail: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so $(CORE32)    ## kernels that must fail, with their message
	$(Q)$(BUILD)/heddle check $(FAIL)
test-cli: $(BUILD)/heddle $(CORE32) $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libcore_l4_trace.so    ## wrong use and broken input: messages and exit statuses
	$(Q)BUILD=$(BUILD) tests/fail/cli.sh
.PHONY: test-empty
test-empty: $(BUILD)/heddle                             ## every checker on empty input: it must refuse
	$(Q)BUILD=$(BUILD) tests/fail/empty.sh
	$(Q)tests/fail/empty_tools.sh
TURNS += test-empty
# Of a test program: on nothing it must say no.  (COMMAND)
refuses_nothing = $(Q)! $(1) > $(BUILD)/nothing.txt 2>&1 || { echo "passes on nothing: $(1)"; cat $(BUILD)/nothing.txt; exit 1; }
# What heddle writes, and how it is stopped.
test-files: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libcore_l4_trace.so    ## output files: whole or not at all
	$(Q)BUILD=$(BUILD) tests/fail/files.sh
# What a first user reads: races, limits, buffers that do not fit, nothing to do.
.PHONY: test-verdict
test-verdict: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so    ## races are said, limits name places, buffers fit the source
	$(Q)tests/verdict/verdict.sh $(BUILD)/heddle
TURNS += test-verdict
# A core that is older than its sources.
.PHONY: test-stale
test-stale: $(BUILD)/heddle $(CUDA_NEEDS) $(addprefix $(BUILD)/rtl/lib,core_l4.so core_l4_trace.so share.so)    ## an edited rtl/ is never judged by the core from before
	$(Q)tests/fail/stale_core.sh $(BUILD)
PARTS += test-stale
test-signals: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so $(CORE32) $(BUILD)/rtl/libcore_l4_trace.so    ## Ctrl-C: every command stops within a second
	$(Q)BUILD=$(BUILD) tests/fail/signals.sh

# A row of the table that the comparison does not have, and what the self-test must then say.
PLANTED_1 := /^FIELD(released, /,+1d
PLANTED_2 := /^FIELD(wait, /,+1d
$(BUILD)/planted/heddle.%: cmodel/isa/commit.def cmodel/isa/compare.c $(BUILD)/heddle
	@mkdir -p $(@D)/$*/cmodel/isa
	$(Q)sed '$(PLANTED_$*)' $< > $(@D)/$*/cmodel/isa/commit.def && ! cmp -s $< $(@D)/$*/cmodel/isa/commit.def
	$(Q)$(CC) -I$(@D)/$* $(CFLAGS) -c -o $(@D)/compare_$*.o cmodel/isa/compare.c
	$(Q)$(CC) $(CFLAGS) -o $@ $(BUILD)/harness/main.o $(@D)/compare_$*.o $(ARCHIVES) $(LDFLAGS) $(HEDDLE_LIBS)
	$(Q)echo 'at byte' > $(@D)/field.$*
.PHONY: test-planted
test-planted: $(BUILD)/planted/heddle.1 $(BUILD)/planted/heddle.2 $(CORE32)    ## a comparison that lost a field refuses to say equal
	$(Q)tests/fail/planted.sh $(BUILD)/planted
PARTS += test-planted

# What a launch hands to its threads, against arithmetic of its own.
.PHONY: test-launch
test-launch: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so $(CORE32)    ## what a launch passes to its threads, against an independent computation
	$(Q)tests/launch/words.pl $(BUILD)/heddle
TURNS += test-launch
# Mistakes in the tables that model and core are made from.
.PHONY: test-tables
test-tables: $(BUILD)/tests/decode_vectors $(BUILD)/tests/unit/test_mpfr    ## mistakes in the tables that model and core share
	$(Q)tests/fail/tables.sh $(BUILD)
LONG += test-tables

PARTS += test-harness test-kernels
TURNS += test-fail test-cli test-files test-signals
