# The golden model and the ISA tools: libcmodel.a, and everything generated from isa.def.
# SPDX-License-Identifier: Apache-2.0
ISA_GEN := $(GEN)/isa_gen.h $(GEN)/isa_table.h
# What the core includes.
RTL_GEN := $(GEN)/isa_gen.vh $(GEN)/insn_gen.vh $(GEN)/mufu_table.vh $(GEN)/commit.vh $(GEN)/codes_gen.vh \
           $(GEN)/csr_gen.vh $(GEN)/told_gen.vh
CMODEL_SRC := $(filter-out cmodel/isa/isagen%.c cmodel/isa/commitgen.c cmodel/fp/mufugen.c,$(wildcard cmodel/*.c cmodel/*/*.c))
CMODEL_OBJ := $(CMODEL_SRC:%.c=$(BUILD)/%.o)

# The generator is a host program: never sanitised, never optimised for a target.
$(BUILD)/isagen: $(wildcard cmodel/isa/isagen*.c) cmodel/isa/isagen.h cmodel/isa/isa.def
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Wshadow -Werror -I. -o $@ $(filter %.c,$^)

$(GEN)/isa_gen.h:    ISAGEN_WHAT := header
$(GEN)/isa_table.h:  ISAGEN_WHAT := table
$(GEN)/isa_gen.vh:   ISAGEN_WHAT := vh
$(GEN)/insn_gen.vh:  ISAGEN_WHAT := insn
$(GEN)/decode_gen.v: ISAGEN_WHAT := decode
$(GEN)/isa.md:       ISAGEN_WHAT := doc
$(GEN)/isa_gen.h $(GEN)/isa_table.h $(GEN)/isa_gen.vh $(GEN)/insn_gen.vh $(GEN)/decode_gen.v $(GEN)/isa.md: $(BUILD)/isagen
	@mkdir -p $(@D)
	$(Q)$(BUILD)/isagen $(ISAGEN_WHAT) > $@

# The commit record: the probe's wires, its codes, and its page; the launch registers; what else is seen of the core.
$(BUILD)/commitgen: cmodel/isa/commitgen.c cmodel/isa/commit.h cmodel/isa/digest.h cmodel/isa/commit.def cmodel/isa/csr.def cmodel/isa/told.def rtl/events.def $(GEN)/isa_gen.h
	$(Q)$(CC) -std=c11 -O1 -Wall -Wextra -Wshadow -Werror -I. -I$(GEN) -o $@ $<
$(GEN)/commit.vh: COMMITGEN_WHAT := vh
$(GEN)/commit_wire.vh: COMMITGEN_WHAT := wire
$(GEN)/codes_gen.vh: COMMITGEN_WHAT := codes
$(GEN)/csr_gen.vh: COMMITGEN_WHAT := csr
$(GEN)/told_gen.vh: COMMITGEN_WHAT := told
$(GEN)/commit.md: COMMITGEN_WHAT := doc
$(GEN)/events.md: COMMITGEN_WHAT := events
$(GEN)/probe.vlt: COMMITGEN_WHAT := seen
$(GEN)/inside.vlt: COMMITGEN_WHAT := shown
COMMITGEN_DOCS := $(GEN)/commit.md $(GEN)/events.md $(GEN)/probe.vlt $(GEN)/inside.vlt
$(GEN)/commit.vh $(GEN)/commit_wire.vh $(GEN)/codes_gen.vh $(GEN)/csr_gen.vh $(GEN)/told_gen.vh $(COMMITGEN_DOCS): $(BUILD)/commitgen
	$(Q)$(BUILD)/commitgen $(COMMITGEN_WHAT) > $@

# The timing profiles are part of the program.
$(GEN)/timing_text.h: $(wildcard cmodel/timing/*.ini)
	@mkdir -p $(@D)
	$(Q)set -e; { $(foreach f,$^,$(call text_as_c,timing_$(basename $(notdir $(f)))_text,$(f));) } > $@
$(BUILD)/cmodel/timing/timing.o: $(GEN)/timing_text.h

$(BUILD)/libcmodel.a: $(CMODEL_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

.PHONY: docs docs-tables test-docs-tables
docs: docs-tables    ## the pages of docs/ that come from tables
docs-tables: $(GEN)/isa.md $(COMMITGEN_DOCS)    ## those of the instructions, the commit record and the events alone
	$(Q)cp $(filter %.md,$^) docs/ && cp $(filter %.vlt,$^) rtl/
# They are committed so that they can be read without a build; they must not go stale.
test-docs-tables: $(GEN)/isa.md $(COMMITGEN_DOCS)    ## they are what the tables give
	$(Q)for f in $(filter %.md,$(^F)); do cmp $(GEN)/$$f docs/$$f || { echo "docs/$$f is stale: make docs"; exit 1; }; done
	$(Q)for f in $(filter %.vlt,$(^F)); do cmp $(GEN)/$$f rtl/$$f || { echo "rtl/$$f is stale: make docs"; exit 1; }; done

# The ISA tools alone, for tools and tests that run nothing.
ISA_OBJ := $(patsubst %.c,$(BUILD)/%.o,cmodel/isa/decode.c $(wildcard cmodel/image/*.c cmodel/base/*.c))
$(BUILD)/libisa.a: $(ISA_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

include $(wildcard cmodel/*/*.mk)
