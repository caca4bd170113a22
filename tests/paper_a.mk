# Paper A's workloads, and the paper reproduced.
# SPDX-License-Identifier: Apache-2.0
PAPER_A     := $(BUILD)/paper-a
PAPER_A_OBJ := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/paper_a/*.c))

# The host versions must round where the kernels do.
$(PAPER_A_OBJ): CFLAGS += -ffp-contract=off
$(BUILD)/paper_a: $(PAPER_A_OBJ) $(BUILD)/libharness.a $(BUILD)/libcompiler.a $(BUILD)/libcmodel.a
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

.PHONY: test-paper-a
test-paper-a: $(BUILD)/paper_a                          ## paper A's nine workloads against their host versions
	$(Q)$(BUILD)/paper_a check
test: test-paper-a
