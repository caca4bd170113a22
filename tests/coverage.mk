# Coverage of a sample of the tests: bins of the commit stream, lines and toggles of the Verilog.
# SPDX-License-Identifier: Apache-2.0
# LANES 4 is the cheapest core that has every part: beats, groups of lanes, all units.
COV := $(BUILD)/coverage
COV_FILES := $(wildcard tests/kernels/*.cu tests/kernels/*.ptx tests/kernels/*.s tests/fail/*.cu tests/fail/*.s)
COV_HEDDLE := RTL_COVERAGE=$(COV)/dat $(BUILD)/heddle
.PHONY: coverage
coverage: $(BUILD)/heddle $(BUILD)/core_smoke $(BUILD)/rtl/libcore_l4_cov.so     ## what the tests cover: bins, lines, toggles; COUNT= random kernels
	$(Q)rm -rf $(COV) && mkdir -p $(COV)/dat $(COV)/files
	$(Q)for f in $(COV_FILES); do sed '/LANES: none/!s|^// LANES:.*|// LANES: 4|; s|^// SPDX.*|// LANES: 4|' \
	    $$f > $(COV)/files/$$(basename $$f); done
	$(Q)$(COV_HEDDLE) check --coverage $(COV)/bins.cov $(COV)/files/*
	$(Q)for m in barrier stack; do $(COV_HEDDLE) fuzz --lanes 4 --mode $$m --stack-depth 4 --count $(or $(COUNT),200) --time $(or $(TIME),60) \
	    --out $(COV) --coverage $(COV)/bins.cov || exit 1; done
	$(Q)for k in int conv mem pattern all fault stack stack-conv stack-fault stack-chaos; do RTL_COVERAGE=$(COV)/dat $(BUILD)/core_smoke --lanes 4 --kind $$k --count 20 || exit 1; done
	$(Q)verilator_coverage --write $(COV)/all.dat $(COV)/dat/*.dat
	$(Q)awk -v holes=$(COV)/uncovered.txt -f tests/coverage.awk $(COV)/all.dat > $(COV)/code.txt; code=$$?; cat $(COV)/code.txt; exit $$code
	$(Q)$(BUILD)/heddle coverage $(COV)/bins.cov --html > $(COV)/bins.html
	$(Q)$(BUILD)/heddle coverage $(COV)/bins.cov
	@echo "lines that nothing reached: $(COV)/uncovered.txt; every bin: $(COV)/bins.html"
.PHONY: docs-coverage
docs-coverage: coverage    ## docs/coverage: lines and toggles by file, measured again
	$(Q)cp $(COV)/code.txt docs/coverage/code.txt
