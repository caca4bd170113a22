# The compiler: libcompiler.a.
# SPDX-License-Identifier: Apache-2.0
COMPILER_SRC := $(wildcard compiler/*.c)
COMPILER_OBJ := $(COMPILER_SRC:%.c=$(BUILD)/%.o)

$(BUILD)/libcompiler.a: $(COMPILER_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

-include compiler/softlib/softlib.mk
