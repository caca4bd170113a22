# What an H200 recorded, and how fast this machine is.
# SPDX-License-Identifier: Apache-2.0
SILICON ?= tests/silicon
MODE    ?= barrier

.PHONY: silicon bench
silicon: $(BUILD)/heddle $(BUILD)/rtl/libcore_l32.so            ## kernels and operations against an H200's; SILICON=DIR MODE=stack
	$(Q)$(BUILD)/heddle silicon $(SILICON) --mode $(MODE)

bench: $(BUILD)/heddle $(BUILD)/bench_model $(BUILD)/rtl/libcore_l32.so $(BUILD)/kernels/p_loop_merge.hx   ## speed of model, core and lockstep
	$(Q)$(BUILD)/bench_model $(BUILD)/kernels/p_loop_merge.hx
	$(Q)$(BUILD)/heddle bench

$(BUILD)/kernels/%.hx: tests/silicon/kernels/%.cu $(BUILD)/heddle
	@mkdir -p $(@D)
	$(Q)$(BUILD)/heddle cc $< -o $@
