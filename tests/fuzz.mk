# Random kernels: a sample of every LANES and level, bounded in time; longer with COUNT= and SEED=.
# SPDX-License-Identifier: Apache-2.0
FUZZ_LANES := 32 4 1
.PHONY: fuzz
fuzz: $(BUILD)/heddle $(FUZZ_LANES:%=$(BUILD)/rtl/libcore_l%.so)    ## random kernels in lockstep and thread by thread
	$(Q)set -e; for l in $(FUZZ_LANES); do echo "LANES $$l"; \
	    $(BUILD)/heddle fuzz --lanes $$l --seed $(or $(SEED),$$l) --count $(or $(COUNT),800) --time 60 --out $(BUILD)/fuzz; done
