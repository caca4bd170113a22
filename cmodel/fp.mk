# Floating point: MUFU's tables, made once for the model and the core.
# SPDX-License-Identifier: Apache-2.0
$(BUILD)/mufugen: cmodel/mufugen.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Wshadow -Werror -o $@ $< -lm
$(GEN)/mufu_table.h: $(BUILD)/mufugen
	@mkdir -p $(@D)
	$(Q)$< c > $@
$(GEN)/mufu_table.vh: $(BUILD)/mufugen
	@mkdir -p $(@D)
	$(Q)$< v > $@

$(BUILD)/cmodel/mufu.o: $(GEN)/mufu_table.h
# A fused multiply-add where the source has two operations would round once instead of twice.
$(BUILD)/cmodel/fp32.o $(BUILD)/cmodel/fpcvt.o $(BUILD)/cmodel/fpwarp.o: CFLAGS += -ffp-contract=off

FP_OBJ := $(patsubst %,$(BUILD)/cmodel/%.o,fp32 fpcvt fpwarp mufu)
# The host's rounding mode is changed by the test.
$(BUILD)/tests/unit/test_fp32.o: CFLAGS += -frounding-math
$(BUILD)/test_fp32: $(BUILD)/tests/unit/test_fp32.o $(FP_OBJ)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lz -lm
$(BUILD)/test_mufu: $(BUILD)/tests/unit/test_mufu.o $(FP_OBJ)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lz -lm

.PHONY: test-fp mufu-error
test-fp: $(BUILD)/test_fp32 $(BUILD)/test_mufu
	$(Q)$(BUILD)/test_fp32 && $(BUILD)/test_mufu
# The worst error of each function over every mantissa; docs/mufu.md holds these lines.
mufu-error: $(BUILD)/test_mufu
	$(Q)$(BUILD)/test_mufu --exhaustive
