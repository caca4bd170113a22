# The library's PTX, as a C string: compiled by clang, embedded by compiler/driver/softlib.c.
# SPDX-License-Identifier: Apache-2.0
SOFTLIB_CLANG ?= clang-14
$(GEN)/softlib.ptx: $(wildcard compiler/softlib/*.cu*)
	@mkdir -p $(@D)
	$(Q)$(SOFTLIB_CLANG) -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-path=/nonexistent -nocudainc -nocudalib \
	  -Xclang -target-feature -Xclang +ptx64 -O2 -fno-unroll-loops -mllvm -simplifycfg-sink-common=false \
	  -ffp-contract=off -Icompiler -S $(<D)/softlib.cu -o $@
$(GEN)/softlib_ptx.h: $(GEN)/softlib.ptx
	$(Q){ echo '/* Generated from compiler/softlib: do not edit. */'; echo 'static const char softlib_ptx[] ='; \
	  sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $<; echo ';'; } > $@
$(BUILD)/compiler/driver/softlib.o: $(GEN)/softlib_ptx.h
