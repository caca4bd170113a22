# Block counts and regrouping (regroup/, docs/regroup.md).
# SPDX-License-Identifier: Apache-2.0
REGROUP_TESTS := $(addprefix $(BUILD)/,$(call unit_names,$(UNIT_REGROUP)))
$(REGROUP_TESTS): $(BUILD)/test_%: $(BUILD)/tests/unit/test_%.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) -lcmocka $(HEDDLE_LIBS)

.PHONY: test-regroup
test-regroup: $(REGROUP_TESTS) $(BUILD)/heddle    ## block counts, metrics and orders of threads
	$(Q)for t in $(REGROUP_TESTS); do $$t || exit 1; done
	$(Q)for k in loop tenth; do for w in 32 8; do \
	    tests/regroup/predict.sh 3 $(BUILD)/heddle tests/regroup/$$k.cu --grid 16 --block 128 \
	        in:u32[2048]=rand:3 out:u32[2048] --warps $$w || exit 1; done; done
	$(Q)tests/regroup/predict.sh 5 $(BUILD)/heddle tests/regroup/loop.cu --grid 16 --block 128 \
	    in:u32[2048]=rand:3 out:u32[2048] --mode stack --stack-depth 4
	$(Q)tests/regroup/predict.sh 3 $(BUILD)/heddle tests/regroup/tenth.cu --grid 16 --block 128 \
	    in:u32[2048]=rand:3 out:u32[2048] --mode stack
	$(Q)tests/regroup/predict.sh 40,5 $(BUILD)/heddle tests/regroup/pointers.cu --grid 16 --block 128 \
	    in:u32[2048]=rand:3 out:u32[2048]
	$(Q)tests/regroup/predict.sh 3 $(BUILD)/heddle tests/kernels/divergent.cu --grid 32 --block 128 \
	    data:f32[4096]=rand:1 steps:i32[4096] n:i32=4096
	$(Q)tests/regroup/machine.sh $(BUILD)/heddle
	$(Q)tests/regroup/memory.sh $(BUILD)/heddle
	$(Q)tests/regroup/overflow.sh $(BUILD)/heddle
	$(Q)tests/regroup/auto.sh $(BUILD)/heddle
TURNS += test-regroup
.PHONY: test-overflow
test-overflow: $(BUILD)/heddle    ## counts of a run that 32 bits do not hold are refused; minutes
	$(Q)tests/regroup/overflow_run.sh $(BUILD)/heddle
LONG += test-overflow
# Random kernels in other orders; fails where memory differs, or none can be redirected.
$(BUILD)/fuzz_redirect: $(BUILD)/tests/regroup/fuzz_redirect.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)
.PHONY: fuzz-redirect fuzz-redirect-long
fuzz-redirect: $(BUILD)/fuzz_redirect    ## random kernels, redirected in random orders; refusals by reason
	$(Q)$< $(or $(SEED),1) $(or $(COUNT),600)
fuzz-redirect-long: $(BUILD)/fuzz_redirect    ## the same for minutes
	$(Q)$< $(or $(SEED),2) $(or $(COUNT),8000)
PARTS += fuzz-redirect
LONG += fuzz-redirect-long
.PHONY: test-slice
test-slice: $(BUILD)/heddle $(BUILD)/paper_b    ## counts by a slice are those by a run, where one is cheap
	$(Q)mkdir -p $(BUILD)/paper-b && $(BUILD)/paper_b write rtl $(BUILD)/paper-b
	$(Q)for k in mc sw nw sl; do tests/regroup/slice.sh $(BUILD)/heddle tests/paper_b/$$k.cu @$(BUILD)/paper-b/$$k.args || exit 1; done
	$(Q)for k in sw nw sl; do tests/regroup/slice.sh $(BUILD)/heddle tests/paper_b/$$k.cu @$(BUILD)/paper-b/$$k.args --mode stack || exit 1; done
	$(call refuses_nothing,tests/regroup/slice.sh $(BUILD)/heddle tests/paper_b/mum.cu @$(BUILD)/paper-b/mum.args)
TURNS += test-slice
.PHONY: paper-b-errors
# STACK_DEPTH=4: in stack mode, with so many tokens on chip.
paper-b-errors: $(BUILD)/heddle $(BUILD)/paper_b    ## what predictions miss on paper B's workloads, on the model
	$(Q)mkdir -p $(BUILD)/paper-b && $(BUILD)/paper_b write rtl $(BUILD)/paper-b
	$(Q)for w in 32 8; do for k in mc sw nw sl sm ec mum; do tests/regroup/predict.sh 1000 $(BUILD)/heddle \
	    tests/paper_b/$$k.cu @$(BUILD)/paper-b/$$k.args --warps $$w \
	    $(if $(STACK_DEPTH),--mode stack --stack-depth $(STACK_DEPTH)) || exit 1; done; done
$(BUILD)/bench_regroup: $(BUILD)/tests/bench/bench_regroup.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)
