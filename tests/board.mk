# The core on a simulated board, through the bytes of its link (docs/board.md).
# SPDX-License-Identifier: Apache-2.0
#
# The board of these tests holds every planted bug of the core, each behind a switch (tests/mutants/mux.pl), and is
# without one what the tree says: so one is built for all.
BOARD_DIR  := $(BUILD)/board
BOARD_BUGS := $(sort $(wildcard tests/mutants/curated/*.v.bugs)) tests/board/predict.v.bugs tests/board/sums.v.bugs
$(BOARD_DIR)/tree/muxed: $(BOARD_BUGS) $(CORE_DEP) $(BOARD_DEP) tests/mutants/mux.pl tests/mutants/Mux.pm
	$(Q)rm -rf $(@D) && mkdir -p $(@D) && cp -rp rtl $(@D)/
	$(Q)tests/mutants/mux.pl $(@D) $(BOARD_BUGS) && touch $@
$(eval $(call board_rule,4,$(BOARD_DIR),$(BOARD_DIR)/tree/,$(BOARD_DIR)/tree/muxed))
$(BOARD_DIR)/heddle: $(BUILD)/heddle
	@mkdir -p $(@D)
	$(Q)cp $< $@.new && mv $@.new $@

$(BUILD)/tests/board/damage: $(BUILD)/tests/board/damage.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

# Hosts with a bug of predict.c.bugs each.
BOARD_WRONG := $(patsubst %,$(BOARD_DIR)/%,host-rule-last host-rule-never-unsure)
$(BOARD_WRONG): $(BUILD)/harness/main.o $(ARCHIVES) tests/board/predict.c.bugs
	$(Q)rm -rf $@.tree && mkdir -p $@.tree/harness/board && cp harness/board/predict.c $@.tree/harness/board/
	$(Q)tests/mutants/bugs.pl plant $(@F) $@.tree tests/board/predict.c.bugs
	$(Q)$(CC) $(CFLAGS) -I. -o $@ $@.tree/harness/board/predict.c $(filter %.o %.a,$^) $(LDFLAGS) $(HEDDLE_LIBS)

# A small core leaves signals unused.
PINS_LARGE := WARPS=32 NREGS=256 CONST_BYTES=2048 TARGETS=16 STACK_DEPTH=16 F64_LANES=1 FLOAT_LANES=32 MATCH_SERIAL=0 CONV_QUEUE=4 \
              CONV_LANES=32 TRACK=1 LSU_SLOTS=16 RANGE_SERIAL=0
.PHONY: lint-board
lint-board: $(CORE_DEP) $(BOARD_DEP) rtl/fpga/boards/ulx3s.v tests/fpga/board/cells.v    ## Verilator and Icarus accept the top level of a board; Yosys reads it
	$(Q)verilator --lint-only -Wall --top-module board -DCOMMIT_PORT -sv -Irtl/fpga -Irtl -I$(GEN) $(BOARD_SRC) $(GEN)/decode_gen.v
	$(Q)verilator --lint-only -Wall --top-module pins -DCOMMIT_PORT -DCOMMIT_THIN -sv -Irtl/fpga -Irtl -I$(GEN) $(PINS_LARGE:%=-G%) $(BOARD_SRC) $(GEN)/decode_gen.v
	$(Q)iverilog -g2012 -t null -DCOMMIT_PORT -Irtl/fpga -Irtl -I$(GEN) -s board $(BOARD_SRC) $(GEN)/decode_gen.v
	$(Q)iverilog -g2012 -t null -DCOMMIT_PORT -DCOMMIT_THIN -DSYNTHESIS -DFPGA_ECP5 -DADDR_BITS=32 -Irtl/fpga -Irtl -I$(GEN) \
	    -s ulx3s $(BOARD_SRC) $(GEN)/decode_gen.v rtl/fpga/boards/ulx3s.v tests/fpga/board/cells.v
	$(Q)yosys -q -p "read_verilog -defer -sv -DSYNTHESIS -DCOMMIT_PORT -Irtl/fpga -Irtl -I$(GEN) $(BOARD_SRC) $(GEN)/decode_gen.v; \
	    chparam -set WARPS 4 -set NREGS 64 board; hierarchy -check -top board" > $(BUILD)/lint_board.txt 2>&1 || { cat $(BUILD)/lint_board.txt; exit 1; }
	$(Q)echo "lint: verilator, icarus and yosys accept a board"
TURNS += lint-board

.PHONY: test-board board
test-board: $(BOARD_DIR)/heddle $(BOARD_DIR)/rtl/libboard_l4.so $(BUILD)/tests/board/damage $(BOARD_WRONG) $(CUDA_NEEDS)    ## the core on a simulated board: kernels, random ones, planted bugs, broken links; a sample
	$(Q)tests/board/link.sh $(BOARD_DIR)/heddle $(BUILD)/tests/board/damage $(BOARD_WRONG)
	$(Q)[ ! -x $(BUILD)/heddle-nvcc ] || tests/board/program.sh $(BOARD_DIR)/heddle $(BUILD)/libheddle_cudart.so
	$(Q)tests/board/run.pl $(BOARD_DIR)/heddle --sample
TURNS += test-board
board: $(BOARD_DIR)/heddle $(BOARD_DIR)/rtl/libboard_l4.so    ## all of it: tests/kernels, 1000 random kernels, every planted bug
	$(Q)tests/board/run.pl $(BOARD_DIR)/heddle
