# Regrouping: block counts as files, metrics, orders of threads.  libregroup.a.
# SPDX-License-Identifier: Apache-2.0
REGROUP_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard regroup/*.c))

$(BUILD)/libregroup.a: $(REGROUP_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
