# Random kernels: a sample of every LANES and level, bounded in time; longer with COUNT= and SEED=.
# A machine on which the time is over before so many kernels have run has tested too little:
# AT_LEAST=.
# SPDX-License-Identifier: Apache-2.0
FUZZ_MODES := barrier stack
.PHONY: fuzz fuzz-some
fuzz:      FUZZ_LANES := 32 4 1
fuzz:      FUZZ_TIME  := 40
fuzz-some: FUZZ_LANES := 32 4
fuzz-some: FUZZ_TIME  := 7
fuzz: $(BUILD)/rtl/libcore_l1.so $(BUILD)/rtl/libcore_l32.so    ## random kernels in lockstep and thread by thread
fuzz-some: $(CORE32)                ## fuzz for some seconds, on two LANES
fuzz fuzz-some: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so
	$(Q)set -e; for l in $(FUZZ_LANES); do for m in $(FUZZ_MODES); do echo "LANES $$l, $$m mode"; \
	    $(BUILD)/heddle fuzz --lanes $$l --mode $$m --stack-depth 4 --seed $(or $(SEED),$$l) --count $(or $(COUNT),400) \
	        --time $(or $(TIME),$(FUZZ_TIME)) --at-least $(or $(AT_LEAST),$(if $(COUNT)$(TIME),1,16)) \
	        --out $(BUILD)/fuzz; done; done

# Two thousand in one run on a stack of four: every push, depth, spill and fill case of
# docs/coverage.md is met.
.PHONY: fuzz-spills
fuzz-spills: $(BUILD)/heddle $(BUILD)/rtl/libcore_l32.so    ## random kernels meet every spill and fill case of the stack
	@mkdir -p $(BUILD)/fuzz && rm -f $(BUILD)/fuzz/spills.cov
	$(Q)$(BUILD)/heddle fuzz --lanes 32 --mode stack --stack-depth 4 --seed 1000 --count 2000 --out $(BUILD)/fuzz \
	    --coverage $(BUILD)/fuzz/spills.cov
	$(Q)$(BUILD)/heddle coverage $(BUILD)/fuzz/spills.cov > $(BUILD)/fuzz/spills.txt
	$(Q)awk '$$1 ~ /^(push|depth|stack)$$/ { print; full += /100\.0%/ } \
	    END { print full + 0 " passed, " 3 - full " failed"; exit full != 3 }' $(BUILD)/fuzz/spills.txt

# Every pair of harness/fuzz/pairs.def, by the host's values: all on the model, of operands and a part of
# the features on the core; or all.
.PHONY: fuzz-pairs fuzz-pairs-some
FUZZ_PAIRS = $(BUILD)/heddle fuzz --stack-depth 4 --seed $(or $(SEED),1) --out $(BUILD)/fuzz
fuzz-pairs:      PAIRS_SHARDS := 1
fuzz-pairs-some: PAIRS_SHARDS := 32
fuzz-pairs: $(BUILD)/heddle $(CORE32)     ## every pair of operands and of features, in lockstep; SEED=
fuzz-pairs-some: $(BUILD)/heddle $(CORE32) ## every pair, those of features mostly on the model
fuzz-pairs fuzz-pairs-some:
	$(Q)set -e; for m in $(FUZZ_MODES); do echo "$$m mode"; \
	    $(FUZZ_PAIRS) --mode $$m --level operands --pairs $(BUILD)/fuzz/operands-$$m.txt; \
	    $(FUZZ_PAIRS) --mode $$m --level features --on model --pairs $(BUILD)/fuzz/features-$$m.txt; \
	    $(FUZZ_PAIRS) --mode $$m --level features --shard $$(($(or $(SEED),1) % $(PAIRS_SHARDS)))/$(PAIRS_SHARDS); done
# What the compiler chooses is beside another choice: no third leg sees it.
.PHONY: test-ways
test-ways: $(BUILD)/heddle      ## one program compiled in several ways stores the same; SEED= COUNT=
	$(Q)tests/ptx/ways.pl $(BUILD)/heddle $(BUILD)/ways $(or $(SEED),1) $(or $(COUNT),24)
PARTS += test-ways
# Bugs that two things at once show.
.PHONY: pairs-planted pairs-planted-some
pairs-planted: $(BUILD)/heddle   ## bugs planted in model and compiler are found by the host's values
pairs-planted-some: $(BUILD)/heddle   ## pairs-planted of every fourth, which SEED= chooses
pairs-planted-some: EVERY := 4
pairs-planted pairs-planted-some:
	$(Q)tests/fuzz/pairs_planted.sh $(BUILD) "$(CC) $(CFLAGS) -w" "$(ARCHIVES) $(HEDDLE_LIBS)" $(or $(EVERY),1) $(or $(SEED),1)
TURNS += fuzz-pairs-some
LONG  += fuzz-pairs pairs-planted-some

# Programs with directives of speculative reconvergence, each placed in every way.
.PHONY: fuzz-predict
fuzz-predict: $(BUILD)/heddle $(BUILD)/rtl/libcore_l32.so    ## random kernels with random predictions, in every placement
	$(Q)tests/fuzz/predicted.sh $(BUILD)/heddle fuzz --level ptx --seed $(or $(SEED),1) --count $(or $(COUNT),2000) \
	    --time $(or $(TIME),30) --at-least $(or $(AT_LEAST),$(if $(COUNT)$(TIME),1,16)) --out $(BUILD)/fuzz
LONG += fuzz-predict

# Shards, signals, resumed campaigns, wrong use: seconds.
# The rate of the compiler alone is some times that of lockstep.
.PHONY: fuzz-compile
fuzz-compile: $(BUILD)/heddle         ## random programs in every placement, for the compiler's proofs to judge
	$(Q)tests/fuzz/predicted.sh $(BUILD)/heddle fuzz --level ptx --on nothing --seed $(or $(SEED),1) --count $(or $(COUNT),3000) --time $(or $(TIME),60) --out $(BUILD)/fuzz
TURNS += fuzz-compile

.PHONY: fuzz-campaign
fuzz-campaign: $(BUILD)/heddle $(BUILD)/rtl/libcore_l32.so    ## kills, full disks, resumed and truncated campaigns
	$(Q)BUILD=$(BUILD) tests/fuzz/campaign.sh
LONG += fuzz-campaign

# Each kernel also on two models, interpreted and as the host's code: every register, counter, fault
# and byte must be the same.
.PHONY: fuzz-native fuzz-native-some
fuzz-native:      NATIVE_COUNT := 300
fuzz-native-some: NATIVE_COUNT := 24
fuzz-native: $(BUILD)/heddle      ## random kernels interpreted and as the host's code
fuzz-native-some: $(BUILD)/heddle ## fuzz-native of a few kernels
fuzz-native fuzz-native-some:
	$(Q)set -e; for m in $(FUZZ_MODES); do rm -rf $(BUILD)/native-cache; \
	    XDG_CACHE_HOME=$(BUILD)/native-cache $(BUILD)/heddle fuzz --native --on model --mode $$m --stack-depth 4 \
	        --seed $(or $(SEED),9) --count $(or $(COUNT),$(NATIVE_COUNT)) --out $(BUILD)/fuzz; done; \
	    rm -rf $(BUILD)/native-cache
# The whole state after every piece, of more kernels than test-harness takes; bugs planted in each fast way.
.PHONY: fast-ways fast-planted fast-planted-some
fast-ways: $(BUILD)/test_fast     ## the model's fast ways beside the plain machine, step by step; SEED= COUNT= NATIVE=
	$(Q)SEED=$(or $(SEED),2) COUNT=$(or $(COUNT),400) NATIVE=$(or $(NATIVE),20) $(BUILD)/test_fast
FAST_TESTS := $(BUILD)/test_fast $(BUILD)/test_meet $(BUILD)/test_alone $(BUILD)/test_border \
              $(BUILD)/test_repeat_key
fast-planted: $(BUILD)/heddle $(FAST_TESTS)       ## bugs planted in the model's fast ways are found
fast-planted-some: $(BUILD)/heddle $(FAST_TESTS)  ## fast-planted of every eighth, which SEED= chooses
fast-planted-some: EVERY := 8
fast-planted fast-planted-some:
	$(Q)tests/fuzz/fast_planted.sh $(BUILD) "$(CC) $(CFLAGS) -w" "$(ARCHIVES) $(HEDDLE_LIBS)" $(or $(EVERY),1) $(or $(SEED),1)
LONG += fast-ways fast-planted-some
# The host's code beside the interpreter on launches of every kind of end; its cache.
.PHONY: test-native native-counts native-planted native-planted-some
test-native: $(BUILD)/heddle      ## heddle run --native: the same output; its cache
	$(Q)BUILD=$(BUILD) tests/native/native.sh
	$(Q)BUILD=$(BUILD) tests/native/straight.sh
	$(Q)tests/native/affine.pl $(BUILD)/heddle $(BUILD)/affine $(or $(SEED),1) 80
	$(Q)BUILD=$(BUILD) tests/native/vectors.sh
	$(Q)BUILD=$(BUILD) tests/native/counts.sh
	$(call refuses_nothing,BUILD=$(BUILD) tests/native/counts.sh 1)
# The block counts of every kernel, and of paper B's workloads.
native-counts: $(BUILD)/heddle $(BUILD)/paper_b    ## block counts by the host's code are the interpreter's
	$(Q)mkdir -p $(BUILD)/paper-b && $(BUILD)/paper_b write rtl $(BUILD)/paper-b
	$(Q)BUILD=$(BUILD) tests/native/counts.sh 100 $(wildcard tests/kernels/*.cu tests/kernels/*.ptx tests/kernels/*.s)
	$(Q)BUILD=$(BUILD) tests/native/counts.sh 7 $(foreach k,mc sw nw sl sm ec mum,tests/paper_b/$k.cu=$(BUILD)/paper-b/$k.args)
native-planted: $(BUILD)/heddle   ## bugs planted in the translation are found
native-planted-some: $(BUILD)/heddle   ## native-planted of every eighth, which SEED= chooses
native-planted-some: EVERY := 8
native-planted native-planted-some:
	$(Q)tests/native/planted.sh $(BUILD) "$(CC) $(CFLAGS) -w" "$(ARCHIVES) $(HEDDLE_LIBS)" $(or $(EVERY),1) $(or $(SEED),1)
LONG += fuzz-native native-counts native-planted-some
PARTS += fuzz-native-some
TURNS += test-native
.PHONY: bench-counts bench-native
bench-native: $(BUILD)/heddle $(BUILD)/paper_a    ## how much sooner paper A's workloads end as the host's code, and what its compiler takes
	$(Q)mkdir -p $(BUILD)/paper-a-model && $(BUILD)/paper_a write model $(BUILD)/paper-a-model
	$(Q)tests/bench/natively.sh $(BUILD)/heddle $(or $(ROUNDS),5) \
	    $(foreach k,$(basename $(notdir $(wildcard tests/paper_a/*.cu))),tests/paper_a/$k.cu=$(BUILD)/paper-a-model/$k.args)
bench-counts: $(BUILD)/heddle $(BUILD)/paper_b    ## how much sooner `heddle bbv` counts paper B's workloads as the host's code
	$(Q)mkdir -p $(BUILD)/paper-b-model && $(BUILD)/paper_b write model $(BUILD)/paper-b-model mc sw nw sl sm ec
	$(Q)tests/bench/counts.sh $(BUILD)/heddle $(foreach k,mc sw nw sl sm ec,tests/paper_b/$k.cu=$(BUILD)/paper-b-model/$k.args)

# Kernels on which RTL, model, third leg or compiler once differed: each must be equal now.  Those
# of other LANES than 4 and 32 wait for their cores in make test-long.
.PHONY: fuzz-found fuzz-found-lanes
FOUND       := $(sort $(wildcard tests/fuzz/found/*.s tests/fuzz/found/*.ptx))
FOUND_SOME  := $(shell grep -lxE '// fuzz: lanes (4|32)' $(FOUND))
FOUND_LANES := $(sort $(shell sed -n 's,^// fuzz: lanes ,,p' $(FOUND)))
fuzz-found:       FOUND_NOW = $(FOUND_SOME)
fuzz-found-lanes: FOUND_NOW = $(FOUND)
fuzz-found: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so $(CORE32)                          ## what campaigns found, run again
fuzz-found-lanes: $(BUILD)/heddle $(FOUND_LANES:%=$(BUILD)/rtl/libcore_l%.so)             ## the same for every LANES
fuzz-found fuzz-found-lanes:
	$(Q)n=0; bad=0; for f in $(FOUND_NOW); do n=$$((n + 1)); \
	    $(BUILD)/heddle fuzz --replay $$f --out $(BUILD)/fuzz > $(BUILD)/fuzz-found.txt 2>&1 \
	        || { bad=$$((bad + 1)); echo "FAIL $$f:"; cat $(BUILD)/fuzz-found.txt; }; done; \
	    echo "fuzz-found: $$((n - bad)) passed, $$bad failed"; [ $$bad = 0 ] && [ $$n -gt 0 ]
LONG += fuzz-found-lanes
PARTS += fuzz-found

# Bugs planted in the model: one of each kind that a barrier can have.
.PHONY: fuzz-planted
fuzz-planted: $(BUILD)/heddle $(CORE32)    ## planted barrier bugs are found, shrunk and named
	$(Q)set -e; p() { tests/fuzz/planted.sh $(BUILD) "$(CC) $(CFLAGS)" "$(ARCHIVES) $(HEDDLE_LIBS)" $$1 $$2 $$3 $$4; }; \
	    p wrong_slot BSSY; p released_early BSYNC BREAK EXIT; p lane_lost_on_exit EXIT; \
	    p stale_after_break BREAK

# 300 kernels leave the memory that 100 had taken.
.PHONY: test-resident test-resident-long
$(BUILD)/peak: tests/resident/peak.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -o $@ $<
test-resident: $(BUILD)/heddle $(BUILD)/peak    ## the fuzzers on the model keep nothing of the kernels that they have run
	$(Q)tests/resident/resident.sh $(BUILD) $(BUILD)/peak some
test-resident-long: $(BUILD)/heddle $(BUILD)/peak $(CUDA_NEEDS) $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libshare.so    ## nor do fuzzers in lockstep, heddle check, heddle silicon and programs
	$(Q)tests/resident/resident.sh $(BUILD) $(BUILD)/peak all
TURNS += test-resident
LONG  += test-resident-long
