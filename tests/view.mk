# Views: what people look at, drawn by the programs that draw it for them.
# SPDX-License-Identifier: Apache-2.0

.PHONY: deps-view test-timeline
deps-view:                      ## the browser that test-timeline needs
	$(Q)$(MAKE) --no-print-directory deps PACKAGES=chromium
test-timeline: deps-view $(BUILD)/heddle $(BUILD)/test_timeline $(BUILD)/rtl/libcore_l4.so     ## the timeline, drawn by Chromium and looked at
	$(Q)tests/view/timeline.sh $(BUILD)
PARTS += test-timeline
