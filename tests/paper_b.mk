# Paper B's workloads.
# SPDX-License-Identifier: Apache-2.0
PAPER_B_OBJ := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/paper_b/*.c))

# The host versions must round where the kernels do.
$(PAPER_B_OBJ): CFLAGS += -ffp-contract=off
$(BUILD)/paper_b: $(PAPER_B_OBJ) $(BUILD)/tests/paper_a/mummer.o $(BUILD)/tests/problem.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

.PHONY: test-paper-b
test-paper-b: $(BUILD)/paper_b                          ## paper B's seven workloads against their host versions, in two orders
	$(Q)$(BUILD)/paper_b check rtl
	$(call refuses_nothing,$(BUILD)/paper_b check rtl nobody)
PARTS += test-paper-b
