# The compiler: libcompiler.a.
# SPDX-License-Identifier: Apache-2.0
COMPILER_SRC := $(wildcard compiler/*.c compiler/*/*.c)
COMPILER_OBJ := $(COMPILER_SRC:%.c=$(BUILD)/%.o)

CUDA_INC := $(patsubst compiler/include/%.h,$(GEN)/%.inc,$(wildcard compiler/include/*.h))
# The CUDA headers travel inside the program, each as one string.
$(GEN)/%.inc: compiler/include/%.h
	@mkdir -p $(@D)
	$(Q)sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' $< > $@
$(BUILD)/compiler/ptx/cuda.o: $(CUDA_INC)

$(BUILD)/libcompiler.a: $(COMPILER_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

-include compiler/softlib/softlib.mk
