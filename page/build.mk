# Heddle in one web page: build/heddle.html.  Debian's emscripten and nodejs, and packages of npm.
# SPDX-License-Identifier: Apache-2.0
PAGE       := $(BUILD)/page
# The cores of a page: their LANES; the last is what a launch gets that names none.
PAGE_LANES ?= 4 32
# Only what the page is made of; the rest stays out of the default build.
PAGE_PACKAGES = emscripten chromium firefox-esr patch $(if $(shell command -v node),,nodejs) $(if $(shell command -v npm),,npm)
EMXX := NODE_PATH=/usr/share/nodejs em++
# The compiler that emcc runs, with the flags that emcc gives it: to start emcc, a Python program, takes longer than to compile a file.
PAGE_CC  := $(CCACHE) clang-14 @$(PAGE)/cflags
PAGE_CPP := $(CCACHE) clang++-14 @$(PAGE)/cflags
$(PAGE)/cflags: page/build.mk | page-tools
	@mkdir -p $(@D)
	$(Q)emcc --cflags > $@

.PHONY: deps-page page
deps-page:                      ## install what a page is made and tested with: emscripten, browsers, npm
	$(Q)$(MAKE) --no-print-directory deps PACKAGES="$(PACKAGES) $(PAGE_PACKAGES)"
page: $(BUILD)/heddle.html      ## Heddle in one web page, build/heddle.html, that opens from the disk

# ---- the program: everything but what needs a host, for which page/ has its own ----
PAGE_NOT := harness/main.c harness/commands.c harness/core/library.c harness/core/sources.c cmodel/base/reserve.c cmodel/base/can.c \
            harness/fuzz/% harness/silicon/% harness/install/% regroup/fit.c
PAGE_SRC := harness/main.c $(filter-out $(PAGE_NOT),$(CMODEL_SRC) $(COMPILER_SRC) $(HARNESS_SRC) $(wildcard regroup/*.c) $(STREAM_SRC)) \
            $(wildcard page/*.c)
PAGE_LIBS := $(PAGE)/sources/cjson/cJSON.c $(patsubst %,$(PAGE)/sources/zlib/%.c,adler32 crc32 deflate inflate inffast inftrees \
            trees zutil compress uncompr gzlib gzread gzwrite gzclose)
PAGE_OBJ := $(PAGE_SRC:%.c=$(PAGE)/%.o) $(PAGE_LIBS:$(PAGE)/%.c=$(PAGE)/lib/%.o)
PAGE_C   := -std=gnu11 -D_GNU_SOURCE -DZ_HAVE_UNISTD_H -O2 -fno-strict-aliasing -DCLANG_VERSION=$(CLANG_VERSION) -I. -I$(PAGE)/include -I$(GEN)
PAGE_WARN := -Wall -Wextra -Werror -Wno-unknown-warning-option -Wno-unknown-pragmas -Wno-format-zero-length \
             -Wno-unused-value -Wno-array-bounds -Wno-constant-conversion
# What the C library lacks.
$(PAGE)/cmodel/image/image.o $(PAGE)/regroup/sorting.o: private PAGE_C += -include page/host.h
# What runs each instruction: with vectors.
$(PAGE)/cmodel/fp/%.o $(PAGE)/cmodel/machine/%.o $(PAGE)/cmodel/fast/%.o: private PAGE_C += -O3 -msimd128 -mbulk-memory -ffp-contract=off

$(PAGE)/include/made: page/sources.sh
	@mkdir -p $(@D)/cjson
	$(Q)page/sources.sh $(PAGE)/sources
	@cp $(PAGE)/sources/cjson/cJSON.h $(@D)/cjson/ && cp $(PAGE)/sources/zlib/*.h $(@D)/ && touch $@
$(PAGE_LIBS): $(PAGE)/include/made ;
$(PAGE)/lib/%.o: $(PAGE)/%.c $(PAGE)/include/made | $(PAGE)/cflags
	@mkdir -p $(@D)
	$(Q)$(PAGE_CC) $(PAGE_C) -w -c -o $@ $<
$(PAGE)/%.o: %.c | $(PAGE)/include/made $(PAGE)/cflags $(ISA_GEN) $(EMBEDDED) $(CUDA_INC) $(GEN)/mufu_table.h
	@mkdir -p $(@D)
	$(Q)$(PAGE_CC) $(PAGE_C) $(PAGE_WARN) -MMD -MP -c -o $@ $<
$(PAGE)/harness/core/fst_lib.o $(PAGE)/page/rows.o: private PAGE_C += -isystem $(VERILATOR_INC)

# What the page leaves out.
$(PAGE)/include/have_libdw.h: page/build.mk
	@mkdir -p $(@D) && echo '#define HAVE_LIBDW 0' > $@
$(PAGE)/harness/view/source_lines.o: $(PAGE)/include/have_libdw.h
$(PAGE)/lanes: FORCE
	@mkdir -p $(@D) && echo '$(PAGE_LANES)' | cmp -s - $@ || echo '$(PAGE_LANES)' > $@
$(PAGE)/page/library.o: $(PAGE)/lanes
$(PAGE)/page/library.o: private PAGE_C += -DPAGE_CORES='$(foreach n,$(PAGE_LANES),CORE($(n)))'

# ---- the cores ----
PAGE_CORES := $(PAGE_LANES:%=$(PAGE)/l%/libcore.a)
PAGE_RTL  := $(filter-out %/conv_exec.v,$(CORE_SRC)) $(PAGE)/conv_exec.v
$(PAGE)/conv_exec.v: rtl/converge/conv_exec.v page/plant.sh
	@mkdir -p $(@D)
	$(Q)page/plant.sh $< $@
$(PAGE)/l%/Vcore.mk: $(CORE_DEP) $(PAGE)/conv_exec.v
	@mkdir -p $(@D)
	$(Q)$(VERILATOR) $(VFLAGS) -GLANES=$* $(CORE_PARAMS) --Mdir $(@D) rtl/probe.vlt $(PAGE_RTL)
	@cksum $(CORE_DEP) > $(@D)/sources
PAGE_CXX := -std=c++17 -mbulk-memory -w -include cstdint -DVL_IGNORE_UNKNOWN_ARCH $(foreach v,COVERAGE SC TRACE TRACE_FST \
            TRACE_VCD,-DVM_$(v)=0)
$(PAGE)/l%/libcore.a: $(PAGE)/l%/Vcore.mk $(SHIM_DEP) page/core.sh | $(PAGE)/cflags
	$(Q)harness/core/eval.pl $(<D) Vcore > $(<D)/eval.h
	$(Q)page/core.sh $@ $* "$(PAGE_CPP) $(PAGE_CXX) -I. -I$(GEN) -I$(<D) -I$(VERILATOR_INC) -I$(VERILATOR_INC)/vltstd"
# Verilator's own, which all cores share.
$(PAGE)/verilated/%.o: $(VERILATOR_INC)/%.cpp | $(PAGE)/cflags
	@mkdir -p $(@D)
	$(Q)$(PAGE_CPP) $(PAGE_CXX) -O2 -I$(VERILATOR_INC) -I$(VERILATOR_INC)/vltstd -c -o $@ $<
PAGE_VERILATED := $(patsubst %,$(PAGE)/verilated/%.o,verilated verilated_dpi verilated_threads)

# ---- the program and its core, for WebAssembly ----
# Without that limit Binaryen makes one function of a whole cycle, which takes 1.4 times as long.
PAGE_LINK := -O2 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB -sINITIAL_MEMORY=64MB -sTOTAL_STACK=4MB -sINVOKE_RUN=0 \
             -sEXIT_RUNTIME=0 -sMODULARIZE=1 -sEXPORT_NAME=Heddle -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=FS,callMain,HEAPU8 \
             -sENVIRONMENT=web,worker,node -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=1000
$(PAGE)/heddle.js: $(PAGE_OBJ) $(PAGE_CORES) $(PAGE_VERILATED)
	$(Q)echo 'extern const char heddle_commit[]; const char heddle_commit[] = "$(COMMIT)";' > $(PAGE)/commit.c
	$(Q)$(PAGE_CC) -c -o $(PAGE)/commit.o $(PAGE)/commit.c
	$(Q)$(EMXX) $(PAGE_LINK) -Wl,--fatal-warnings -o $@ $(PAGE)/commit.o $^

# ---- the page ----
$(PAGE)/npm/made: page/web/package.json page/web/package-lock.json
	@mkdir -p $(@D)
	$(Q)cp $^ $(@D)/ && cd $(@D) && timeout 300 npm ci --ignore-scripts --no-audit --no-fund > log 2>&1 || { cat log; exit 1; }
	@touch $@
PAGE_WEB := $(wildcard page/web/*) $(wildcard page/examples/*) $(wildcard waves/*.gtkw) LICENSE
$(BUILD)/heddle.html: $(PAGE)/heddle.js $(PAGE_WEB) $(PAGE)/npm/made page/run.js
	$(Q)node page/web/build.js $< "$(PAGE_LANES)" "$$(node page/run.js $< --version)" $(PAGE)/npm $@
	@echo "$@: open it in a browser"
# What is missing, and how to get it: a page is never built half.
$(PAGE)/include/made $(PAGE_CORES) $(PAGE)/npm/made: | page-tools
page-tools:    ## whether what a page is made with is installed
	$(Q)for p in emcc node npm; do command -v $$p > /dev/null || { echo "page: $$p is missing: make deps-page"; exit 1; }; done
.PHONY: page-tools
