# CUDA's header functions, judged by what an H200 answers (cuda/tests/headers/README.md).
# SPDX-License-Identifier: Apache-2.0
$(BUILD)/headers/judge: $(addprefix cuda/tests/headers/,judge.c type.c truth.c judge.h arguments.h)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -D_GNU_SOURCE $(LDFLAGS) -o $@ $(filter %.c,$^) -lmpfr -lm
.PHONY: test-headers
test-headers: $(BUILD)/headers/judge $(CUDA_NEEDS)    ## every function of CUDA's headers against an H200's answers
	$(Q)cuda/tests/headers/test.sh $(BUILD)
TURNS += test-headers
