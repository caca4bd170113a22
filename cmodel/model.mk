# The golden model: its tests and its speed.
# SPDX-License-Identifier: Apache-2.0
RULES_OBJ := $(patsubst %,$(BUILD)/tests/unit/%.o,test_rules rules_naive rule_run)

$(BUILD)/test_rules: $(RULES_OBJ) $(BUILD)/libcmodel.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lm
$(BUILD)/test_model: $(BUILD)/tests/unit/test_model.o $(BUILD)/libcmodel.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lm
$(BUILD)/bench_model: $(BUILD)/tests/bench/bench_model.o $(BUILD)/libcmodel.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lm

.PHONY: test-model bench-model
test-model: $(BUILD)/test_rules $(BUILD)/test_model
	$(Q)$(BUILD)/test_rules && $(BUILD)/test_model
bench-model: $(BUILD)/bench_model
	$(Q)$(BUILD)/bench_model $(wildcard $(BUILD)/kernels/p_loop_merge.hx)
