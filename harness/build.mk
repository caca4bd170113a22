# The harness: `heddle`.  The cores that it loads: core/build.mk, icarus/build.mk.
# SPDX-License-Identifier: Apache-2.0
HARNESS_SRC := harness/main.c harness/commands.c $(filter-out harness/icarus/%,$(wildcard harness/*/*.c))
HARNESS_OBJ := $(HARNESS_SRC:%.c=$(BUILD)/%.o)
HARNESS_LIB := $(filter-out $(BUILD)/harness/main.o,$(HARNESS_OBJ))
# libdw reads the source lines of foreign programs (view/source_lines.c); without it that is refused.
LIBDW := $(wildcard /usr/include/elfutils/libdw.h)
HEDDLE_LIBS := -ldl -lz -lzstd -lcjson -llapacke -lm -lstdc++ $(if $(LIBDW),-Wl$(,)--push-state$(,)--as-needed -ldw -lelf -Wl$(,)--pop-state)

all: $(BUILD)/heddle

$(BUILD)/libharness.a: $(HARNESS_LIB)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# Views are part of the program.
$(GEN)/view_text.h: $(wildcard waves/*.gtkw)
	@mkdir -p $(@D)
	$(Q)set -e; { $(foreach f,$^,$(call text_as_c,view_$(basename $(notdir $(f)))_text,$(f));) } > $@
$(BUILD)/harness/cmd/wave_view.o: $(GEN)/view_text.h
TIMELINE_SCRIPT := harness/view/timeline.js harness/view/timeline_grid.js
$(GEN)/timeline_text.h: harness/view/timeline.html $(TIMELINE_SCRIPT)
	@mkdir -p $(@D)
	$(Q)set -e; { $(call text_as_c,timeline_template,$<); $(call text_as_c,timeline_script,$(TIMELINE_SCRIPT)); } > $@
$(BUILD)/harness/view/timeline_page.o: $(GEN)/timeline_text.h
$(GEN)/have_libdw.h: FORCE
	@mkdir -p $(@D)
	@echo '#define HAVE_LIBDW $(if $(LIBDW),1,0)' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/harness/view/source_lines.o: $(GEN)/have_libdw.h
EMBEDDED := $(addprefix $(GEN)/,native_text.h view_text.h timeline_text.h timing_text.h softlib_ptx.h have_libdw.h)

# `heddle --version' says the commit at its last link, and whether anything was changed since.
COMMIT = $(shell git log -1 --format='commit %h of %cs' 2> /dev/null || echo of no commit known)$(if \
           $(shell git status --porcelain -uno 2> /dev/null), with changes)
$(BUILD)/heddle: $(BUILD)/harness/main.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(Q)echo 'extern const char heddle_commit[]; const char heddle_commit[] = "$(COMMIT)";' \
	    | $(CC) $(CFLAGS) -x c -c -o $(BUILD)/commit.o -
	$(Q)$(CC) $(CFLAGS) -o $@ $(BUILD)/commit.o $^ $(LDFLAGS) $(HEDDLE_LIBS)

# `heddle silicon record`: one program, with the source that runs where the GPU is at its end.
$(BUILD)/heddle-silicon-record: $(addprefix harness/silicon/record/,trace_points.pl record.pl gpu.c)
	@mkdir -p $(@D)
	$(Q){ cat $(filter %.pl,$^); echo __DATA__; cat $(filter %.c,$^); } > $@ && chmod +x $@
all: $(BUILD)/heddle-silicon-record

include harness/core/build.mk harness/icarus/build.mk
