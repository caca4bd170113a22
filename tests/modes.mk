# Barriers against the stack: the same kernels, compiled for both, on the same core.
# SPDX-License-Identifier: Apache-2.0
MODES         := $(BUILD)/modes
MODES_OBJ     := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/modes/*.c))
NEEDS_ITS     := $(shell cat tests/silicon/needs_its.txt)
MODES_KERNELS := $(sort $(filter-out $(NEEDS_ITS:%=tests/silicon/kernels/%.ptx),$(wildcard tests/silicon/kernels/*.ptx)) \
                        $(wildcard tests/kernels/*.cu))

$(BUILD)/compare_modes: $(MODES_OBJ) $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

.PHONY: compare-modes test-modes
compare-modes: $(BUILD)/compare_modes $(BUILD)/rtl/libcore_l32.so   ## barriers and stack on the same core: docs/modes.md
	@mkdir -p $(MODES) docs/modes
	$(Q)$(BUILD)/compare_modes $(MODES)/modes.dat --page docs/modes.md --kernels docs/modes/kernels.md $(MODES_KERNELS)
	$(Q)gnuplot -e "folder='$(MODES)'" tests/modes/plots.gp
	$(Q)cp $(MODES)/modes.dat $(MODES)/*.svg docs/modes

# That the comparison works: a kernel that spills, one of another kind, one that only barriers can
# run, one whose warps displace each other's lines in the instruction cache.
MODES_SAMPLE := tests/silicon/kernels/p_loop_trip.ptx tests/silicon/kernels/r0033.ptx tests/kernels/divergent.cu tests/fail/stack_spin.cu
test-modes: $(BUILD)/compare_modes $(CORE32)    ## a sample of compare-modes
	@mkdir -p $(MODES)
	$(Q)$(BUILD)/compare_modes $(MODES)/sample.dat --page $(MODES)/sample.md --kernels $(MODES)/kernels.md $(MODES_SAMPLE) \
	        > $(MODES)/sample.txt; code=$$?; cat $(MODES)/sample.txt; test $$code = 0 && \
	    test $$(grep -c '^| `' $(MODES)/kernels.md) = 3 && \
	    grep -q 'kernels 4, compared 3, only with independent lanes 1, wrong 0' $(MODES)/sample.txt
	$(call refuses_nothing,$(BUILD)/compare_modes $(MODES)/none.dat --model)
TURNS += test-modes
