# The golden model: its tests and its speed.
# SPDX-License-Identifier: Apache-2.0
RULES_OBJ := $(patsubst %,$(BUILD)/tests/unit/%.o,test_rules rules_naive rule_run)

$(BUILD)/test_rules: $(RULES_OBJ) $(BUILD)/libcmodel.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lm
$(BUILD)/test_stack $(BUILD)/test_stack_random: $(BUILD)/%: $(BUILD)/tests/unit/%.o $(BUILD)/tests/unit/one_insn.o \
		$(BUILD)/tests/unit/stack_naive.o $(BUILD)/libcmodel.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lm
# Any other, a new one, too.
MODEL_OWN := test_rules test_stack test_stack_random
$(patsubst %,$(BUILD)/%,$(filter-out $(MODEL_OWN),$(call unit_names,$(UNIT_MODEL)))): $(BUILD)/%: $(BUILD)/tests/unit/%.o \
		$(BUILD)/tests/unit/one_insn.o $(BUILD)/libcmodel.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lm
$(BUILD)/bench_model: $(BUILD)/tests/bench/bench_model.o $(BUILD)/tests/bench/native.o $(BUILD)/libcmodel.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lm

# What the core costs, as a timing profile: the source of cmodel/timing/core.ini.
$(BUILD)/core_timing: $(BUILD)/tests/bench/core_timing.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)
.PHONY: timing-core
timing-core: $(BUILD)/core_timing $(BUILD)/rtl/libcore_l32.so  ## measure the core: writes cmodel/timing/core.ini
	$(Q)$(BUILD)/core_timing > $(BUILD)/core.ini && sed -n '/^# The core cycle by cycle/,$$p' cmodel/timing/core.ini >> $(BUILD)/core.ini && cp $(BUILD)/core.ini cmodel/timing/core.ini && cat cmodel/timing/core.ini

.PHONY: test-model bench-model
MODEL_TESTS := $(addprefix $(BUILD)/,$(call unit_names,$(UNIT_MODEL)))
test-model: $(MODEL_TESTS)    ## unit tests of the model
	$(Q)set -e; for t in $^; do $$t; done

# Threads of the model under ThreadSanitizer, which must find the race of an atomic that is none.
# Without randomised addresses, where that is allowed: gcc 12's run time does not start with as many
# random bits as newer kernels take.
TSAN := $(BUILD)/tsan
LONG += test-threads
.PHONY: test-threads
test-threads:    ## blocks at the same time, under ThreadSanitizer
	$(Q)$(MAKE) --no-print-directory BUILD=$(TSAN) OPT=-O1 EXTRA_CFLAGS=-fsanitize=thread \
	    EXTRA_LDFLAGS=-fsanitize=thread $(TSAN)/test_jobs $(TSAN)/test_jobs_planted
	$(Q)fixed=$$(setarch -R true 2> /dev/null && echo setarch -R); export TSAN_OPTIONS=halt_on_error=1; \
	$$fixed $(TSAN)/test_jobs && \
	! $$fixed $(TSAN)/test_jobs_planted > $(TSAN)/planted.log 2>&1
	$(Q)grep -q 'WARNING: ThreadSanitizer: data race' $(TSAN)/planted.log
$(BUILD)/planted.c: cmodel/machine/memory.c
	$(Q)sed 's/together = m->core.together/together = false/' $< > $@ && ! cmp -s $< $@
$(BUILD)/test_jobs_planted: $(BUILD)/tests/unit/test_jobs.o $(BUILD)/planted.c $(BUILD)/libcmodel.a
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) -lcmocka -lm
bench-model: $(BUILD)/bench_model    ## speed of the model alone
	$(Q)$(BUILD)/bench_model $(wildcard $(BUILD)/kernels/p_loop_merge.hx)
