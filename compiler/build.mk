# The compiler: libcompiler.a.
# SPDX-License-Identifier: Apache-2.0
COMPILER_SRC := $(wildcard compiler/*.c)
COMPILER_OBJ := $(COMPILER_SRC:%.c=$(BUILD)/%.o)

# The CUDA header travels inside the program, as one string.
$(GEN)/cuda_header.inc: compiler/include/heddle_cuda.h
	@mkdir -p $(@D)
	$(Q)sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' $< > $@
$(BUILD)/compiler/cuda.o: $(GEN)/cuda_header.inc

$(BUILD)/libcompiler.a: $(COMPILER_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

-include compiler/softlib/softlib.mk
