# The core on a simulated board, through the bytes of its link (docs/board.md).
# SPDX-License-Identifier: Apache-2.0
#
# The board of these tests holds every planted bug of the core, each behind a switch (tests/mutants/mux.pl), and is
# without one what the tree says: so one is built for all.
BOARD      := $(BUILD)/board
BOARD_BUGS := $(sort $(wildcard tests/mutants/curated/*.v.bugs)) tests/board/predict.v.bugs
$(BOARD)/tree/muxed: $(BOARD_BUGS) $(CORE_DEP) $(BOARD_DEP) tests/mutants/mux.pl tests/mutants/Mux.pm
	$(Q)rm -rf $(@D) && mkdir -p $(@D) && cp -rp rtl $(@D)/
	$(Q)tests/mutants/mux.pl $(@D) $(BOARD_BUGS) && touch $@
$(eval $(call board_rule,4,$(BOARD),$(BOARD)/tree/,$(BOARD)/tree/muxed))
$(BOARD)/heddle: $(BUILD)/heddle
	@mkdir -p $(@D)
	$(Q)cp $< $@.new && mv $@.new $@

$(BUILD)/tests/board/damage: $(BUILD)/tests/board/damage.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

# Hosts with a bug of predict.c.bugs each.
BOARD_WRONG := $(patsubst %,$(BOARD)/%,host-rule-last host-rule-never-unsure)
$(BOARD_WRONG): $(BUILD)/harness/main.o $(ARCHIVES) tests/board/predict.c.bugs
	$(Q)rm -rf $@.tree && mkdir -p $@.tree/harness/board && cp harness/board/predict.c $@.tree/harness/board/
	$(Q)tests/mutants/bugs.pl plant $(@F) $@.tree tests/board/predict.c.bugs
	$(Q)$(CC) $(CFLAGS) -I. -o $@ $@.tree/harness/board/predict.c $(filter %.o %.a,$^) $(LDFLAGS) $(HEDDLE_LIBS)

.PHONY: lint-board
lint-board: $(CORE_DEP) $(BOARD_DEP)    ## Verilator and Icarus accept the top level of a board; Yosys reads it
	$(Q)verilator --lint-only -Wall --top-module board -DCOMMIT_PORT -sv -Irtl/fpga -Irtl -I$(GEN) $(BOARD_SRC) $(GEN)/decode_gen.v
	$(Q)iverilog -g2012 -t null -DCOMMIT_PORT -Irtl/fpga -Irtl -I$(GEN) -s board $(BOARD_SRC) $(GEN)/decode_gen.v
	$(Q)yosys -q -p "read_verilog -defer -sv -DSYNTHESIS -DCOMMIT_PORT -Irtl/fpga -Irtl -I$(GEN) $(BOARD_SRC) $(GEN)/decode_gen.v; \
	    chparam -set WARPS 4 -set NREGS 64 board; hierarchy -check -top board" > $(BUILD)/lint_board.txt 2>&1 || { cat $(BUILD)/lint_board.txt; exit 1; }
	$(Q)echo "lint: verilator, icarus and yosys accept a board"
PARTS += lint-board

.PHONY: test-board board
test-board: $(BOARD)/heddle $(BOARD)/rtl/libboard_l4.so $(BUILD)/tests/board/damage $(BOARD_WRONG) $(CUDA_NEEDS)    ## the core on a simulated board: kernels, random ones, planted bugs, broken links; a sample
	$(Q)tests/board/link.sh $(BOARD)/heddle $(BUILD)/tests/board/damage $(BOARD_WRONG)
	$(Q)[ ! -x $(BUILD)/heddle-nvcc ] || tests/board/program.sh $(BOARD)/heddle $(BUILD)/libheddle_cudart.so
	$(Q)tests/board/run.pl $(BOARD)/heddle --sample
PARTS += test-board
board: $(BOARD)/heddle $(BOARD)/rtl/libboard_l4.so    ## all of it: tests/kernels, 1000 random kernels, every planted bug
	$(Q)tests/board/run.pl $(BOARD)/heddle
