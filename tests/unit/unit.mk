# Which unit tests there are: tests/unit/test_*.c.  Each belongs to the highest layer that it
# includes, itself or by a header beside it; the layer's makefile says what it is linked with, and
# which part of `make test` runs it.  Those of UNIT_OWN have rules of their own.
# SPDX-License-Identifier: Apache-2.0
UNIT_ALL := $(sort $(wildcard tests/unit/test_*.c))
UNIT_OWN := $(addprefix tests/unit/test_,mpfr.c f64.c math.c half.c claims.c paper_c.c mutants_place.c)
unit_including = $(shell grep -lE '^\#include "($(1))' /dev/null $(filter-out $(UNIT_OWN) $(2),$(UNIT_ALL)))
unit_names     = $(patsubst tests/unit/%.c,%,$(1))

UNIT_REGROUP  := $(call unit_including,regroup/)
UNIT_HARNESS  := $(sort tests/unit/test_print.c $(call unit_including,harness/,$(UNIT_REGROUP)))
UNIT_COMPILER := $(call unit_including,compiler/|random_cfg|random_ways,$(UNIT_REGROUP) $(UNIT_HARNESS))
UNIT_STREAM   := $(call unit_including,stream/,$(UNIT_REGROUP) $(UNIT_HARNESS) $(UNIT_COMPILER))
UNIT_ISA      := $(call unit_including,words\.h)
UNIT_FP       := $(call unit_including,silicon_ops\.h)
UNIT_MODEL    := $(filter-out $(UNIT_OWN) $(UNIT_REGROUP) $(UNIT_HARNESS) $(UNIT_COMPILER) $(UNIT_STREAM) $(UNIT_ISA) $(UNIT_FP),$(UNIT_ALL))
