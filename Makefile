# Heddle: builds everything; `make help` lists the targets.
# SPDX-License-Identifier: Apache-2.0
BUILD ?= build
GEN   := $(BUILD)/gen
V     ?= 0
Q     := $(if $(filter 1,$(V)),,@)
CC    := gcc
CXX   := g++
OPT   ?= -O3 -march=native
SANITIZE := $(if $(SAN),-fsanitize=address$(,)undefined -fno-omit-frame-pointer)
, := ,
CFLAGS := -std=c11 -D_GNU_SOURCE -g $(OPT) -Wall -Wextra -Wshadow -Werror -fno-strict-aliasing \
          -I. -Icmodel -I$(GEN) $(if $(SAN),-fsanitize=address$(,)undefined -fno-omit-frame-pointer) $(EXTRA_CFLAGS)
LDFLAGS := $(if $(SAN),-fsanitize=address$(,)undefined) $(EXTRA_LDFLAGS)

.DEFAULT_GOAL := all
.PHONY: all deps run test clean help
.SECONDARY:
.DELETE_ON_ERROR:

# Every part brings its own rules and adds its objects to the lists below.
-include cmodel/build.mk compiler/build.mk rtl/build.mk harness/build.mk tests/build.mk

# One rule for every C object; dependencies are recorded by the compiler.
$(BUILD)/%.o: %.c | $(ISA_GEN)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
