# Several cores behind one memory: docs/cores.md.
# SPDX-License-Identifier: Apache-2.0
.PHONY: test-cores fuzz-cores lint-cores
test-cores: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libshare.so     ## several cores in lockstep: kernels that meet in memory, faults, wrong use
	$(Q)tests/cores/cores.sh $(BUILD)/heddle $(BUILD)/cores
# Of eight cores some kernels take ten seconds on a busy machine.
fuzz-cores: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libcore_l32.so $(BUILD)/rtl/libshare.so      ## random kernels on 2, 3 and 8 cores
	$(Q)set -e; for c in 2 3 8; do for m in barrier stack; do for l in 4 32; do \
	    $(BUILD)/heddle fuzz --lanes $$l --cores $$c --mode $$m --count $(or $(COUNT),1000) --time $(or $(TIME),20) \
	        --seed $(or $(SEED),$$c) --at-least 1 --out $(BUILD)/fuzz; done; done; done
# The module that puts cores and what they share together, with as few and as many of them as it takes.
lint-cores: $(CORE_DEP)         ## simt_cores.v, without a warning in Verilator
	$(Q)set -e; for c in 1 2 8; do \
	    verilator --lint-only -Wall --top-module simt_cores -sv -Irtl -I$(GEN) -GLANES=4 -GCORES=$$c rtl/probe.vlt $(CORE_SRC); \
	    echo "lint: verilator, CORES=$$c, clean"; done
.PHONY: test-litmus
test-litmus: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libshare.so    ## litmus tests on 2, 4 and 8 cores; SEEDS=
	$(Q)tests/cores/litmus.sh $(BUILD)/heddle $(or $(SEEDS),4)
TURNS += test-cores lint-cores
LONG  += fuzz-cores test-litmus
