# Every test, each with its time: `make test` runs PARTS and a quarter of TURNS, `make test-long` LONG.
# SPDX-License-Identifier: Apache-2.0
#
# Read last: every .mk file adds its own to PARTS; to TURNS, if it takes more than about fifteen
# seconds of a processor; or to LONG, if it takes minutes.  In about the order in which a mistake is
# easiest to understand; as many at a time as there are processors, each one's output in one piece.
# The shell of a part's commands (tests/part.sh) takes their time; what a part needs is built by other
# shells, but for the copies of the tree with mutants, which parts build themselves (tests/mutants.mk).
TEST_FLAGS = --no-print-directory --output-sync=target $(PARALLEL) TIMED=1
# Not by the environment: a part may run other makes.
ifeq ($(origin TIMED),command line)
$(PARTS) $(TURNS) $(LONG): private SHELL := tests/part.sh
$(PARTS) $(TURNS) $(LONG): private .SHELLFLAGS = $(BUILD)/parts/$@ -c
endif

# Turns go by the day; DAY=N: another day's.
TODAY := $(or $(DAY),$(shell echo $$(($$(date +%s) / 86400))))

# `make test` is to take ten minutes: each of TURNS runs on one day of four; ALL=1: all of them.
TURNS_NOW := $(if $(ALL),$(TURNS),$(shell i=$(TODAY); for p in $(TURNS); do [ $$((i % 4)) -ne 0 ] || echo $$p; i=$$((i + 1)); done))
TURNS_OFF := $(filter-out $(TURNS_NOW),$(TURNS))

# Not all of LONG fits into the time: LONG_FIRST begins every time, the others take turns by the day, so
# that what one day has no time for comes first on another.
LONG_TURN  := $(filter-out $(LONG_FIRST),$(LONG))
LONG_SKIP  := $(shell echo $$(($(TODAY) * 7 % $(or $(words $(LONG_TURN)),1))))
LONG_ORDER := $(LONG_FIRST) $(wordlist $(shell echo $$(($(LONG_SKIP) + 1))),$(words $(LONG_TURN)),$(LONG_TURN)) \
              $(if $(filter-out 0,$(LONG_SKIP)),$(wordlist 1,$(LONG_SKIP),$(LONG_TURN)))

# What most campaigns need is built before any begins, by a make of its own, and not looked at again (-o).  Else
# make passes over the parts that need it, the most important ones, and comes back to them when all others have begun.
LONG_NEEDS = $(RTL_LIBS) $(CORE32) $(BUILD)/heddle $(BUILD)/core_smoke $(MUTANT_TREE)/muxed $(OPERATORS)/operators.list
.PHONY: test-long .test .test-long $(addsuffix .done,$(PARTS) $(TURNS) $(LONG))
test:                           ## everything but the campaigns, with the time of each part; ALL=1: those of other days, too; JOBS= at a time
	$(Q)status=0; tests/parts.sh $(BUILD)/parts 0 $(MAKE) $(TEST_FLAGS) .test || status=$$?; \
	$(if $(TURNS_OFF),echo "not run today (ALL=1 runs them): $(TURNS_OFF)";) exit $$status
test-long:                      ## the campaigns; those that can't begin within MINUTES=20 are named and not run
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) $(LONG_NEEDS)
	$(Q)tests/parts.sh $(BUILD)/parts $(or $(MINUTES),20) $(MAKE) $(TEST_FLAGS) $(LONG_NEEDS:%=-o %) .test-long
.test: $(PARTS:%=%.done) $(TURNS_NOW:%=%.done)
.test-long: $(LONG_ORDER:%=%.done)
$(addsuffix .done,$(PARTS) $(TURNS) $(LONG)): %.done: %
	@tests/parts.sh $(BUILD)/parts/$*
