# CUDA's header functions, judged by what an H200 answers (tests/headers/README.md).
# SPDX-License-Identifier: Apache-2.0
$(BUILD)/headers/judge: $(addprefix tests/headers/,judge.c type.c truth.c judge.h arguments.h)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -D_GNU_SOURCE $(LDFLAGS) -o $@ $(filter %.c,$^) -lmpfr -lm
.PHONY: test-headers
test-headers: $(BUILD)/headers/judge $(BUILD)/heddle $(CUDART) $(CUDA_HEADERS:%=$(BUILD)/include/%)    ## every function of CUDA's headers against an H200's answers
	$(Q)tests/headers/test.sh $(BUILD)
PARTS += test-headers
