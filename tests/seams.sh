#!/bin/sh
# seams.sh [TREE]: what a host has of its own is in the places made for it, and nowhere else, so
# that another host (page/) replaces files, not lines.
# SPDX-License-Identifier: Apache-2.0
self=$(realpath "$0")
cd "${1:-.}" || exit 4
found=0
# WORDS, what they are, and the files that may have them (a pattern of grep).
only() {
    words=$1 what=$2 where=$3
    said=$(grep -rnE --include=*.c --include=*.h --include=*.cpp --include=*.def -- "$words" cmodel compiler harness page regroup stream 2> /dev/null |
        grep -vE "^($where)")
    [ -z "$said" ] && return
    echo "$said" | sed "s|^|seams: $what: |"
    found=1
}
only '__EMSCRIPTEN__|__wasm|<emscripten' 'a condition on WebAssembly' 'page/'
only 'MAP_NORESERVE' 'reserved memory without cmodel/base/reserve.h' 'cmodel/base/reserve\.c:'
only '"rtl_calls"|RTLD_NOW' 'a library loaded' 'harness/core/library\.c:|cmodel/native/cache\.c:|harness/cmd/cmd_stream\.c:|harness/silicon/record/gpu\.c:'
only '\.incbin' 'a file taken in by the assembler' '-'
[ $found = 0 ] || exit 1
[ -z "$1" ] || exit 0
# Each of them, planted, is found.
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
n=0
for line in '#ifdef __EMSCRIPTEN__' 'int x = MAP_NORESERVE;' 'void *p = dlsym(lib, "rtl_calls");' '__asm__(".incbin");'; do
    mkdir -p "$tmp/cmodel" "$tmp/compiler" "$tmp/harness" "$tmp/page" "$tmp/regroup" "$tmp/stream"
    printf '%s\n' "$line" > "$tmp/harness/planted.c"
    if "$self" "$tmp" > /dev/null; then echo "seams: not found: $line"; exit 1; fi
    n=$((n + 1))
done
echo "seams: $((n + 4)) passed, 0 failed"
