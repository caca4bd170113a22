# --predict auto: its decisions (tests/unit/test_auto.c), wrong ones on purpose, and every kernel
# with and without it.
# SPDX-License-Identifier: Apache-2.0
AUTO_TOOLS := $(BUILD)/heddle $(BUILD)/paper_a

# Wrong decisions, each as what sed does to a file, and the test that must notice.
AUTO_WRONG_1 := s/PROMISE_TRIPS = 1.05/PROMISE_TRIPS = 0.01/
AUTO_WRONG_1_FILE := auto
AUTO_WRONG_1_TEST := test_cost
AUTO_WRONG_2 := s/case P_BAR: .*return .*/case P_BAR: return NULL;/
AUTO_WRONG_2_FILE := auto_sync
AUTO_WRONG_2_TEST := test_synchronization
AUTO_WRONG_3 := s/pieces(moves ? any : now, bytes, n)/pieces(now, bytes, n)/
AUTO_WRONG_3_FILE := auto_memory
AUTO_WRONG_3_TEST := test_memory
AUTO_WRONG_4 := s/p->cycles += m \* once/p->cycles += once/
AUTO_WRONG_4_FILE := auto_model
AUTO_WRONG_4_TEST := test_profile
$(BUILD)/planted/test_auto.%: $(wildcard compiler/auto/*.c) tests/auto.mk \
                              $(BUILD)/tests/unit/test_auto.o $(TEST_LIBS)
	@mkdir -p $(@D)
	$(Q)sed '$(AUTO_WRONG_$*)' compiler/auto/$(AUTO_WRONG_$*_FILE).c > $@.c && ! cmp -s $@.c compiler/auto/$(AUTO_WRONG_$*_FILE).c
	$(Q)$(CC) $(CFLAGS) -Wno-unused -c -o $@.o $@.c
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %/test_auto.o,$^) $@.o $(filter %.a,$^) -lcmocka -lz -lm

.PHONY: test-auto auto-planted auto-check
auto-planted: $(BUILD)/planted/test_auto.1 $(BUILD)/planted/test_auto.2 $(BUILD)/planted/test_auto.3 $(BUILD)/planted/test_auto.4    ## mistakes in --predict auto that its tests must see
	$(Q)i=1; for t in $(AUTO_WRONG_1_TEST) $(AUTO_WRONG_2_TEST) $(AUTO_WRONG_3_TEST) $(AUTO_WRONG_4_TEST); do \
	    ! $(BUILD)/planted/test_auto.$$i > $(BUILD)/planted/auto.txt 2>&1 && grep -q "FAILED.*$$t" $(BUILD)/planted/auto.txt || { echo "planted mistake $$i: $$t does not notice"; exit 1; }; \
	    i=$$((i + 1)); done; echo "auto: $$((i - 1)) planted mistakes, all noticed"

test-auto: $(BUILD)/tests/unit/test_auto auto-planted $(AUTO_TOOLS)    ## --predict auto: unit tests, planted mistakes, a sample of auto-check
	$(Q)$(BUILD)/tests/unit/test_auto
	$(Q)EVERY=16 tests/auto/check.sh run
	$(Q)tests/auto/check.sh run profile
auto-check: $(AUTO_TOOLS) $(BUILD)/rtl/libcore_l32.so      ## every kernel off and auto on RTL: same memory, at most 2% slower
	$(Q)tests/auto/check.sh lockstep
	$(Q)tests/auto/check.sh lockstep profile
TURNS += test-auto
