# Translated code: the headers that a translation begins with, as one text.
# SPDX-License-Identifier: Apache-2.0
NATIVE_TEXT := $(GEN)/isa_gen.h cmodel/isa/isa.h cmodel/fp/fp32.h cmodel/fp/fplane.h cmodel/isa/lane.h \
               cmodel/native/region.h
$(GEN)/native_text.h: $(NATIVE_TEXT)
	@mkdir -p $(@D)
	$(Q)sed -e '/^#include "/d' -e 's/[\\"]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $^ > $@
$(BUILD)/cmodel/native/emit.o: $(GEN)/native_text.h
