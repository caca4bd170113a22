# Paper A's workloads, and the paper reproduced.
# SPDX-License-Identifier: Apache-2.0
PAPER_A     := $(BUILD)/paper-a
PAPER_A_OBJ := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/paper_a/*.c))

# The host versions must round where the kernels do.
$(PAPER_A_OBJ): CFLAGS += -ffp-contract=off
$(BUILD)/paper_a: $(PAPER_A_OBJ) $(BUILD)/tests/problem.o $(BUILD)/tests/claims.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

.PHONY: test-paper-a paper-a docs-paper-a
test-paper-a: $(BUILD)/paper_a                          ## paper A's nine workloads against their host versions
	$(Q)$(BUILD)/paper_a check
	$(call refuses_nothing,$(BUILD)/paper_a check nobody)
# CORE=0 (tests/paper_c.mk): on the model alone, with the core's timing profile.
paper-a: $(BUILD)/heddle $(BUILD)/paper_a $(if $(filter 0,$(CORE)),,$(BUILD)/rtl/libcore_l32.so)    ## paper A's figures and claims, into build/paper-a
	@mkdir -p $(PAPER_A)
	$(Q)$(BUILD)/paper_a write rtl $(PAPER_A)
	$(Q)for k in tests/paper_a/*.cu; do n=$$(basename $$k .cu); \
	    $(BUILD)/heddle profile $$k -D PA_UNMARKED @$(PAPER_A)/$$n.args --save $(PAPER_A)/$$n.json > /dev/null || exit 1; done
	$(Q)$(BUILD)/paper_a figures $(PAPER_A) $(if $(filter 0,$(CORE)),--model) > $(PAPER_A)/claims.txt; status=$$?; \
	    gnuplot -e "folder='$(PAPER_A)'" tests/paper_a/plots.gp && cat $(PAPER_A)/claims.txt && exit $$status
# docs/paper-a.md and its pictures.
docs-paper-a: paper-a    ## docs/paper-a: its figures and numbers, measured again
	@mkdir -p docs/paper-a
	$(Q)cp $(PAPER_A)/*.svg docs/paper-a
	$(Q)grep '^paper-a: ' $(PAPER_A)/claims.txt | sed 's/^/    /' > $(PAPER_A)/claims.md
	$(Q)sed -e '/^@claims@/{r $(PAPER_A)/claims.md' -e 'd}' -e '/^@table@/{r $(PAPER_A)/table.md' -e 'd}' \
	    tests/paper_a/page.md > docs/paper-a.md
LONG += test-paper-a
