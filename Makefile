# Heddle: builds everything; `make help` lists the targets.
# SPDX-License-Identifier: Apache-2.0
BUILD ?= build
GEN   := $(BUILD)/gen
# What the core can be built with; here, as every part expands it in prerequisites when it is read.
LANES_ALL := 1 2 4 8 16 32
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
all:

help:                           ## this list
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile cmodel/*.mk compiler/*.mk rtl/*.mk harness/*.mk tests/*.mk tests/rtl/*.mk formal/*.mk | expand -t 24

# Debian packages, by name; quick when all are there.
PACKAGES := gcc g++ make clang-14 verilator iverilog yosys gtkwave ccache z3 cppcheck binutils perl \
            libcmocka-dev libmpfr-dev libcjson-dev zlib1g-dev git patch gnuplot-nox
deps:                           ## install what is needed (Debian packages; as root, or with sudo)
	@missing=$$(for p in $(PACKAGES); do dpkg -s $$p 2>/dev/null | grep -q '^Status: install ok' || echo $$p; done); \
	if [ -n "$$missing" ]; then \
	    echo "installing" $$missing; \
	    sudo=; [ $$(id -u) = 0 ] || sudo=sudo; \
	    $$sudo apt-get -o DPkg::Lock::Timeout=400 -qq update && \
	    DEBIAN_FRONTEND=noninteractive $$sudo apt-get -o DPkg::Lock::Timeout=400 install -y -qq \
	        --no-install-recommends $$missing > /dev/null; \
	fi

clean:                          ## remove everything that was built
	rm -rf $(BUILD)
.SECONDARY:
.DELETE_ON_ERROR:

# Every part brings its own rules and adds its objects to the lists below.
-include cmodel/build.mk compiler/build.mk rtl/build.mk harness/build.mk tests/build.mk formal/build.mk

# One rule for every C object; dependencies are recorded by the compiler.
$(BUILD)/%.o: %.c | $(ISA_GEN)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<
# Not those of mutants: they are builds of their own.
-include $(shell find $(BUILD) -path $(BUILD)/mutants -prune -o -name '*.d' -print 2>/dev/null)
