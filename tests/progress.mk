# No warp starves (docs/progress.md): loops of each class of instruction, by warps resident and
# LANES.
# SPDX-License-Identifier: Apache-2.0
$(BUILD)/progress/loops.hx: tests/progress/loops.cu $(BUILD)/heddle
	@mkdir -p $(@D)
	$(Q)$(BUILD)/heddle cc $< -o $@
$(BUILD)/progress/progress: $(BUILD)/tests/progress/progress.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)
.PHONY: test-progress
test-progress: $(BUILD)/progress/progress $(BUILD)/progress/loops.hx $(RTL_LIBS)   ## no warp, no unit waits for longer than its bound
	$(Q)$< $(BUILD)/progress/loops.hx $(LANES_ALL)
	$(call refuses_nothing,$< $(BUILD)/progress/loops.hx)
LONG += test-progress
