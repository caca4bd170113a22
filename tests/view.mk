# Views: what people look at, drawn by the programs that draw it for them.
# SPDX-License-Identifier: Apache-2.0

.PHONY: deps-view test-timeline
deps-view:                      ## the browser that test-timeline needs
	$(Q)$(MAKE) --no-print-directory deps PACKAGES=chromium
test-timeline: deps-view $(BUILD)/heddle $(BUILD)/test_timeline $(BUILD)/rtl/libcore_l4.so     ## the timeline, drawn by Chromium and looked at
	$(Q)tests/view/timeline.sh $(BUILD)
	$(Q)tests/view/timeline_picture.sh check $(BUILD) docs/timeline.png
TURNS += test-timeline
.PHONY: bench-timeline
SPEED_LAUNCH := tests/view/tutorial/p_loop_merge.cu --grid 1 --block 32 in:u32[256]=@tests/silicon/input.u32 out:f32[32]
SPEED_GRID := tests/kernels/divergent.cu --grid 1200 --block 128 'data:f32[153600]=rand:1' 'steps:i32[153600]' n:i32=153600
bench-timeline: deps-view $(BUILD)/heddle    ## the timeline of 100,000 and of 10 million commits, and of 4800 warps, is drawn in 2 s and moves at 60 frames a second
	$(Q)command -v node > /dev/null || { echo "NOT RUN: node is missing, so the timeline's speed is not measured"; exit 0; }; \
	    $(BUILD)/heddle timeline $(SPEED_LAUNCH) n:u32=40 -o $(BUILD)/speed.html && \
	    node tests/view/timeline_speed.js $(BUILD)/speed.html 100000 && \
	    $(BUILD)/heddle timeline $(SPEED_LAUNCH) n:u32=4000 -o $(BUILD)/speed.html && \
	    node tests/view/timeline_speed.js $(BUILD)/speed.html 10000000 && \
	    $(BUILD)/heddle timeline $(SPEED_GRID) -o $(BUILD)/speed.html && \
	    node tests/view/timeline_speed.js $(BUILD)/speed.html 9000000
.PHONY: test-profile
test-profile: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4_trace.so $(BUILD)/rtl/libcore_l32_trace.so     ## the profile against the commit log, counted apart
	$(Q)tests/view/profile.sh $(BUILD)
TURNS += test-profile

# npm's packages, as tests/view/readers.json names them.
.PHONY: deps-readers test-formats
deps-readers: $(BUILD)/readers/package.json     ## programs that test-formats opens exports with (npm)
$(BUILD)/readers/package.json: tests/view/readers.json
	@mkdir -p $(@D)
	$(Q)command -v npm > /dev/null || { echo "NOT RUN: npm is missing, so exports are opened by no other program"; exit 0; }; \
	    cp $< $(@D)/package.json && npm install --prefix $(@D) --no-audit --no-fund --silent || rm $(@D)/package.json
test-formats: deps-view deps-readers $(BUILD)/heddle $(BUILD)/rtl/libcore_l4_trace.so     ## exports, opened by the programs that they are for
	$(Q)tests/view/formats.sh $(BUILD)
TURNS += test-formats

# Pseudo-terminals by script(1), of bsdutils.
.PHONY: test-terminal
test-terminal: $(BUILD)/heddle $(CUDA_NEEDS) $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libcore_l32.so    ## what long work says while it runs, at a terminal alone
	$(Q)tests/view/progress.sh $(BUILD)
LONG += test-terminal

.PHONY: test-json
test-json: $(BUILD)/heddle $(BUILD)/test_lockstep $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libcore_l4_trace.so $(CORE32)    ## --json: its schema, and that it says what the text says
	$(Q)tests/view/json.sh $(BUILD)
TURNS += test-json

.PHONY: test-step
test-step: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so    ## heddle lockstep --step against the commit log, and at a terminal
	$(Q)tests/view/step.sh $(BUILD)
TURNS += test-step

.PHONY: docs-pictures test-pictures
docs-pictures: $(BUILD)/heddle docs-waves docs-timeline    ## the pictures of the pages
	$(Q)tests/view/pictures.sh $(BUILD) draw
test-pictures: $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so    ## those drawings are what model and core draw now
	$(Q)tests/view/pictures.sh $(BUILD) check
PARTS += test-pictures

# Fields, letters and causes, where pages and schemas list them.
.PHONY: docs-lists
docs: docs-lists
docs-lists:                     ## what docs/profile.md and three schemas list of commit.def and profile.h
	$(Q)tests/view/lists.pl

# Pages whose commands are run: what they print is what the pages say.
PAGES := README.md docs/profile.md docs/step.md docs/tutorial.md docs/walks.md
.PHONY: docs-tutorial test-tutorial docs-walk-rtl test-walk-rtl
TUTORIAL_NEEDS := $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libcore_l32_trace.so
docs-tutorial: $(TUTORIAL_NEEDS)    ## what the commands of the tutorial and its companions print
	$(Q)tests/view/pages.pl --write $(BUILD) $(PAGES)
test-tutorial: $(TUTORIAL_NEEDS)    ## the tutorial and its companions: every command is run and prints what the page says
	$(Q)tests/view/pages.pl $(BUILD) $(PAGES)
	$(Q)tests/fail/pages.sh $(BUILD)
TURNS += test-tutorial
# A core with a planted bug, for docs/walk-rtl.md.
$(BUILD)/walk/heddle: tests/mutants/curated/conv_exec.v.bugs tests/view/plant.sh $(BUILD)/heddle $(CORE_DEP) $(SHIM_DEP)
	$(Q)tests/view/plant.sh $(BUILD) rtl-complete-early $(BUILD)/walk $(TREE)
docs-walk-rtl: $(BUILD)/walk/heddle    ## what the commands of docs/walk-rtl.md print
	$(Q)tests/view/pages.pl --write $(BUILD) docs/walk-rtl.md
test-walk-rtl: $(BUILD)/walk/heddle    ## a bug in the core is found as docs/walk-rtl.md says
	$(Q)tests/view/pages.pl $(BUILD) docs/walk-rtl.md
LONG += test-walk-rtl

# The picture of docs/timeline.md.
.PHONY: docs-timeline
docs-timeline: deps-view deps-waves $(BUILD)/heddle $(BUILD)/rtl/libcore_l4.so    ## the picture of docs/timeline.md
	$(Q)tests/view/timeline_picture.sh draw $(BUILD) docs/timeline.png

# The model with a bug that a picture of the difference must show: it releases a barrier for which
# one lane has not come.
$(BUILD)/planted/waves/heddle: tests/fuzz/planted.bugs cmodel/machine/barriers.c $(BUILD)/heddle
	@mkdir -p $(@D)/cmodel/machine
	$(Q)cp cmodel/machine/barriers.c $(@D)/cmodel/machine && tests/mutants/bugs.pl plant released_early $(@D) $<
	$(Q)$(CC) $(CFLAGS) -o $@ $(@D)/cmodel/machine/barriers.c $(BUILD)/harness/main.o $(ARCHIVES) $(LDFLAGS) $(HEDDLE_LIBS)

.PHONY: deps-waves test-waves
deps-waves:                     ## the screen in memory that test-waves needs
	$(Q)$(MAKE) --no-print-directory deps PACKAGES="xvfb x11-utils gtkwave imagemagick"
test-waves: deps-waves $(BUILD)/heddle $(BUILD)/planted/waves/heddle $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libcore_l4_trace.so    ## every view of waves/, drawn by GTKWave and read
	$(Q)tests/view/waves.sh $(BUILD) $(BUILD)/planted/waves/heddle
	$(Q)$(call WAVES_PICTURES,check)
TURNS += test-waves

# The pictures of docs/waveforms.md.
WAVES_PICTURES = { p="tests/view/waves_picture.sh $1" h=$(BUILD)/heddle bad=0; \
    $$p $$h docs/waveforms.png .gtkw wave --around barrier:B0 || bad=1; \
    $$p $$h docs/waveforms-release.png -release.gtkw wave --around barrier:B0 || bad=1; \
    $$p $(BUILD)/planted/waves/heddle docs/waveforms-difference.png .gtkw lockstep || bad=1; exit $$bad; }
.PHONY: docs-waves
docs-waves: deps-waves $(BUILD)/heddle $(BUILD)/planted/waves/heddle $(BUILD)/rtl/libcore_l4.so $(BUILD)/rtl/libcore_l4_trace.so    ## the pictures of docs/waveforms.md
	$(Q)$(call WAVES_PICTURES,draw)
