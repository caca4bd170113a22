# Floating point: MUFU's tables, made once for the model and the core.
# SPDX-License-Identifier: Apache-2.0
$(BUILD)/mufugen: cmodel/fp/mufugen.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Wshadow -Werror -o $@ $< -lm
$(GEN)/mufu_table.h: $(BUILD)/mufugen
	@mkdir -p $(@D)
	$(Q)$< c > $@
$(GEN)/mufu_table.vh: $(BUILD)/mufugen
	@mkdir -p $(@D)
	$(Q)$< v > $@

$(BUILD)/cmodel/fp/mufu.o $(BUILD)/cmodel/fp/mufuwarp.o: $(GEN)/mufu_table.h
# A fused multiply-add where the source has two operations would round once instead of twice.
$(BUILD)/cmodel/fp/fp32.o $(BUILD)/cmodel/fp/fp64.o $(BUILD)/cmodel/fp/fpcvt.o $(BUILD)/cmodel/fp/fpwarp.o \
$(BUILD)/cmodel/fp/mufuwarp.o $(BUILD)/cmodel/machine/step.o $(BUILD)/cmodel/fast/dispatch.o $(BUILD)/cmodel/fast/region_calls.o: CFLAGS += -ffp-contract=off
# Nothing reads the host's exception flags: lanes may be computed in any order, or twice.
$(BUILD)/cmodel/fp/fpwarp.o $(BUILD)/cmodel/fp/mufuwarp.o $(BUILD)/cmodel/machine/step.o $(BUILD)/cmodel/fast/dispatch.o $(BUILD)/cmodel/fast/region_calls.o: CFLAGS += -fno-trapping-math

FP_OBJ := $(addprefix $(BUILD)/cmodel/fp/,fp32.o fp64.o fpcvt.o fpwarp.o mufu.o mufuwarp.o)
# The host's rounding mode is changed by the test.
$(BUILD)/tests/unit/test_fp32.o: CFLAGS += -frounding-math
FP_TESTS := $(addprefix $(BUILD)/tests/unit/,$(call unit_names,$(UNIT_FP)))
$(FP_TESTS): $(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(FP_OBJ)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lz -lm
$(BUILD)/tests/unit/test_mpfr: $(BUILD)/tests/unit/test_mpfr.o $(FP_OBJ)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lmpfr -lm

.PHONY: test-fp test-mpfr mufu-error mufu-mpfr
test-fp: $(FP_TESTS) test-mpfr    ## floating point and MUFU of the model
	$(Q)for t in $(FP_TESTS); do $$t || exit 1; done
# MPFR judges the model, as the model's functions judge the core's lanes (test-fpu).
test-mpfr: $(BUILD)/tests/unit/test_mpfr    ## the same, judged by MPFR
	$(Q)$<
mufu-mpfr: $(BUILD)/tests/unit/test_mpfr        ## MUFU's errors against MPFR, every STEP-th argument (STEP=1: all, hours)
	$(Q)$< $(or $(STEP),1021)
# The worst error of each function over every mantissa; docs/mufu.md holds these lines.
mufu-error: $(BUILD)/tests/unit/test_mufu    ## the worst error of each MUFU function, over every mantissa
	$(Q)$< --exhaustive

# The lanes of the core's FPU, MUFU and f64 unit against the model's functions.
FPU_OBJ := $(BUILD)/tests/fpu_obj
$(FPU_OBJ)/V%__ALL.a: rtl/exec/%.v $(wildcard rtl/exec/fpu*.v rtl/exec/f64_*.v) rtl/normalize.vh $(GEN)/mufu_table.vh $(GEN)/isa_gen.vh
	@mkdir -p $(@D)
	$(Q)verilator --cc -O3 --x-assign fast --prefix V$* --top-module $* --Mdir $(@D) -Irtl -I$(GEN) -y rtl/exec -Wall $<
	$(Q)printf 'include V$*.mk\nall_$*: $$(VM_PREFIX)__ALL.a $$(VK_GLOBAL_OBJS)\n' > $(@D)/$*.mk
	$(Q)$(MAKE) -s -C $(@D) -f $*.mk all_$* OPT_FAST=-O2 OPT_SLOW=-O0 OPT_GLOBAL=-O1
$(FPU_OBJ)/Vmufu__ALL.a: | $(FPU_OBJ)/Vfpu__ALL.a
$(FPU_OBJ)/Vf64_lane__ALL.a: | $(FPU_OBJ)/Vmufu__ALL.a
$(BUILD)/tests/fpu_equiv: $(BUILD)/tests/rtl/fpu_equiv.o tests/rtl/fpu_shim.cpp $(FP_OBJ) \
                          $(BUILD)/libisa.a $(FPU_OBJ)/Vfpu__ALL.a $(FPU_OBJ)/Vmufu__ALL.a
	$(Q)$(CXX) -std=c++17 -O2 $(LDFLAGS) -I$(FPU_OBJ) -I$(VERILATOR_INC) -I. -o $@ \
	    $^ $(wildcard $(FPU_OBJ)/verilated*.o) -pthread
$(BUILD)/tests/f64_equiv: $(BUILD)/tests/rtl/f64_equiv.o tests/rtl/f64_shim.cpp $(FP_OBJ) \
                          $(BUILD)/libisa.a $(FPU_OBJ)/Vf64_lane__ALL.a
	$(Q)$(CXX) -std=c++17 -O2 $(LDFLAGS) -I$(FPU_OBJ) -I$(VERILATOR_INC) -I. -o $@ \
	    $^ $(wildcard $(FPU_OBJ)/verilated*.o) -pthread

.PHONY: test-mufu-rom
test-mufu-rom: $(GEN)/mufu_table.vh    ## the table of MUFU that is synthesised is the one that is simulated
	@mkdir -p $(BUILD)/tests
	$(Q)iverilog -g2012 -DROWS=$$(sed -n 's/.*96\*\([0-9]*\)-1:0. ROWS.*/\1/p' $<) -I$(GEN) -s mufu_rom \
	    -o $(BUILD)/tests/mufu_rom tests/rtl/mufu_rom.v
	$(Q)vvp -n $(BUILD)/tests/mufu_rom > $(BUILD)/tests/mufu_rom.txt
	$(Q)cat $(BUILD)/tests/mufu_rom.txt && grep -q '^mufu: [1-9][0-9]* passed, 0 failed$$' $(BUILD)/tests/mufu_rom.txt \
	    && ! grep -qv '^mufu: [1-9][0-9]* passed, 0 failed$$' $(BUILD)/tests/mufu_rom.txt
LONG += test-mufu-rom
.PHONY: test-fpu
test-fpu: $(BUILD)/tests/fpu_equiv $(BUILD)/tests/f64_equiv    ## the FPU alone, and the f64 unit's lane, against the model
	$(Q)$< 200000
	$(Q)$(BUILD)/tests/f64_equiv 40000
	$(call refuses_nothing,$< 0)
	$(call refuses_nothing,$(BUILD)/tests/f64_equiv 0)
