# The core on a board of its own: pins, netlists, bitstreams (docs/board.md).
# SPDX-License-Identifier: Apache-2.0

# A library that a link to a simulated board opens.  $(1): its name from libboard_ on, $(2): top, $(3): sources,
# $(4): more flags of Verilator
define fpga_library
$(BUILD)/rtl/$(1)/Vboard.mk: $(3)
	@mkdir -p $$(@D)
	$$(Q)$$(VERILATOR) --cc --top-module $(2) --prefix Vboard -O3 --x-assign fast --x-initial fast -Wno-lint -Wno-style -sv \
	    -DCOMMIT_PORT -DADDR_BITS=32 -Irtl/fpga -Irtl -I$(GEN) $(4) --Mdir $$(@D) $$(filter %.v,$$^)
	@printf 'include Vboard.mk\nall_: $$$$(VM_PREFIX)__ALL.a $$$$(VK_GLOBAL_OBJS)\n' > $$(@D)/all.mk
$(BUILD)/rtl/libboard_$(1).so: $(BUILD)/rtl/$(1)/Vboard.mk $$(BOARD_SHIM)
	$$(call compile_board,$$(<D),$$@,$(3))
endef

# ---- pins: a serial line, an SDRAM ----
PINS_SRC := $(sort $(filter-out rtl/simt_cores.v rtl/cores/%,$(CORE_DEP)) $(BOARD_SRC) $(BOARD_DEP)) \
            tests/fpga/board/pins_board.v tests/fpga/board/sdram_chip.v
$(eval $(call fpga_library,l4_pins,pins_board,$(PINS_SRC),-DCOMMIT_THIN))
$(BUILD)/rtl/libboard_l4_pins.so: private RTL_OPT := $(or $(RTL_OPT),-O1)
.PHONY: test-sdram test-uart test-pins
test-sdram:     ## the SDRAM's controller against a chip with its rules; planted mistakes are found
	$(Q)tests/fpga/board/sdram.sh $(BUILD)/sdram
test-uart:      ## the serial line against one with another clock; planted mistakes are found
	$(Q)tests/fpga/board/uart.sh $(BUILD)/uart
.PHONY: test-sums
test-sums: $(CORE_DEP) $(BOARD_DEP)    ## a digest's sums of what each lane has, as a placed board takes them, against a slow form
	$(Q)tests/fpga/board/sums.sh $(VERILATOR) "$(CCACHE) g++" $(GEN) $(BUILD)/sums 4
PARTS += test-sdram test-uart
TURNS += test-sums
test-pins: $(BUILD)/heddle $(BUILD)/rtl/libboard_l4_pins.so    ## the README's kernel on a board as its pins have it
	$(Q)tests/fpga/board/pins.sh $(BUILD)/heddle
PARTS += test-pins

# ---- synthesis, placement ----
.PHONY: fpga-tools fpga-board fpga-board-accept fpga-netlist
fpga-tools:     ## which yosys and nextpnr-ecp5 are used; makes a tree of a newer Debian if none is installed
	$(Q)tests/fpga/tools.sh $(BUILD)
ifeq ($(BOARD),sim)
fpga-board: test-pins
else
fpga-board: $(CORE_DEP) $(BOARD_DEP)    ## a bitstream of BOARD=ulx3s, SET= of tests/fpga/boards.txt, SEED=; BOARD=sim: simulated
	$(Q)tests/fpga/board/place.sh $(BUILD) $(or $(BOARD),ulx3s) $(or $(SET),l2) $(or $(SEED),1)
endif
.PHONY: fpga-core
fpga-core: $(CORE_DEP) $(BOARD_DEP)     ## build/heddle.core: the same for FuseSoC
	$(Q)tests/fpga/board/core.pl $(BUILD)
fpga-board-accept:      ## after fpga-board: its figures are those of tests/fpga/placed.csv and docs/board.md
	$(Q)tests/fpga/board/figures.pl --accept $(BUILD)/fpga-board/$(or $(BOARD),ulx3s)-$(or $(SET),l2)/$(or $(SEED),1).csv
	$(Q)tests/fpga/board/figures.pl docs/board.md

# ---- the netlist after synthesis, in lockstep: it has no delays ----
# A library a set; `netlist:' opens that of a number of lanes, so what runs is copied there.
NET_SET   := $(or $(SET),tiny)
NET_LANES  = $(shell sed -n 's/^$(NET_SET)  *LANES=\([0-9]*\).*/\1/p' tests/fpga/boards.txt)
NET_DIR   := $(BUILD)/fpga-board/ulx3s-$(NET_SET)
$(NET_DIR)/board.il: $(CORE_DEP) $(BOARD_DEP) rtl/fpga/boards/ulx3s.v tests/fpga/boards.txt tests/fpga/board/place.sh
	$(Q)tests/fpga/board/place.sh $(BUILD) ulx3s $(NET_SET) none && touch $@
$(NET_DIR)/board_net.v: $(NET_DIR)/board.il tests/fpga/board/netlist.sh tests/fpga/board/netlist_map.v
	$(Q)tests/fpga/board/netlist.sh $(BUILD) $(@D)
$(eval $(call fpga_library,net_$(NET_SET),netlist_board,$(NET_DIR)/board_net.v tests/fpga/board/netlist_board.v \
    tests/fpga/board/cells.v,-Wno-MULTIDRIVEN -Wno-UNOPTFLAT))
fpga-netlist: $(BUILD)/heddle $(BUILD)/rtl/libboard_net_$(NET_SET).so    ## a board's netlist in lockstep; SET= of tests/fpga/boards.txt, COUNT= kernels and random ones
	$(Q)cp $(BUILD)/rtl/libboard_net_$(NET_SET).so $(BUILD)/rtl/libboard_l$(NET_LANES)_netlist.so
	$(Q)tests/fpga/board/netlist_run.sh $(BUILD)/heddle $(NET_LANES) $(or $(COUNT),20) $(SECONDS)
