# Streams of warp events (docs/stream.md).
# SPDX-License-Identifier: Apache-2.0
STREAM_TESTS := $(addprefix $(BUILD)/tests/unit/,$(call unit_names,$(UNIT_STREAM)))
$(STREAM_TESTS): %: %.o $(BUILD)/libstream.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka


# What a core needs is one header, for C and for C++.
$(BUILD)/stream_header.ok: stream/heddle_stream.h
	$(Q)printf '#include "stream/heddle_stream.h"\nint main(void) { static struct hs_writer w; hs_begin(&w, stdout, ""); return hs_end(&w); }\n' > $(@:.ok=.c)
	$(Q)gcc -std=c99 -pedantic -Wall -Wextra -Wshadow -Werror -I. -o $(@:.ok=) $(@:.ok=.c)
	$(Q)g++ -std=c++11 -x c++ -Wall -Wextra -Wshadow -Werror -I. -o $(@:.ok=) $(@:.ok=.c)
	$(Q)touch $@

# The page of the contract comes from the tables.
docs: docs-stream
.PHONY: docs-stream test-stream
docs-stream: $(BUILD)/heddle    ## docs/stream-events.md, the events of a stream
	$(Q)$(BUILD)/heddle stream contract > $(BUILD)/stream-events.md && cp $(BUILD)/stream-events.md docs/
test-stream: $(STREAM_TESTS) $(BUILD)/heddle $(CORE32) $(BUILD)/stream_header.ok    ## streams of warp events: reader, monitor, diff; our kernels' streams
	$(Q)set -e; for t in $(STREAM_TESTS); do $$t; done
	$(Q)$(BUILD)/heddle stream contract > $(BUILD)/stream-events.md && cmp $(BUILD)/stream-events.md docs/stream-events.md || { echo 'docs/stream-events.md is stale: make docs-stream'; exit 1; }
	$(Q)for m in barrier stack; do $(BUILD)/heddle fuzz --on model --monitor --count $(or $(COUNT),100) --mode $$m --out $(BUILD)/fuzz || exit 1; done
	$(Q)$(BUILD)/heddle fuzz --on model --count 20 --stream $(BUILD)/fuzz.hst --out $(BUILD)/fuzz && $(BUILD)/heddle stream print $(BUILD)/fuzz.hst > $(BUILD)/fuzz.events && \
	    awk '$$1 == "run" { run++ } $$1 == "finish" { end++ } END { print "fuzz --stream: " run " runs"; exit !(run >= 20 && end == run) }' $(BUILD)/fuzz.events
	$(Q)tests/stream/planted.sh $(BUILD) $(BUILD)/stream
	$(Q)tests/stream/carriers.sh $(BUILD) $(BUILD)/stream-carriers
	$(Q)tests/stream/views.sh $(BUILD) $(BUILD)/stream-views
	$(Q)tests/stream/kernels.sh $(BUILD) $(BUILD)/stream-kernels 8 $(wildcard tests/kernels/*.cu tests/kernels/*.s tests/kernels/*.ptx)
TURNS += test-stream
.PHONY: stream-random bench-stream
stream-random: $(BUILD)/heddle  ## 1,000 random kernels of each mode on the monitor: COUNT=, SEED=
	$(Q)for m in barrier stack; do $(BUILD)/heddle fuzz --on model --monitor --count $(or $(COUNT),1000) --seed $(or $(SEED),1) --mode $$m --out $(BUILD)/fuzz || exit 1; done
LONG += stream-random
bench-stream: $(BUILD)/heddle $(CORE32)    ## what streams cost: 10 million commits checked, and lockstep with one written
	$(Q)tests/stream/bench.sh $(BUILD) $(BUILD)/stream-bench

# Curated bugs of the RTL by its warp events alone, without a model (docs/stream.md).
.PHONY: stream-alone stream-alone-some docs-alone
stream-alone: mutants-build     ## every planted bug of lanes, groups, barriers and retirement on the monitor alone, a row each
	$(Q)tests/stream/alone.pl $(MUTANT_TREE)
stream-alone-some: $(MUTANT_TREE)/muxed    ## the same of every tenth, another tenth each day
	$(BUILD_MUTANTS)
	$(Q)tests/stream/alone.pl $(MUTANT_TREE) 10
docs-alone: mutants-build       ## the table of docs/stream.md, and how many bugs were found
	$(Q)tests/stream/alone.pl $(MUTANT_TREE) > $(BUILD)/alone.txt
	$(Q)awk 'FNR == NR { if (/^[|]/) row[++n] = $$0; if (/^alone: .* tried/) { tried = $$2; found = $$5 } next } \
	    { sub(/Of [0-9]+ curated bugs/, "Of " tried " curated bugs"); sub(/it finds [0-9]+ then/, "it finds " found " then") } /^<!-- make docs-alone -->/ { print; getline; print; getline; print; \
	    for (i = 1; i <= n; i++) print row[i]; skip = 1; next } skip && /^[|]/ { next } { skip = 0; print }' \
	    $(BUILD)/alone.txt docs/stream.md > $(BUILD)/stream.md && cp $(BUILD)/stream.md docs/stream.md
LONG += stream-alone-some

# A core that is not ours, bound to the contract (docs/bind-a-core.md).
.PHONY: test-foreign
test-foreign: $(BUILD)/heddle    ## a small foreign core and twelve bugs planted in it, by its warp events alone
	$(Q)tests/foreign/run.sh $(BUILD) $(BUILD)/foreign
TURNS += test-foreign
