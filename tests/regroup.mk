# Block counts and regrouping (regroup/, docs/regroup.md).
# SPDX-License-Identifier: Apache-2.0
REGROUP_TESTS := $(addprefix $(BUILD)/,$(call unit_names,$(UNIT_REGROUP)))
$(REGROUP_TESTS): $(BUILD)/test_%: $(BUILD)/tests/unit/test_%.o $(BUILD)/libharness.a $(BUILD)/libregroup.a \
                  $(BUILD)/libcompiler.a $(BUILD)/libcmodel.a
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) -lcmocka $(HEDDLE_LIBS)

.PHONY: test-regroup
test-regroup: $(REGROUP_TESTS) $(BUILD)/heddle    ## block counts, metrics and orders of threads
	$(Q)for t in $(REGROUP_TESTS); do $$t || exit 1; done
PARTS += test-regroup
