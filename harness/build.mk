# The harness: `heddle`.  The cores that it loads: core/build.mk, icarus/build.mk.
# SPDX-License-Identifier: Apache-2.0
HARNESS_SRC := harness/main.c $(filter-out harness/icarus/%,$(wildcard harness/*/*.c))
HARNESS_OBJ := $(HARNESS_SRC:%.c=$(BUILD)/%.o)
HARNESS_LIB := $(filter-out $(BUILD)/harness/main.o,$(HARNESS_OBJ))
HEDDLE_LIBS := -ldl -lz -lzstd -lcjson -llapacke -lm -lstdc++

all: $(BUILD)/heddle

$(BUILD)/libharness.a: $(HARNESS_LIB)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# Views are part of the program.
$(BUILD)/harness/cmd/wave_view.o: $(wildcard waves/*.gtkw)
$(BUILD)/harness/view/timeline_page.o: harness/view/timeline.html harness/view/timeline.js harness/view/timeline_grid.js

# `heddle --version' says the commit at its last link, and whether anything was changed since.
COMMIT = $(shell git log -1 --format='commit %h of %cs' 2> /dev/null || echo of no commit known)$(if \
           $(shell git status --porcelain -uno 2> /dev/null), with changes)
$(BUILD)/heddle: $(BUILD)/harness/main.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(Q)echo 'extern const char heddle_commit[]; const char heddle_commit[] = "$(COMMIT)";' \
	    | $(CC) $(CFLAGS) -x c -c -o $(BUILD)/commit.o -
	$(Q)$(CC) $(CFLAGS) -o $@ $(BUILD)/commit.o $^ $(LDFLAGS) $(HEDDLE_LIBS)

include harness/core/build.mk harness/icarus/build.mk
