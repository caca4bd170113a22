# What a change of the RTL moves: cycles, registers, timing's table, areas, numbers of pages.
# SPDX-License-Identifier: Apache-2.0
.PHONY: accept test-accept
accept:                         ## after a change of the RTL: what it moves, old beside new, and written; STEPS= picks, NOTE= says why
	$(Q)MAKE="$(MAKE)" tests/accept/accept.pl $(BUILD)/accept tests/accept/steps.txt "$(NOTE)" $(STEPS)
test-accept:                    ## that what is beyond its limit is not written without a note
	$(Q)tests/accept/test.sh
	$(Q)for t in $$(sed 's/#.*//' tests/accept/steps.txt | awk '{ for (k = 3; k <= NF; k++) print $$k }' | sed "s,^-,,"); do \
	    grep -hqE "^([a-z-]+ )*$$t( [a-z-]+)*:" Makefile */*.mk || { echo "tests/accept/steps.txt: no target $$t"; exit 1; }; done
PARTS += test-accept
