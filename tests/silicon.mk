# What an H200 recorded, and how fast this machine is.
# SPDX-License-Identifier: Apache-2.0
SILICON ?= tests/silicon
MODE    ?= barrier

.PHONY: silicon silicon-some test-docs-silicon silicon-specrec silicon-specrec-delay bench bench-cc
# Of the project's own copy nothing may be missing: what the last line counts is counted here, too.
SILICON_OPS := operations 441/458 exact, approx 17/17 within
SILICON_ALL := kernels 241/241 equal, outputs 241/241 equal, sequences [0-9]*/1928 equal, of these without yield [0-9]*/1304, $(SILICON_OPS)
SILICON_STATES := states 103740/104031 equal
silicon: $(BUILD)/heddle $(BUILD)/rtl/libcore_l32.so            ## kernels and operations against an H200's; SILICON=DIR MODE=stack
	$(Q)$(BUILD)/heddle silicon $(SILICON) --mode $(MODE) > $(BUILD)/silicon.txt; code=$$?; cat $(BUILD)/silicon.txt; exit $$code
ifeq ($(SILICON)$(MODE),tests/siliconbarrier)
	$(Q)tail -n 1 $(BUILD)/silicon.txt | grep -qx 'silicon: $(SILICON_ALL)' || \
	    { echo "make silicon: tests/silicon is not whole: silicon: $(SILICON_ALL)" >&2; exit 1; }
	$(Q)grep -qx 'silicon: $(SILICON_STATES)' $(BUILD)/silicon.txt || \
	    { echo "make silicon: tests/silicon/states is not whole: silicon: $(SILICON_STATES)" >&2; exit 1; }
	$(Q)$(MAKE) -s --no-print-directory test-docs-silicon
endif

# A sixth of the kernels, and every operation; make silicon follows the model through all.
silicon-some: $(BUILD)/heddle             ## a sample of them on the model alone
	$(Q)$(BUILD)/heddle silicon tests/silicon --model --every 6 > $(BUILD)/silicon-some.txt; code=$$?; tail -n 1 $(BUILD)/silicon-some.txt; exit $$code
	$(Q)grep -qx 'silicon: $(SILICON_STATES)' $(BUILD)/silicon-some.txt
	$(Q)tail -n 1 $(BUILD)/silicon-some.txt | grep -qx 'silicon: $(subst 241,41,$(subst 1928,328,$(subst 1304,[0-9]*,$(SILICON_ALL))))'

	$(Q)$(BUILD)/heddle silicon tests/silicon/fresh --model > $(BUILD)/silicon-fresh.txt; code=$$?; tail -n 1 $(BUILD)/silicon-fresh.txt; exit $$code
	$(Q)tail -n 1 $(BUILD)/silicon-fresh.txt | grep -q 'kernels 120/120 equal, outputs 120/120 equal, sequences 938/960 equal, of these without yield 495/496,'

# All of them as the host's code, with a cache of its own, which is removed afterwards.
.PHONY: silicon-native
silicon-native: $(BUILD)/heddle           ## all of them on the model, as the host's code; EVERY=n: one in n kernels
	$(Q)rm -rf $(BUILD)/silicon-cache
	$(Q)XDG_CACHE_HOME=$(BUILD)/silicon-cache $(BUILD)/heddle silicon tests/silicon --model --native \
	    $(if $(EVERY),--every $(EVERY)) > $(BUILD)/silicon-native.txt; code=$$?; tail -n 1 $(BUILD)/silicon-native.txt; exit $$code
	$(Q)ls $(BUILD)/silicon-cache/heddle/native-*.so > /dev/null && rm -rf $(BUILD)/silicon-cache
	$(Q)tail -n 1 $(BUILD)/silicon-native.txt | grep -q$(if $(EVERY), '$(,) $(SILICON_OPS)$$',x 'silicon: $(SILICON_ALL)')
LONG += silicon-native

# docs/silicon.md explains every kernel without YIELD that differs: the table is what was found last.
test-docs-silicon:    ## docs/silicon.md explains what make silicon found last
	$(Q)awk -F'[ :]+' '/ sequences as on the H200/ { print $$2, $$3, $$11 }' $(BUILD)/silicon.txt | sort > $(BUILD)/silicon.found
	$(Q)awk -F' *[|] *' '/^[|] [pr][_0-9]/ { print $$2, $$3, $$4 }' docs/silicon.md | sort > $(BUILD)/silicon.told
	$(Q)test -s $(BUILD)/silicon.txt && test -s $(BUILD)/silicon.told
	$(Q)diff $(BUILD)/silicon.told $(BUILD)/silicon.found || \
	    { echo "docs/silicon.md: its table (<) is not what heddle silicon finds (>)" >&2; exit 1; }

# `heddle silicon record`, by recordings that were made with it.
.PHONY: test-silicon-record
test-silicon-record: $(BUILD)/heddle $(BUILD)/heddle-silicon-record $(BUILD)/rtl/libcore_l4.so    ## kernels of one's own against a GPU
	$(Q)$(CC) -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -o $(BUILD)/record_gpu harness/silicon/record/gpu.c -ldl
	$(Q)tests/silicon/own/test.sh $(BUILD)/heddle
PARTS += test-silicon-record

silicon-specrec silicon-specrec-delay: $(BUILD)/heddle $(BUILD)/rtl/libcore_l32.so
	$(Q)mkdir -p $(BUILD)/specrec
	$(Q)tests/silicon/specrec.pl $(BUILD)/heddle $(SILICON)/specrec $(BUILD)/specrec $(PATTERN)
silicon-specrec:                                                ## speculative reconvergence on RTL beside an H200's
silicon-specrec-delay:    ## its kernels with Iteration Delay alone
silicon-specrec-delay: PATTERN := delay

bench: $(BUILD)/heddle $(BUILD)/bench_model $(BUILD)/bench_regroup $(BUILD)/rtl/libcore_l32.so $(BUILD)/kernels/p_loop_merge.hx   ## speed of model, core and lockstep
	$(Q)$(BUILD)/bench_model $(BUILD)/kernels/p_loop_merge.hx
	$(Q)$(BUILD)/heddle bench
	$(Q)$(BUILD)/bench_regroup
.PHONY: docs-bench
docs-bench:                     ## the tables of docs/performance.md, measured again: tests/bench/measured.txt
	$(Q)$(MAKE) --no-print-directory bench > $(BUILD)/bench.txt
	$(Q)grep -E '^bench: (model|rtl)\.' $(BUILD)/bench.txt > tests/bench/measured.txt && tests/bench/page.pl

.PHONY: bench-against
AGAINST_LANES := 32 4
bench-against: $(BUILD)/core_rate $(AGAINST_LANES:%=$(BUILD)/rtl/libcore_l%.so)    ## the core's speed beside that of COMMIT=, built beside it; ROUNDS=
	$(Q)tests/bench/against.sh $(BUILD) "$(COMMIT)" $(or $(ROUNDS),5) $(AGAINST_LANES)
$(BUILD)/core_rate: $(BUILD)/tests/bench/core_rate.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

# The largest modules at hand: made ones of every shape, and the PTX of the longest recorded kernels.
BENCH_PTX := $(patsubst %,tests/silicon/kernels/%.ptx,r0074 r0161 r0181)
bench-cc: $(BUILD)/bench_cc $(BENCH_PTX)                        ## speed and memory of the compiler
	$(Q)$(BUILD)/bench_cc
	$(Q)$(BUILD)/bench_cc $(BENCH_PTX)
$(BUILD)/bench_cc: $(addprefix $(BUILD)/tests/bench/,bench_cc.o ptx_shapes.o) $(BUILD)/libcompiler.a $(BUILD)/libcmodel.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lz -lm
$(BUILD)/kernels/%.hx: tests/silicon/kernels/%.ptx $(BUILD)/heddle
	@mkdir -p $(@D)
	$(Q)$(BUILD)/heddle cc $< -o $@
