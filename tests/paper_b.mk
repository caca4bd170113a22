# Paper B's workloads.
# SPDX-License-Identifier: Apache-2.0
PAPER_B_OBJ := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/paper_b/*.c))

# The host versions must round where the kernels do.
$(PAPER_B_OBJ): CFLAGS += -ffp-contract=off
$(BUILD)/paper_b: $(PAPER_B_OBJ) $(BUILD)/tests/paper_a/mummer.o $(BUILD)/tests/problem.o $(BUILD)/tests/claims.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)

PAPER_B := $(BUILD)/paper-b
.PHONY: test-paper-b paper-b docs-paper-b
test-paper-b: $(BUILD)/paper_b                          ## paper B's seven workloads against their host versions, in two orders
	$(Q)$(BUILD)/paper_b check rtl
	$(call refuses_nothing,$(BUILD)/paper_b check rtl nobody)
	@mkdir -p $(PAPER_B)
	$(Q)$(BUILD)/paper_b h200 tests/paper_b/h200.csv $(PAPER_B) > $(PAPER_B)/h200.txt
	$(Q)tests/paper_b/h200/refused.sh $(BUILD)/paper_b
# CORE=0 (tests/paper_c.mk): on the model alone, with the core's timing profile.
paper-b: $(BUILD)/paper_b $(if $(filter 0,$(CORE)),,$(BUILD)/rtl/libcore_l32.so)    ## paper B's figures and claims, into build/paper-b
	@mkdir -p $(PAPER_B)
	$(Q)$(BUILD)/paper_b figures $(PAPER_B) $(if $(filter 0,$(CORE)),--model) > $(PAPER_B)/claims.txt; status=$$?; \
	    gnuplot -e "folder='$(PAPER_B)'" tests/paper_b/plots.gp && cat $(PAPER_B)/claims.txt && exit $$status
# Every order of 100,000 threads, or a little more, on the model with the core's profile.  The other
# workloads take some hundred seconds of processor time for each order: WORKLOADS="sw nw sl mum".
PAPER_B_MODEL := $(BUILD)/paper-b-model
.PHONY: paper-b-model
paper-b-model: $(BUILD)/heddle $(BUILD)/paper_b         ## what predictions miss of 100,000 threads; WORKLOADS="mc sm ec" unless given
	$(Q)mkdir -p $(PAPER_B_MODEL) && $(BUILD)/paper_b write model $(PAPER_B_MODEL) $(or $(WORKLOADS),mc sm ec)
	$(Q)for k in $(or $(WORKLOADS),mc sm ec); do timeout $(or $(TIME),1800) tests/regroup/predict.sh 1000 $(BUILD)/heddle \
	    tests/paper_b/$$k.cu @$(PAPER_B_MODEL)/$$k.args --window 1024 || exit 1; done
.PHONY: paper-b-pairs test-pairs
paper-b-pairs: $(BUILD)/heddle $(BUILD)/paper_a $(BUILD)/paper_b    ## paper A's placement, the mechanism and regrouping together, on the model
	$(Q)mkdir -p $(PAPER_A) $(PAPER_B) && $(BUILD)/paper_a write rtl $(PAPER_A) && $(BUILD)/paper_b write rtl $(PAPER_B)
	$(Q)tests/paper_b/pairs.sh $(BUILD)/heddle $(PAPER_A) $(PAPER_B) 8 5
# Kernels of which the six choices have different winners, or in which executions inside loops alone
# decide.
test-pairs: $(BUILD)/heddle $(BUILD)/paper_a $(BUILD)/paper_b    ## what is predicted to be fastest is, or nearly: three of paper-b-pairs
	$(Q)mkdir -p $(PAPER_A) $(PAPER_B) && $(BUILD)/paper_a write rtl $(PAPER_A) && $(BUILD)/paper_b write rtl $(PAPER_B)
	$(Q)tests/paper_b/pairs.sh $(BUILD)/heddle $(PAPER_A) $(PAPER_B) 8 5 rsbench mcb mum
	$(call refuses_nothing,tests/paper_b/pairs.sh $(BUILD)/heddle $(PAPER_A) $(PAPER_B) 8 5 nobody)
TURNS += test-pairs
# docs/paper-b.md and its pictures.
docs-paper-b: paper-b    ## docs/paper-b: its figures and numbers, measured again
	@mkdir -p docs/paper-b
	$(Q)cp $(PAPER_B)/*.svg docs/paper-b
	$(Q)grep '^paper-b: ' $(PAPER_B)/claims.txt | sed 's/^/    /' > $(PAPER_B)/claims.md
	$(Q)sed -e '/^@claims@/{r $(PAPER_B)/claims.md' -e 'd}' -e '/^@table@/{r $(PAPER_B)/table.md' -e 'd}' \
	    -e '/^@h200@/{r $(PAPER_B)/h200.md' -e 'd}' tests/paper_b/page.md > docs/paper-b.md
# The recipe for a GPU (tests/paper_b/h200): everything that a machine with the driver alone needs,
# for any x86-64 of these years.  $(call pack,FOLDER,BUILD): heddle, paper_b and gpu of a build,
# their libraries, and what the compiler says of kernels.
PAPER_B_GPU := $(BUILD)/paper-b-gpu
GPU_OBJ := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(filter-out %/stand_in.c,$(wildcard tests/paper_b/h200/*.c)))
$(BUILD)/gpu: $(GPU_OBJ) $(BUILD)/libregroup.a $(BUILD)/libcmodel.a
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) -lz -lm -ldl -pthread
$(BUILD)/gpu_stand_in: $(GPU_OBJ) $(BUILD)/tests/paper_b/h200/stand_in.o $(ARCHIVES)
	$(Q)$(CC) $(CFLAGS) -rdynamic -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)
define pack
	$(Q)rm -rf $(1) && mkdir -p $(1)/lib && cp $(2)/heddle $(2)/paper_b $(2)/gpu $(1)
	$(Q)ldd $(2)/heddle $(2)/paper_b | grep -o '/[^ ]*' | grep -v : | sort -u | xargs -I % cp -L % $(1)/lib
	$(Q)tests/paper_b/h200/pack.sh $(2)/heddle $(1)
endef
.PHONY: paper-b-gpu test-paper-b-gpu
paper-b-gpu:                                            ## packs what tests/paper_b/h200/run.sh runs on a GPU
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/portable OPT='-O3 -march=x86-64-v3' $(addprefix $(BUILD)/portable/,heddle paper_b gpu)
	$(call pack,$(PAPER_B_GPU),$(BUILD)/portable)
	@du -sh $(PAPER_B_GPU)
test-paper-b-gpu: $(addprefix $(BUILD)/,heddle paper_b gpu gpu_stand_in)    ## the recipe, with our model in the GPU's place
	$(call pack,$(BUILD)/paper-b-gpu-test,$(BUILD))
	$(Q)cp $(BUILD)/gpu_stand_in $(BUILD)/paper-b-gpu-test/gpu
	$(Q)tests/paper_b/h200/test.sh $(BUILD)/paper-b-gpu-test
PARTS += test-paper-b
LONG += test-paper-b-gpu
