# The library's PTX, a C string for each unit: compiled by clang, embedded by
# compiler/driver/softlib.c.
# SPDX-License-Identifier: Apache-2.0
SOFTLIB_CLANG ?= clang-$(CLANG_VERSION)
SOFTLIB_UNITS := $(patsubst compiler/softlib/%.cu,%,$(wildcard compiler/softlib/*.cu))
$(GEN)/softlib/%.ptx: compiler/softlib/%.cu compiler/softlib/softlib.mk $(BUILD)/flags $(wildcard compiler/softlib/*.cuh compiler/*.h) compiler/include/cuda_errors.def
	@mkdir -p $(@D)
	$(Q)$(SOFTLIB_CLANG) -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-path=/nonexistent -nocudainc -nocudalib \
	  -Xclang -target-feature -Xclang +ptx64 -O2 -fno-unroll-loops -mllvm -simplifycfg-sink-common=false -mllvm -trap-unreachable \
	  -ffp-contract=off -Icompiler -S $< -o $@
$(GEN)/softlib_ptx.h: $(SOFTLIB_UNITS:%=$(GEN)/softlib/%.ptx)
	$(Q){ echo '/* Generated from compiler/softlib: do not edit. */'; for f in $^; do u=$${f##*/}; \
	  echo "static const char $${u%.ptx}_ptx[] ="; sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $$f; echo ';'; done; } > $@
$(BUILD)/compiler/driver/softlib.o: $(GEN)/softlib_ptx.h

# The same sources on the host, with the model's MUFU underneath; no multiply-add but those that
# they ask for.
$(addprefix $(BUILD)/tests/unit/,test_f64.o test_math.o test_gamma.o): $(wildcard compiler/softlib/*.cuh)
$(addprefix $(BUILD)/tests/unit/,test_math.o test_gamma.o): CFLAGS += -ffp-contract=off
$(addprefix $(BUILD)/tests/unit/,test_f64 test_math test_gamma): %: %.o $(FP_OBJ)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lmpfr -lm
# What is selected inline: kernels on the model.
$(BUILD)/tests/unit/test_half: %: %.o $(ARCHIVES)
	$(Q)$(CXX) $(LDFLAGS) -o $@ $< $(ARCHIVES) -lmpfr $(HEDDLE_LIBS)
.PHONY: test-softlib
test-softlib: $(addprefix $(BUILD)/tests/unit/test_,f64 math gamma half)    ## f64, mathematics, f16 and bf16 against MPFR
	$(Q)$(BUILD)/tests/unit/test_f64
	$(Q)$(BUILD)/tests/unit/test_math
	$(Q)$(BUILD)/tests/unit/test_gamma
	$(Q)$(BUILD)/tests/unit/test_half
PARTS += test-softlib
.PHONY: test-half-all
test-half-all: $(BUILD)/tests/unit/test_half    ## f16 and bf16: every first operand, four times
	$(Q)$(BUILD)/tests/unit/test_half 4
LONG += test-half-all
