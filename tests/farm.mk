# A campaign on more than one processor, or more than one machine: a Slurm job array, or GNU parallel.
# SPDX-License-Identifier: Apache-2.0
FARM        ?= auto
FARM_SHARDS ?= 8
FARM_COUNT  ?= 4000
FARM_LANES  ?= 32
FARM_DIR    := $(BUILD)/farm

.PHONY: deps-farm farm farm-slurm farm-slurm-stop
deps-farm:                      ## packages that only the farm needs: Slurm, munge, GNU parallel
	$(Q)$(MAKE) --no-print-directory deps PACKAGES="slurm-wlm munge parallel"
farm-slurm:                     ## start a Slurm of one node, this machine (as root)
	$(Q)tests/farm/slurm.sh start $(FARM_DIR)/slurm
farm-slurm-stop:
	$(Q)tests/farm/slurm.sh stop $(FARM_DIR)/slurm

# Shard i writes what it covered to i.cov; all are merged.
farm: $(BUILD)/heddle $(BUILD)/rtl/libcore_l$(FARM_LANES).so     ## fuzzing in FARM_SHARDS shards; FARM=slurm|parallel
	$(Q)mkdir -p $(FARM_DIR) && rm -f $(FARM_DIR)/*.cov
	$(Q)for i in $$(seq 0 $$(($(FARM_SHARDS) - 1))); do \
	    echo "BUILD=$(BUILD) $(BUILD)/heddle fuzz --lanes $(FARM_LANES) --seed $(or $(SEED),1) --count $(FARM_COUNT)" \
	        "--shard $$i/$(FARM_SHARDS) --out $(FARM_DIR) --coverage $(FARM_DIR)/$$i.cov"; \
	done | tests/farm/farm.sh $(FARM_DIR) $(FARM)
	$(Q)cat $(FARM_DIR)/*.out | awk '/^fuzz: kernels/{k += $$3; e += $$5; r += $$7; f += $$9} \
	    END{printf "farm: kernels %d, equal %d, races %d, failed %d\n", k, e, r, f; exit f > 0}'
	$(Q)$(BUILD)/heddle coverage $(FARM_DIR)/*.cov -o $(FARM_DIR)/all.cov > $(FARM_DIR)/coverage.txt
	$(Q)tail -n 1 $(FARM_DIR)/coverage.txt
