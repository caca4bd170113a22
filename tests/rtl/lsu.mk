# The LSU alone against a reference, for several widths, and with one slot (4_1) instead of 16:
# make test-lsu; make lsu-times.
# SPDX-License-Identifier: Apache-2.0
LSU_TEST := $(BUILD)/tests/rtl/lsu
LSU_RTL := tests/rtl/lsu_top.v rtl/mem/lsu.v $(wildcard rtl/mem/lsu_*.v) rtl/mem/atomic.v $(wildcard rtl/mem/ranges*.v) rtl/mem/shared_mem.v
LSU_LANES := 32 4 1
LSU_CORES := $(LSU_LANES) 4_1
lsu_lanes  = $(firstword $(subst _, ,$1))
LSU_SEED ?= 1

.PRECIOUS: $(LSU_TEST)/lsu_test_%
$(LSU_TEST)/lsu_test_%: $(LSU_RTL) $(wildcard rtl/*.vh) $(RTL_GEN) tests/rtl/lsu_shim.cpp \
                        tests/rtl/lsu_ports.def tests/rtl/lsu_port.h \
                        $(addprefix $(BUILD)/tests/rtl/lsu_,test.o ref.o axi.o)
	@mkdir -p $(@D)
	$(Q)verilator --cc --top-module lsu_top --Mdir $(LSU_TEST)/v$* --prefix Vlsu -O3 -Wall --x-assign fast \
	  --x-initial fast -GLANES=$(call lsu_lanes,$*) \
	  $(addprefix -GSLOTS=,$(word 2,$(subst _, ,$*))) -GSHARED_BYTES=16384 -I$(GEN) -Irtl $(LSU_RTL)
	$(Q)printf 'include Vlsu.mk\nall_: $$(VM_PREFIX)__ALL.a $$(VK_GLOBAL_OBJS)\n' > $(LSU_TEST)/v$*/x.mk
	$(Q)$(MAKE) -s -C $(LSU_TEST)/v$* -f x.mk all_ OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1 > /dev/null
	$(Q)$(CXX) -std=c++17 -O1 -Itests/rtl -I$(LSU_TEST)/v$* -I$(VERILATOR_INC) \
	  -I$(VERILATOR_INC)/vltstd -o $@ tests/rtl/lsu_shim.cpp $(filter %.o,$^) \
	  $(LSU_TEST)/v$*/Vlsu__ALL.a $(LSU_TEST)/v$*/verilated*.o -pthread

.PHONY: test-lsu test-lsu-long lsu-times
test-lsu:      LSU_SOME  := 32 4
test-lsu:      LSU_COUNT ?= 25000
test-lsu-long: LSU_SOME  := $(LSU_CORES)
test-lsu-long: LSU_COUNT ?= 100000
test-lsu: $(addprefix $(LSU_TEST)/lsu_test_,32 4)                ## the LSU alone against a reference
test-lsu-long: $(LSU_CORES:%=$(LSU_TEST)/lsu_test_%)             ## longer, and with one lane, and one slot
test-lsu test-lsu-long:
	$(Q)for l in $(LSU_SOME); do $(LSU_TEST)/lsu_test_$$l $${l%_*} $(LSU_COUNT) $(LSU_SEED) $$(expr $$l : "[0-9]*_\(.*\)") || exit 1; done
	$(call refuses_nothing,$(LSU_TEST)/lsu_test_4 4 0)
LONG += test-lsu-long
lsu-times: $(LSU_LANES:%=$(LSU_TEST)/lsu_test_%)    ## cycles of the LSU by access pattern and LANES
	$(Q)for l in $(LSU_LANES); do $(LSU_TEST)/lsu_test_$$l $$l times || exit 1; done
