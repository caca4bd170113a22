# The PTX front end, the readers of images, of block counts and of streams under AFL++, and what it
# has found as a regression test.
# SPDX-License-Identifier: Apache-2.0
#
# tests/corpus/ptx, image, bbv and stream are minimized (one input for each path through the parser that
# was ever found); `make corpus` reads them all, in test-san with sanitizers.  afl-ptx, afl-image,
# afl-bbv and afl-stream go on from there: AFL_TIME seconds, then $(BUILD)/afl/NAME.min is the new corpus, to
# be copied by hand.
AFL_TIME ?= 3600
AFL_CC   := afl-clang-fast
AFL_SRC_ptx   := $(COMPILER_SRC) $(ISA_OBJ:$(BUILD)/%.o=%.c) cmodel/timing/timing.c
AFL_SRC_image := $(ISA_OBJ:$(BUILD)/%.o=%.c)
AFL_SRC_stream := $(STREAM_SRC)
AFL_SRC_bbv   := $(REGROUP_OBJ:$(BUILD)/%.o=%.c) $(ISA_OBJ:$(BUILD)/%.o=%.c) cmodel/bbv.c cmodel/timing/timing.c

.PHONY: corpus deps-afl afl-ptx afl-image afl-bbv afl-stream
$(BUILD)/corpus_bbv: $(BUILD)/libregroup.a
$(BUILD)/corpus_stream: $(BUILD)/tests/afl/afl_main.o $(BUILD)/tests/afl/afl_stream.o $(BUILD)/libstream.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^
$(BUILD)/corpus_ptx $(BUILD)/corpus_image $(BUILD)/corpus_bbv: $(BUILD)/corpus_%: $(BUILD)/tests/afl/afl_main.o $(BUILD)/tests/afl/afl_%.o \
		$(BUILD)/libcompiler.a $(BUILD)/libcmodel.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %libregroup.a,$^) $(filter-out %libregroup.a,$(filter %.a,$^)) -llapacke -lz -lm
corpus: $(BUILD)/corpus_ptx $(BUILD)/corpus_image $(BUILD)/corpus_bbv $(BUILD)/corpus_stream    ## the inputs that AFL++ found, run again
	$(Q)$(BUILD)/corpus_ptx tests/corpus/ptx
	$(Q)$(BUILD)/corpus_image tests/corpus/image
	$(Q)$(BUILD)/corpus_bbv tests/corpus/bbv
	$(Q)$(BUILD)/corpus_stream tests/corpus/stream
	$(Q)mkdir -p $(BUILD)/afl/none
	$(call refuses_nothing,$(BUILD)/corpus_ptx $(BUILD)/afl/none)
sanitised: corpus

deps-afl:                       ## packages that only afl-ptx, afl-image, afl-bbv and afl-stream need
	$(Q)$(MAKE) --no-print-directory deps PACKAGES=afl++

# Words of PTX, from the parser's own tables.
$(BUILD)/afl/ptx.dict: compiler/ptx/parse_table.c compiler/ptx/parse_mods.c compiler/ptx/parse_operand.c compiler/ptx/parse.c compiler/ptx/decl.c
	@mkdir -p $(@D)
	$(Q)grep -ho '"[.%a-zA-Z0-9_ ]*"' $^ | tr -d '"' | tr ' ' '\n' | grep -E '^[.a-zA-Z0-9_]{2,}$$' | sort -u \
	    | sed 's/.*/"&"/' > $@
$(BUILD)/afl/image.dict:
	@mkdir -p $(@D)
	$(Q)printf '"%s"\n' ISA-HASH Heddle .text .note.heddle .symtab .strtab > $@

$(BUILD)/afl/bbv.dict:
	@mkdir -p $(@D)
	$(Q)printf '"%s"\n' 'HDBBV 1\x0a' > $@
# Names of events and members, from the contract's table.
$(BUILD)/afl/stream.dict: stream/heddle_stream.h
	@mkdir -p $(@D)
	$(Q)sed -n 's/^ *\(MEMBER\|EVENT\)(\([a-z]*\),.*/"\2"/p' $< > $@
	$(Q)printf '"%s"\n' HeddleS1 'heddle-stream 1\x0a' 'begin\x0a' 'end-of-stream\x0a' >> $@

$(BUILD)/afl/ptx $(BUILD)/afl/image $(BUILD)/afl/bbv $(BUILD)/afl/stream: $(BUILD)/afl/%: tests/afl/afl_main.c tests/afl/afl_%.c | $(ISA_GEN) $(CUDA_INC) $(EMBEDDED)
	@mkdir -p $(@D)
	$(Q)AFL_QUIET=1 AFL_USE_ASAN=1 AFL_USE_UBSAN=1 $(AFL_CC) -std=gnu11 -D_GNU_SOURCE -g -O1 -w -fno-strict-aliasing \
	    -ffp-contract=off -I. -I$(GEN) -DCLANG_VERSION=$(CLANG_VERSION) -o $@ tests/afl/afl_main.c tests/afl/afl_$*.c $(AFL_SRC_$*) -llapacke -lz -lm
$(BUILD)/afl/ptx: $(AFL_SRC_ptx)
$(BUILD)/afl/image: $(AFL_SRC_image)
$(BUILD)/afl/bbv: $(AFL_SRC_bbv)
$(BUILD)/afl/stream: $(AFL_SRC_stream)

afl-ptx: ## the PTX front end under AFL++; AFL_TIME=3600 seconds
afl-image: ## the image reader under AFL++; AFL_TIME=3600 seconds
afl-bbv: ## the reader of block counts under AFL++; AFL_TIME=3600 seconds
afl-stream: ## the reader of streams under AFL++; AFL_TIME=3600 seconds
afl-ptx afl-image afl-bbv afl-stream: afl-%: $(BUILD)/afl/% $(BUILD)/afl/%.dict
	$(Q)tests/afl/run.sh $(BUILD)/afl/$* tests/corpus/$* $(AFL_TIME)
