# The core's own checks: lint for every LANES, synthesis, random programs in lockstep with the model.
# The Verilated libraries are built by harness/build.mk.
# SPDX-License-Identifier: Apache-2.0
CORE_SRC := $(filter-out rtl/fpga/%,$(wildcard rtl/*.v rtl/*/*.v)) $(GEN)/decode_gen.v
CORE_DEP := $(CORE_SRC) $(wildcard rtl/*.vh) $(RTL_GEN) rtl/probe.vlt

.PHONY: lint lint-lanes lint-verilator lint-icarus lint-memories synth core-smoke core-smoke-some core-smoke-accept
lint: lint-lanes lint-icarus lint-memories    ## Verilator and Icarus accept the core without a warning
# One lane and all lanes of a warp are the extremes.
lint-verilator: LINT_LANES := 1 32
lint-verilator:                 ## Verilator, two LANES
lint-lanes: LINT_LANES := $(LANES_ALL)
lint-lanes:                     ## Verilator, every LANES
lint-verilator lint-lanes: $(CORE_DEP)
	$(Q)set -e; for l in $(LINT_LANES); do \
	    verilator --lint-only -Wall --top-module simt_core -sv -Irtl -I$(GEN) -GLANES=$$l rtl/probe.vlt $(CORE_SRC); \
	    echo "lint: verilator, LANES=$$l, clean"; done
LONG += lint-lanes
lint-icarus: $(CORE_DEP)    ## Icarus
	$(Q)iverilog -g2012 -t null -Irtl -I$(GEN) -s simt_core $(CORE_SRC) && echo "lint: icarus accepts it"
# Yosys 0.23 makes a memory of a packed struct one bit wide, without a word.
lint-memories: $(CORE_SRC)    ## no memory of structs: Yosys would lose bits of it
	$(Q)if grep -nE '^ *[a-z0-9_]+_t +[a-z0-9_]+ *\[' $^; then \
	    echo "lint: of a memory of structs Yosys keeps one bit: declare a vector"; exit 1; fi

# C++ that takes minutes to compile came of a signal of 32 kbit: all rows of operands, for all lanes.
.PHONY: lint-wide
lint-wide: $(BUILD)/rtl/l32_trace/Vcore.mk    ## no signal of the Verilated core has more than 8,192 bits
	$(Q)sed -n 's/.*VlWide<\([0-9]*\)>\/\*\([0-9]*\):0\*\/ *\(.*\);$$/\1 \2 \3/p' $(<D)/Vcore___024root.h | sort -n | \
	    awk '$$1 > 256 { print "lint: too wide to compile in seconds, " $$2 + 1 " bits: " $$3; bad = 1 } \
	         END { if (!NR || bad) exit 1; print "lint: the widest of " NR " wide signals has " $$2 + 1 " bits" }'
PARTS += lint-wide

# What slows a simulation most for what it does; a memory in each lane, planted, is found.
.PHONY: lint-flags
lint-flags: $(BUILD)/rtl/l32_trace/Vcore.mk    ## no array of the Verilated core, nor one in each lane, has flags by the dozen
	$(Q)tests/rtl/flags.pl $(<D) Vcore
	$(Q)for lane in 0 1; do $(VERILATOR) --cc -O3 -GLANE=$$lane --prefix Vflags --Mdir $(BUILD)/flags_$$lane tests/rtl/flags.v || exit 1; done; \
	    tests/rtl/flags.pl $(BUILD)/flags_0 Vflags > $(BUILD)/flags.said && \
	    ! tests/rtl/flags.pl $(BUILD)/flags_1 Vflags > $(BUILD)/flags.said && \
	    grep -q '^lint: flags.g_lanes.g_lane\[\].word_q: 32 flags' $(BUILD)/flags.said || { cat $(BUILD)/flags.said; exit 1; }
PARTS += lint-flags

# Names of fields and codes are generated; tests/rtl/encodings.pl says what it looks for.
.PHONY: test-encodings
test-encodings: $(RTL_GEN)      ## no field of the word, no code is known by heart
	$(Q)tests/rtl/encodings.pl $(GEN) $(filter-out $(GEN)/%,$(filter %.v %.vh,$(CORE_DEP))) $(wildcard rtl/fpga/*.v rtl/fpga/*.vh formal/*.v formal/*.vh)
PARTS += test-encodings

# One line a unit: word-level cells and memory bits; memories stay memories.
SYNTH := -set LANES 32 -set WARPS 8 -set NREGS 64 -set SHARED_BYTES 16384 -set ICACHE_BYTES 4096 -set CONST_BYTES 512 -set STACK_DEPTH 16 \
         -set PROBE 0
synth: $(BUILD)/synth/cells.txt    ## Yosys: word-level cells and memory bits by unit
	$(Q)awk -f tests/synth.awk $(BUILD)/synth/memories.txt $<
$(BUILD)/synth/cells.txt: $(CORE_DEP)
	@mkdir -p $(@D)
	$(Q)yosys -q -l $(@D)/log -p "read_verilog -sv -DSYNTHESIS -Irtl -I$(GEN) $(CORE_SRC); \
	    chparam $(SYNTH) simt_core; hierarchy -check -top simt_core; proc; opt -fast; \
	    tee -q -o $(@D)/memories.txt stat; memory -nomap; opt -fast; check; tee -q -o $@ stat" > $(@D)/said 2>&1; code=$$?; \
	    grep -v "Warning: \|Yosys has only limited" $(@D)/said; exit $$code
	@test -s $@

$(BUILD)/core_smoke: $(BUILD)/tests/rtl/core_smoke.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)
SMOKE_KINDS = int conv mem pattern meet all fault code stack stack-fault stack-chaos stack-conv wide stack-wide regs lone yield \
               $(SMOKE_F64)
# Of these kinds the cycles are recorded at the LANES beside them.
SMOKE_F64   := f64 stack-f64 code-f64
SMOKE_F64_RECORDED := 4|32
SMOKE_SOME  := 4
core-smoke-some: SMOKE_LANES := $(SMOKE_SOME)
core-smoke:      SMOKE_LANES := $(LANES_ALL)
core-smoke core-smoke-some: SMOKE_SAID = $(BUILD)/$@$(if $(COUNT)$(SEED),_other).txt
core-smoke-some: $(BUILD)/core_smoke $(SMOKE_SOME:%=$(BUILD)/rtl/libcore_l%.so)     ## core-smoke at LANES 4
core-smoke: $(BUILD)/core_smoke $(RTL_LIBS)    ## random programs on every LANES, their cycles compared with tests/rtl/core_smoke.txt
core-smoke core-smoke-some:
	$(Q)set -e; rm -f $(SMOKE_SAID) $(SMOKE_SAID).new; for l in $(SMOKE_LANES); do for k in $(SMOKE_KINDS); do \
	    said=$$($(BUILD)/core_smoke --lanes $$l --kind $$k --count $(or $(COUNT),25) --seed $(or $(SEED),1)) \
	    || { echo "$$said"; exit 1; }; echo "$$said"; case "$$k $$l" in *f64\ $(subst |,|*f64\ ,$(SMOKE_F64_RECORDED))) ;; \
	    *f64\ *) continue ;; esac; echo "$$said" >> $(SMOKE_SAID).new; done; done; \
	    mv $(SMOKE_SAID).new $(SMOKE_SAID)
	$(call refuses_nothing,$(BUILD)/core_smoke --lanes 4 --count 0)
	$(Q)$(if $(COUNT)$(SEED),true,grep -wE 'lanes ($(subst $() ,|,$(SMOKE_LANES)))' tests/rtl/core_smoke.txt \
	    | diff -u - $(SMOKE_SAID)) || { echo "$@: every commit is the model's, but programs take other cycles" \
	    "than tests/rtl/core_smoke.txt says; if that is meant: make core-smoke core-smoke-accept"; exit 1; }
# Other numbers of f64 lanes: each core in a folder of its own, beside programs that look for it there.  Without the
# unit it refuses what needs one, and runs the same source by routines.
F64_OTHER := 0 2 4
.PHONY: core-smoke-f64
core-smoke-f64: $(BUILD)/core_smoke $(BUILD)/heddle $(F64_OTHER:%=$(BUILD)/rtl/libcore_l4_f%.so)  ## core-smoke with 2 and 4 f64 lanes, and a core without
	$(Q)set -e; for f in $(F64_OTHER); do d=$(BUILD)/f64_$$f; mkdir -p $$d/rtl; cp $(BUILD)/core_smoke $(BUILD)/heddle $$d; \
	    cp $(BUILD)/rtl/libcore_l4_f$$f.so $$d/rtl/libcore_l4.so; done
	$(Q)set -e; for k in f64 stack-f64 code-f64; do for f in 2 4; do \
	    $(BUILD)/f64_$$f/core_smoke --lanes 4 --kind $$k --count $(or $(COUNT),10) --seed $(or $(SEED),1); done; done
	$(Q)$(BUILD)/f64_0/core_smoke --lanes 4 --kind all --count $(or $(COUNT),10) --seed $(or $(SEED),1)
	$(Q)tests/fail/no_f64.sh $(BUILD)/f64_0/heddle tests/kernels/doubles.cu
LONG += core-smoke-f64
# The same for floats that go through fewer units than lanes, MATCH lane after lane, fewer control instructions
# under way, no scoreboard of registers, no constant cache or the smallest; and cores without floats, without MUFU.
UNITS_OTHER    := serial serial2 no_float no_sfu
UNITS_serial   := FLOAT_LANES=1 F64_LANES=0 MATCH_SERIAL=1 CONV_QUEUE=1 CONV_LANES=4 TRACK=0 TARGETS=0 LSU_SLOTS=1 RANGE_SERIAL=1 \
                  CONST_BYTES=0
UNITS_serial2  := FLOAT_LANES=2 MATCH_SERIAL=1 CONV_QUEUE=2 CONV_LANES=1 TARGETS=2 CONST_BYTES=256
UNITS_no_float := FLOAT_LANES=0
UNITS_no_sfu   := FLOAT_LANES=1 SFU=0
.PHONY: core-smoke-units
core-smoke-units: $(BUILD)/core_smoke $(BUILD)/heddle $(UNITS_OTHER:%=$(BUILD)/rtl/libcore_l4_%.so) $(BUILD)/rtl/libcore_l4_small.so  ## core-smoke and random kernels with fewer float units than lanes; cores without
	$(Q)set -e; for c in $(UNITS_OTHER); do d=$(BUILD)/units_$$c; mkdir -p $$d/rtl; cp $(BUILD)/core_smoke $(BUILD)/heddle $$d; \
	    cp $(BUILD)/rtl/libcore_l4_$$c.so $$d/rtl/libcore_l4.so; cp $(BUILD)/rtl/libshare.so $$d/rtl; done
	$(Q)set -e; for k in $(filter-out %f64,$(SMOKE_KINDS)); do \
	    $(BUILD)/units_serial/core_smoke --lanes 4 --kind $$k --count $(or $(COUNT),10) --seed $(or $(SEED),1); done
	$(Q)set -e; for k in all stack $(SMOKE_F64); do \
	    $(BUILD)/units_serial2/core_smoke --lanes 4 --kind $$k --count $(or $(COUNT),10) --seed $(or $(SEED),1); done
	$(Q)set -e; for m in barrier stack; do for c in serial2 serial small; do \
	    $(BUILD)/heddle fuzz --core $(BUILD)/rtl/libcore_l4_$$c.so --mode $$m --seed $(or $(SEED),1) --count $(or $(COUNT),60) \
	        --out $(BUILD)/fuzz; done; done
	$(Q)tests/fail/no_units.sh $(BUILD)/units_no_float/heddle $(BUILD)/units_no_sfu/heddle $(BUILD)/units_serial/heddle
LONG += core-smoke-units
# Whatever no reset sets begins with random bits, others in each program.
.PHONY: core-smoke-x
core-smoke-x: $(BUILD)/core_smoke $(BUILD)/heddle $(BUILD)/rtl/libcore_l4_x.so  ## the same, and random kernels, on a core whose registers and memories begin with random bits
	$(Q)set -e; for k in $(SMOKE_KINDS); do \
	    $(BUILD)/core_smoke --lanes 4 --kind $$k --count $(or $(COUNT),8) --seed $(or $(SEED),1) --x-seed $(or $(SEED),1); done
	$(Q)set -e; for m in barrier stack; do $(BUILD)/heddle fuzz --lanes 4 --mode $$m --stack-depth 4 --x-seed $(or $(SEED),1) \
	    --seed $(or $(SEED),1) --count $(or $(COUNT),60) --out $(BUILD)/fuzz; done
LONG += core-smoke-x
core-smoke-accept:              ## after core-smoke: accepts the cycles that its programs took
	$(Q)cp $(BUILD)/core-smoke.txt tests/rtl/core_smoke.txt
