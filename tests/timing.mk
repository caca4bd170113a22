# How well `--timing core` predicts the core's cycles: docs/timing.md.
# SPDX-License-Identifier: Apache-2.0
$(BUILD)/random_kernels: $(BUILD)/tests/timing/random_kernels.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

# The core's cycles are recorded, as lockstep takes half an hour over all of them.
TIMING_NEEDS := $(BUILD)/heddle $(BUILD)/paper_a $(BUILD)/random_kernels
TIMING_CHECK  = tests/timing/check.pl check $(BUILD) tests/timing/rtl.csv
.PHONY: timing-record timing-check test-timing-core
timing-record: $(TIMING_NEEDS) $(BUILD)/rtl/libcore_l32.so $(CORE32)    ## record the core's cycles again: tests/timing/rtl.csv
	$(Q)tests/timing/check.pl record $(BUILD) > $(BUILD)/rtl.csv && cp $(BUILD)/rtl.csv tests/timing/rtl.csv
timing-check: $(TIMING_NEEDS)    ## what --timing core predicts, against recorded cycles of the core
	$(Q)$(TIMING_CHECK)
test-timing-core: $(TIMING_NEEDS)    ## the same of every third kernel, the workloads and the random kernels
	$(Q)$(TIMING_CHECK) 3
	$(Q)sed 's/,\([0-9]*\)$$/,1\1/' tests/timing/rtl.csv > $(BUILD)/rtl_wrong.csv
	$(Q)! tests/timing/check.pl check $(BUILD) $(BUILD)/rtl_wrong.csv 1000 > $(BUILD)/nothing.txt 2>&1 || \
	    { echo "passes with wrong cycles: tests/timing/check.pl"; exit 1; }
TURNS += test-timing-core
