# Tests.  A unit test is one file, tests/unit/test_*.c; what it needs beyond the libraries, its
# part's build.mk adds as prerequisites of $(BUILD)/tests/unit/test_*.
# SPDX-License-Identifier: Apache-2.0
TEST_LIBS := $(if $(wildcard compiler/build.mk),$(BUILD)/libcompiler.a) $(BUILD)/libcmodel.a

$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(TEST_LIBS)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka -lz -lm

# Unit tests that link against libcmodel.a alone do not wait for the compiler.
ISA_TESTS := $(addprefix $(BUILD)/tests/unit/,$(call unit_names,$(UNIT_ISA)))
$(ISA_TESTS): $(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/libisa.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka

# Every port of the generated RTL decoder against the C decoder.
DECODE_OBJ := $(BUILD)/tests/decode_obj
$(DECODE_OBJ)/Vdecode_gen__ALL.a: $(GEN)/decode_gen.v $(GEN)/isa_gen.vh $(GEN)/insn_gen.vh
	@mkdir -p $(@D)
	$(Q)verilator --cc --top-module decode_gen --Mdir $(DECODE_OBJ) -Wall -I$(GEN) $<
	$(Q)printf 'include Vdecode_gen.mk\nall_: $$(VM_PREFIX)__ALL.a $$(VK_GLOBAL_OBJS)\n' > $(DECODE_OBJ)/all.mk
	$(Q)$(MAKE) -s -C $(DECODE_OBJ) -f all.mk all_ OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1
$(BUILD)/tests/decode_equiv: $(BUILD)/tests/rtl/decode_equiv.o tests/rtl/decode_shim.cpp $(BUILD)/libisa.a \
                             $(DECODE_OBJ)/Vdecode_gen__ALL.a
# Words written by hand, for what all of these have from isa.def.
$(BUILD)/tests/rtl/decode_vectors.o: tests/rtl/decode_vectors.def
$(BUILD)/tests/decode_vectors: $(BUILD)/tests/rtl/decode_vectors.o tests/rtl/decode_shim.cpp $(BUILD)/libisa.a \
                               $(DECODE_OBJ)/Vdecode_gen__ALL.a
$(BUILD)/tests/decode_equiv $(BUILD)/tests/decode_vectors:
	$(Q)$(CXX) -std=c++17 -O1 $(LDFLAGS) -I$(DECODE_OBJ) -I$(VERILATOR_INC) -I. -I$(GEN) -o $@ \
	    $^ $(wildcard $(DECODE_OBJ)/verilated*.o) -pthread

.PHONY: test-isa
test-isa: $(ISA_TESTS) $(BUILD)/tests/decode_equiv $(BUILD)/tests/decode_vectors    ## decoders, assembler, images, generated pages
	$(Q)for t in $(filter $(BUILD)/%,$^); do $$t || exit 1; done
	$(call refuses_nothing,$(BUILD)/tests/decode_equiv 0)

COMPILER_TESTS := $(addprefix $(BUILD)/tests/unit/,$(call unit_names,$(UNIT_COMPILER)))
$(BUILD)/tests/unit/test_cc_memory: $(BUILD)/tests/bench/ptx_shapes.o
.PHONY: test-docs test-format test-arrows
test-arrows: $(BUILD)/heddle $(CUDA_NVCC) $(CUDA_VERSIONS) $(CUDA_LIBRARY_OBJ)    ## folders use each other in one direction, as their README.md says
	$(Q)tests/arrows.pl $(BUILD)
	$(Q)tests/fail/arrows.sh $(BUILD)
PARTS += test-arrows
test-format:                    ## form of the sources, the compiler's table of contents, one name for one state
	$(Q)tests/format.pl
	$(Q)tests/fail/format.sh
	$(Q)tests/passes.pl
	$(Q)tests/fail/passes.sh
	$(Q)tests/counted.pl
	$(Q)tests/fail/counted.sh
	$(Q)tests/names.pl
	$(Q)tests/fail/names.sh
PARTS += test-format
.PHONY: test-change
test-change:                    ## an instruction and a commit field added by patch, as CONTRIBUTING.md says
	$(Q)tests/change/test.sh $(BUILD)/change
LONG += test-change
.PHONY: docs-lines
docs-lines:                     ## the lines of sources that pages name, kept for test-docs
	$(Q)tests/lines.pl --write
test-docs: test-docs-tables    ## pages: links, the index, lines that they name, what comes from tables, variables of the environment
	$(Q)tests/docs.pl
	$(Q)tests/fpga/board/figures.pl --check docs/board.md
	$(Q)tests/environment.pl
	$(Q)tests/fail/environment.sh
	$(Q)tests/lines.pl
	$(Q)tests/fail/lines.sh
	$(Q)tests/view/lists.pl --check
	$(Q)tests/fail/lists.sh
	$(Q)tests/bench/page.pl --check
	$(Q)tests/fail/bench.sh
PARTS += test-docs

.PHONY: test-seams
test-seams:                     ## what a host has of its own is in the files made for it
	$(Q)tests/seams.sh
PARTS += test-seams

.PHONY: test-without-cuda
test-without-cuda:              ## a tree without cuda/ has all the rest
	$(Q)tests/without_cuda.sh $(BUILD)/without-cuda
PARTS += test-without-cuda

.PHONY: test-make
test-make:                      ## make help-all names every target; make test says what it does
	$(Q)tests/targets.pl
	$(Q)tests/fail/parts.sh
	$(Q)tests/status.pl
	$(Q)tests/fail/status.sh
PARTS += test-make

.PHONY: test-compiler check-c
test-compiler: $(COMPILER_TESTS)    ## unit tests of the compiler
	$(Q)for t in $^; do $$t || exit 1; done

# What cppcheck finds in C that the compiler does not warn of.  It knows the attribute noreturn, not
# the keyword; and signed shifts are arithmetic with every compiler used here.  Not the two files
# that are isa.def's effects: it takes minutes for one, and their macros are checked in region_calls.c.
NOT_CPPCHECK := cmodel/machine/step.c cmodel/fast/dispatch.c
check-c: $(ISA_GEN) $(GEN)/mufu_table.h $(CUDA_INC) $(EMBEDDED)    ## what cppcheck finds
	$(Q)cppcheck -q --std=c11 -j 2 --error-exitcode=1 --inline-suppr --enable=warning,portability \
	    '-D_Noreturn=__attribute__((noreturn))' $(NOT_CPPCHECK:%=-i %) \
	    --suppress=shiftTooManyBitsSigned -I. -I$(GEN) -DCLANG_VERSION=$(CLANG_VERSION) cmodel compiler regroup harness

PARTS := check-c test-isa test-fp test-model test-compiler lint-verilator lint-icarus \
         lint-memories test-fpu test-lsu core-smoke-some fuzz-some silicon-some \
         $(PARTS)
TURNS += fuzz-planted
LONG_FIRST := silicon core-smoke fuzz test-mutants
LONG  := silicon core-smoke fuzz test-predict silicon-specrec-delay fuzz-spills test-san $(LONG)

include tests/fpga.mk tests/accept.mk tests/regroup.mk tests/coverage.mk tests/kernels.mk tests/silicon.mk tests/fuzz.mk \
        tests/timing.mk tests/paper_a.mk tests/paper_b.mk tests/paper_c.mk tests/modes.mk tests/rtl/lsu.mk \
        tests/mutants.mk tests/auto.mk tests/afl.mk tests/farm.mk tests/progress.mk \
        tests/icarus.mk tests/view.mk tests/cores.mk tests/stream.mk tests/page.mk tests/board.mk

# Unit tests and kernels once more, with a build that reports bad memory accesses, leaks and
# undefined behaviour.  The Verilated core is not sanitised, so the kernels run on the model alone.
SAN_TESTS := $(ISA_TESTS) $(FP_TESTS) $(STREAM_TESTS) $(MODEL_TESTS) $(COMPILER_TESTS) $(HARNESS_TESTS) $(REGROUP_TESTS)
SAN_KERNELS := $(patsubst tests/%,$(BUILD)/%,$(wildcard tests/kernels/*.cu))
.PHONY: test-san sanitised
test-san: $(addprefix $(BUILD)/rtl/libcore_,l32.so l4.so l4_trace.so)         ## unit tests, and kernels on the model, under ASan and UBSan
	$(Q)UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	    $(MAKE) --no-print-directory BUILD=$(BUILD)/san SAN=1 OPT=-O1 sanitised
sanitised:                      ## what test-san runs, with BUILD and SAN of its own
sanitised: $(SAN_TESTS) $(BUILD)/heddle $(SAN_KERNELS)
	$(Q)for t in $(SAN_TESTS); do $$t || exit 1; done
	$(Q)$(BUILD)/heddle check $(SAN_KERNELS)
# Without LANES.
$(SAN_KERNELS): $(BUILD)/kernels/%: tests/kernels/%
	@mkdir -p $(@D)
	$(Q)sed '/^\/\/ LANES:/d; 1s|$$|\n// LANES: none|' $< > $@
