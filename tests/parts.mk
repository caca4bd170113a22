# Every test, each with its time: `make test` runs PARTS, `make test-long` LONG.
# SPDX-License-Identifier: Apache-2.0
#
# Read last: every .mk file adds its own to PARTS, or to LONG, if it takes minutes.  In about the
# order in which a mistake is easiest to understand; as many at a time as there are processors, each
# one's output in one piece.  The shell of a part's commands (tests/part.sh) takes their time; what
# a part needs is built by other shells, but for the copies of the tree with mutants, which parts
# build themselves (tests/mutants.mk).
TEST_FLAGS = --no-print-directory --output-sync=target $(PARALLEL) TIMED=1
# Not by the environment: a part may run other makes.
ifeq ($(origin TIMED),command line)
$(PARTS) $(LONG): private SHELL := tests/part.sh
$(PARTS) $(LONG): private .SHELLFLAGS = $(BUILD)/parts/$@ -c
endif

# Not all of LONG fits into the time: LONG_FIRST begins every time, the others take turns by the day, so
# that what one day has no time for comes first on another.  DAY=N: another day's turn.
LONG_TURN  := $(filter-out $(LONG_FIRST),$(LONG))
LONG_SKIP  := $(shell echo $$(($(or $(DAY),$$(($$(date +%s) / 86400))) * 7 % $(or $(words $(LONG_TURN)),1))))
LONG_ORDER := $(LONG_FIRST) $(wordlist $(shell echo $$(($(LONG_SKIP) + 1))),$(words $(LONG_TURN)),$(LONG_TURN)) \
              $(if $(filter-out 0,$(LONG_SKIP)),$(wordlist 1,$(LONG_SKIP),$(LONG_TURN)))

# What most campaigns need is built before any begins, by a make of its own, and not looked at again (-o).  Else
# make passes over the parts that need it, the most important ones, and comes back to them when all others have begun.
LONG_NEEDS = $(RTL_LIBS) $(CORE32) $(BUILD)/heddle $(BUILD)/core_smoke $(MUTANT_TREE)/muxed $(OPERATORS)/operators.list
.PHONY: test-long .test .test-long $(addsuffix .done,$(PARTS) $(LONG))
test:                           ## everything but the campaigns, with the time of each part; JOBS= at a time
	$(Q)tests/parts.sh $(BUILD)/parts 0 $(MAKE) $(TEST_FLAGS) .test
test-long:                      ## the campaigns; those that can't begin within MINUTES=20 are named and not run
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) $(LONG_NEEDS)
	$(Q)tests/parts.sh $(BUILD)/parts $(or $(MINUTES),20) $(MAKE) $(TEST_FLAGS) $(LONG_NEEDS:%=-o %) .test-long
.test: $(PARTS:%=%.done)
.test-long: $(LONG_ORDER:%=%.done)
$(addsuffix .done,$(PARTS) $(LONG)): %.done: %
	@tests/parts.sh $(BUILD)/parts/$*
