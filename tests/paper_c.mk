# Paper C reproduced, and the two mechanisms compared.
# SPDX-License-Identifier: Apache-2.0
PAPER_C     := $(BUILD)/paper-c
PAPER_C_OBJ := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/paper_c/*.c))

$(BUILD)/paper_c: $(PAPER_C_OBJ) $(BUILD)/tests/claims.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

.PHONY: paper-c test-paper-c docs-paper-c
# CORE=0: on the model alone.
CORE ?= 1
paper-c: $(BUILD)/paper_c $(BUILD)/heddle $(if $(filter 1,$(CORE)),$(BUILD)/rtl/libcore_l32.so)   ## paper C's figures and claims, into build/paper-c
	@mkdir -p $(PAPER_C)
	$(Q)$(BUILD)/paper_c $(PAPER_C) $(if $(filter 1,$(CORE)),,--model) > $(PAPER_C)/claims.txt; status=$$?; \
	    gnuplot -e "folder='$(PAPER_C)'; core=$(CORE)" tests/paper_c/plots.gp && cat $(PAPER_C)/claims.txt && exit $$status
# docs/paper-c.md and its pictures.
docs-paper-c: paper-c    ## docs/paper-c: its figures and numbers, measured again
	@mkdir -p docs/paper-c
	$(Q)cp $(PAPER_C)/*.svg docs/paper-c
	$(Q)grep '^paper-c: ' $(PAPER_C)/claims.txt | sed 's/^/    /' > $(PAPER_C)/claims.md
	$(Q)sed 's/^/    /' $(PAPER_C)/fig3.txt > $(PAPER_C)/walk.md
	$(Q)sed -e '/^@claims@/{r $(PAPER_C)/claims.md' -e 'd}' -e '/^@walk@/{r $(PAPER_C)/walk.md' -e 'd}' \
	    tests/paper_c/page.md > docs/paper-c.md

$(BUILD)/test_paper_c: $(BUILD)/tests/unit/test_paper_c.o $(BUILD)/tests/paper_c/emulator.o $(ARCHIVES)
	$(HARNESS_LINK)
$(BUILD)/test_claims: $(BUILD)/tests/unit/test_claims.o $(BUILD)/tests/claims.o
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) -lcmocka
test-paper-c: $(BUILD)/test_paper_c $(BUILD)/test_claims $(CORE32)    ## unit tests of paper C's stack, and of what claims are known to differ
	$(Q)$(BUILD)/test_paper_c
	$(Q)$(BUILD)/test_claims
PARTS += test-paper-c

