# A campaign on more than one processor, or more than one machine: a Slurm job array, or GNU
# parallel.
# SPDX-License-Identifier: Apache-2.0
FARM        ?= auto
FARM_SHARDS ?= 8
FARM_COUNT  ?= 4000
FARM_LANES  ?= 32
FARM_ARGS   ?=                 # more options of heddle fuzz, --mode stack for example
FARM_DIR    := $(BUILD)/farm

.PHONY: deps-farm farm farm-slurm farm-slurm-stop
deps-farm:                      ## packages that only the farm needs: Slurm, munge, GNU parallel
	$(Q)$(MAKE) --no-print-directory deps PACKAGES="slurm-wlm munge parallel"
farm-slurm:                     ## start a Slurm of one node, this machine (as root)
	$(Q)tests/farm/slurm.sh start $(FARM_DIR)/slurm
farm-slurm-stop:    ## stop that Slurm
	$(Q)tests/farm/slurm.sh stop $(FARM_DIR)/slurm

# Shard i writes what it covered and how far it came to shard<i>.*; RESUME=1 continues with what an
# interrupted campaign left.  A shard that fails or is lost does not keep the others' results from
# being merged.
farm: $(BUILD)/heddle $(BUILD)/rtl/libcore_l$(FARM_LANES).so     ## fuzzing in FARM_SHARDS shards; FARM=slurm|parallel; RESUME=1 continues
	$(Q)mkdir -p $(FARM_DIR)
	$(Q)$(if $(RESUME),,rm -f $(FARM_DIR)/shard* $(FARM_DIR)/fuzz-*)
	$(Q)for i in $$(seq 0 $$(($(FARM_SHARDS) - 1))); do \
	    echo "BUILD=$(BUILD) $(BUILD)/heddle fuzz --lanes $(FARM_LANES) --seed $(or $(SEED),1) --count $(FARM_COUNT) $(FARM_ARGS)" \
	        "--shard $$i/$(FARM_SHARDS) --out $(FARM_DIR) --coverage $(FARM_DIR)/shard$$i.cov --resume $(FARM_DIR)/shard$$i.state"; \
	done | FARM_WATCH="$(BUILD)/heddle progress farm $(FARM_COUNT) kernels 'tests/farm/done.sh $(FARM_DIR)'" \
	        tests/farm/farm.sh $(FARM_DIR) $(FARM) || true
	$(Q)$(BUILD)/heddle coverage $(FARM_DIR)/shard*.cov -o $(FARM_DIR)/all.cov > $(FARM_DIR)/coverage.txt
	$(Q)tail -n 1 $(FARM_DIR)/coverage.txt
	$(Q)ls $(FARM_DIR)/fuzz-*-small.* 2> /dev/null | sed 's|^|failed: $(BUILD)/heddle fuzz --replay |'
	$(Q)tests/farm/total.sh $(FARM_DIR) $(FARM_SHARDS)

# What random kernels need on another machine: heddle for any x86-64 of the last ten years, cores
# with profile feedback, and their libraries but for the C library.  Unpack it there and run
# ./campaign.sh.
DIST       := $(BUILD)/dist
DIST_LANES ?= 1 4 32
DIST_OPT   ?= -O3 -march=x86-64-v3
.PHONY: deps-dist dist test-dist campaign
deps-dist:                      ## packages that only dist and test-dist need: clang's counts and their reader
	$(Q)$(MAKE) --no-print-directory deps PACKAGES="llvm-$(CLANG_VERSION) libclang-rt-$(CLANG_VERSION)-dev"
$(LANES_ALL:%=$(PROFILED)/l%/trained): | deps-dist
dist: $(DIST)/heddle.tar.gz     ## build/dist/heddle.tar.gz: heddle, cores, libraries, for a machine with nothing
	$(Q)ls -l $<
# What it was built from is known to that make alone.
.PHONY: $(DIST)/portable/heddle
$(DIST)/portable/heddle:
	$(Q)$(MAKE) --no-print-directory BUILD=$(DIST)/portable OPT="$(DIST_OPT)" $@
$(DIST)/heddle.tar.gz: $(DIST)/portable/heddle $(DIST_LANES:%=$(PROFILED)/rtl/libcore_l%.so)
	$(Q)rm -rf $(DIST)/heddle && mkdir -p $(DIST)/heddle/bin/rtl $(DIST)/heddle/lib
	$(Q)cp $< $(DIST)/heddle/bin/ && cp $(filter %.so,$^) $(DIST)/heddle/bin/rtl/
	$(Q)strip $(DIST)/heddle/bin/heddle $(DIST)/heddle/bin/rtl/*.so
	$(Q)ldd $(DIST)/heddle/bin/heddle $(DIST)/heddle/bin/rtl/*.so | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | sort -u \
	    | grep -v '/lib\(c\|m\|dl\|pthread\)\.so' | xargs -I{} cp -L {} $(DIST)/heddle/lib/
	$(Q)printf '#!/bin/sh\nhere=$$(cd "$$(dirname "$$0")" && pwd)\nLD_LIBRARY_PATH=$$here/lib exec "$$here/bin/heddle" "$$@"\n' \
	    > $(DIST)/heddle/heddle
	$(Q)cp tests/farm/campaign.sh LICENSE $(DIST)/heddle/ && chmod +x $(DIST)/heddle/heddle
	$(Q)tar -C $(DIST) -czf $@ heddle
test-dist: $(DIST)/heddle.tar.gz    ## what was packed says of random kernels what the build says; how many a minute
test-dist: $(BUILD)/heddle $(DIST_LANES:%=$(BUILD)/rtl/libcore_l%.so)
	$(Q)tests/farm/same.sh $(BUILD)/heddle $(DIST)/heddle/heddle $(DIST_LANES)
campaign: $(BUILD)/heddle $(DIST_LANES:%=$(BUILD)/rtl/libcore_l%.so)   ## random kernels on every processor: SECONDS=300 SEED=1 JOBS=
	$(Q)tests/farm/campaign.sh $(BUILD)/heddle $(BUILD)/campaign $(or $(SECONDS),300) $(or $(SEED),1) $(JOBS)
