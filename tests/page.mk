# The page (page/build.mk) in Chromium and Firefox, and under node.  In `make test` only what needs no emscripten.
# SPDX-License-Identifier: Apache-2.0
PAGE_COUNT = $(or $(COUNT),12)
PAGE_USUAL = $(lastword $(PAGE_LANES))
PAGE_NEEDS = $(BUILD)/heddle $(if $(filter 32,$(PAGE_USUAL)),$(CORE32),$(BUILD)/rtl/libcore_l$(PAGE_USUAL).so)
.PHONY: test-page test-page-all test-page-examples docs-page
# What would break the page is noticed without emscripten.
test-page-examples: $(BUILD)/heddle $(CORE32)    ## the page's examples, natively; its own sources compile, its mistake can be planted
	$(Q)for f in page/*.c; do $(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I. -I$(GEN) -I$(VERILATOR_INC) $$f || exit 1; done
	$(Q)tests/page/hosts.sh "$(CC)" "-std=gnu11 -D_GNU_SOURCE -w -I. -I$(GEN) -I$(VERILATOR_INC)"
	@mkdir -p $(PAGE)
	$(Q)page/plant.sh rtl/converge/conv_exec.v $(PAGE)/planted.v
	$(Q)sed "s/rest != 32'd0/rest > 32'd0/" rtl/converge/conv_exec.v > $(PAGE)/other.v; \
	    ! page/plant.sh $(PAGE)/other.v $(PAGE)/planted.v 2> $(PAGE)/said || { echo "page: a mistake is planted nowhere"; exit 1; }
	$(Q)$(BUILD)/heddle check page/examples/* --lanes 32
	$(Q)tests/page/claims.sh $(BUILD)/heddle 32
PARTS += test-page-examples
.PHONY: deps-node test-page-link
deps-node:                      ## node, which test-page-link needs
	$(Q)command -v node > /dev/null || $(MAKE) --no-print-directory deps PACKAGES=nodejs
test-page-link: deps-node $(BUILD)/heddle $(BUILD)/planted/waves/heddle $(CORE32)    ## the links of reports and of random kernels hold what failed
	$(Q)tests/page/link.sh $(BUILD) $(BUILD)/planted/waves/heddle
	$(Q)tests/page/browsers.sh
TURNS += test-page-link
# The page is made by the part itself, so that its time shows what it costs.  A make of its own: it needs what deps-page installs.
test-page: deps-page $(PAGE_NEEDS)    ## the page in Chromium and in Firefox, opened from the disk; a dozen kernels under node
	$(Q)$(MAKE) --no-print-directory $(PAGE)/npm/made || echo "NOT RUN: npm does not get its packages, so there is no page"
	$(Q)[ ! -e $(PAGE)/npm/made ] || $(MAKE) --no-print-directory $(BUILD)/heddle.html
	$(Q)[ ! -e $(PAGE)/npm/made ] || tests/page/kernels.sh $(BUILD) $(PAGE)/heddle.js $(PAGE_USUAL) $(PAGE_COUNT) $(or $(SEED),1)
	$(Q)[ ! -e $(PAGE)/npm/made ] || node tests/page/page.js $(BUILD)/heddle.html $(BUILD)/heddle
	$(Q)[ ! -e $(PAGE)/npm/made ] || node tests/page/picture.js check $(BUILD)/heddle.html docs/page.png
LONG += test-page
test-page-all: PAGE_COUNT := 0
test-page-all: test-page        ## the same with all of tests/kernels
docs-page: $(BUILD)/heddle.html    ## docs/page.png, as the page looks now
	$(Q)node tests/page/picture.js draw $< docs/page.png
