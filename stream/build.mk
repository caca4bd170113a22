# libstream.a: streams of warp events, of any core; it knows nothing else of Heddle.
# SPDX-License-Identifier: Apache-2.0
STREAM_SRC := $(wildcard stream/*.c)
$(BUILD)/libstream.a: $(STREAM_SRC:%.c=$(BUILD)/%.o)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
