# `make install', `make uninstall', `make deb' (docs/install.md).
# SPDX-License-Identifier: Apache-2.0
PREFIX  ?= /usr/local
DESTDIR ?=
# Which cores are installed, of those in CORES_DIR: LANES, and _trace for those that write waveforms.
INSTALLED_CORES ?= 4 4_trace 32 32_trace
CORES_DIR       ?= $(BUILD)/rtl
VERSION := $(shell sed -n 's/^.define VERSION "\(.*\)"/\1/p' harness/api/version.c)
SONAME  := libheddle.so.$(firstword $(subst ., ,$(VERSION)))
INSTALL := $(BUILD)/install
# What a program that uses the library includes; headers name each other by their path from the root.
PUBLIC_HEADERS := cmodel/heddle.h cmodel/places.h cmodel/bbv.h cmodel/isa/commit.h cmodel/isa/commit.def cmodel/isa/issue.h \
                  stream/heddle_stream.h stream/heddle_stream.vh stream/stream.h stream/heddle_model.h stream/monitor.h stream/rules.def

# The prefix, for programs that a static library is part of.
$(INSTALL)/prefix.c: FORCE
	@mkdir -p $(@D)
	@echo 'extern const char heddle_prefix[]; const char heddle_prefix[] = "$(abspath $(PREFIX))";' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
# The library, as one object: what public headers declare, and what that needs; all other names are its own.
$(INSTALL)/heddle.o: $(INSTALL)/prefix.c $(BUILD)/heddle $(ARCHIVES)
	$(Q)LC_ALL=C readelf -sW $(ARCHIVES) | awk '$$5 == "GLOBAL" && $$6 == "DEFAULT" && $$7 != "UND" && $$8 ~ /^(hd|hs|bbv)_/ { print $$8 }' \
	    | sort -u > $(@D)/public
	$(Q)test $$(wc -l < $(@D)/public) -gt 60 || { echo "libheddle: public headers declare next to nothing"; exit 1; }
	$(Q)$(CC) $(CFLAGS) -c -o $(@D)/prefix.o $<
	$(Q)$(CC) -r -nostdlib -o $@.all $(BUILD)/commit.o $(@D)/prefix.o $$(sed 's/^/-Wl,-u,/' $(@D)/public) $(ARCHIVES)
	$(Q)objcopy --keep-global-symbols=$(@D)/public $@.all $@ && rm $@.all
$(INSTALL)/libheddle.a: $(INSTALL)/heddle.o
	$(Q)rm -f $@ && $(AR) rcs $@ $<
$(INSTALL)/$(SONAME): $(INSTALL)/heddle.o
	$(Q)$(CC) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs -Wl,--as-needed -o $@ $< $(LDFLAGS) $(HEDDLE_LIBS) -lpthread

INSTALL_NEEDS = $(BUILD)/heddle $(BUILD)/heddle-silicon-record $(INSTALL)/libheddle.a $(INSTALL)/$(SONAME) $(CORES_DIR)/libshare.so \
    $(INSTALLED_CORES:%=$(CORES_DIR)/libcore_l%.so) $(CUDA_NEEDS) $(CUDA_VERSIONS) $(CUDA_LIBRARIES)
.PHONY: install uninstall deb test-install
install: $(INSTALL_NEEDS)       ## heddle, its library, headers and manual: PREFIX=/usr/local DESTDIR= INSTALLED_CORES="4 32"
	$(Q)harness/install/install.sh $(BUILD) $(INSTALL) "$(abspath $(PREFIX))" "$(DESTDIR)" $(VERSION) $(SONAME) \
	    "$(PUBLIC_HEADERS)" $(INSTALLED_CORES:%=$(CORES_DIR)/libcore_l%.so)
uninstall:                      ## removes what `make install` of the same PREFIX and DESTDIR has put there
	$(Q)harness/install/uninstall.sh "$(DESTDIR)$(abspath $(PREFIX))"
# Objects for any processor of Debian's amd64, in a folder of their own; cores are that anyway.
PORTABLE := $(BUILD)/portable
deb: $(BUILD)/rtl/libshare.so $(INSTALLED_CORES:%=$(BUILD)/rtl/libcore_l%.so)    ## a package for Debian 12: build/heddle_VERSION_amd64.deb
	$(Q)rm -rf $(PORTABLE)/deb
	$(Q)+$(MAKE) --no-print-directory BUILD=$(PORTABLE) OPT=-O3 CORES_DIR=$(CORES_DIR) PREFIX=/usr DESTDIR=$(CURDIR)/$(PORTABLE)/deb install
	$(Q)harness/install/deb.sh $(PORTABLE)/deb $(VERSION) clang-$(CLANG_VERSION) $(BUILD)

# The cores that other parts have built do.
test-install: $(BUILD)/rtl/libcore_l4.so $(CORE32)    ## what is installed works from anywhere, also when it is moved; a C and a C++ project use it
	$(Q)rm -rf $(BUILD)/tests/install
	$(Q)+$(MAKE) --no-print-directory INSTALLED_CORES="4 32_trace" PREFIX=/opt/heddle DESTDIR=$(abspath $(BUILD))/tests/install/root install
	$(Q)tests/install/test.sh $(BUILD)/tests/install $(BUILD)/tests/install/root/opt/heddle $(VERSION)
LONG += test-install
