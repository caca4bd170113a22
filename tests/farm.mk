# A campaign on more than one processor, or more than one machine: a Slurm job array, or GNU parallel.
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
farm-slurm-stop:
	$(Q)tests/farm/slurm.sh stop $(FARM_DIR)/slurm

# Shard i writes what it covered and how far it came to shard<i>.*; RESUME=1 goes on with what an interrupted
# campaign left.  A shard that fails or is lost does not keep the others' results from being merged.
farm: $(BUILD)/heddle $(BUILD)/rtl/libcore_l$(FARM_LANES).so     ## fuzzing in FARM_SHARDS shards; FARM=slurm|parallel; RESUME=1 goes on
	$(Q)mkdir -p $(FARM_DIR)
	$(Q)$(if $(RESUME),,rm -f $(FARM_DIR)/shard* $(FARM_DIR)/fuzz-*)
	$(Q)for i in $$(seq 0 $$(($(FARM_SHARDS) - 1))); do \
	    echo "BUILD=$(BUILD) $(BUILD)/heddle fuzz --lanes $(FARM_LANES) --seed $(or $(SEED),1) --count $(FARM_COUNT) $(FARM_ARGS)" \
	        "--shard $$i/$(FARM_SHARDS) --out $(FARM_DIR) --coverage $(FARM_DIR)/shard$$i.cov --resume $(FARM_DIR)/shard$$i.state"; \
	done | tests/farm/farm.sh $(FARM_DIR) $(FARM) || true
	$(Q)$(BUILD)/heddle coverage $(FARM_DIR)/shard*.cov -o $(FARM_DIR)/all.cov > $(FARM_DIR)/coverage.txt
	$(Q)tail -n 1 $(FARM_DIR)/coverage.txt
	$(Q)ls $(FARM_DIR)/fuzz-*-small.* 2> /dev/null | sed 's|^|failed: $(BUILD)/heddle fuzz --replay |'
	$(Q)cat $(FARM_DIR)/*.out | awk '/^fuzz: kernels/{n++; k += $$3; e += $$5; r += $$7; f += $$9} \
	    END{printf "farm: shards %d of $(FARM_SHARDS), kernels %d, equal %d, races %d, failed %d\n", n, k, e, r, f; \
	        exit f > 0 || n < $(FARM_SHARDS)}'
