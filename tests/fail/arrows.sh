#!/bin/sh
# tests/arrows.pl finds what it is for: a use that no README names, one that none may have, a
# circle, nothing to look at.
# use: arrows.sh BUILD      after `make`
# SPDX-License-Identifier: Apache-2.0
build=$(cd "$1" && pwd) || exit 2
here=$PWD
. tests/fail/begin.sh || exit 4

cuda=
[ ! -d cuda ] || cuda=cuda              # whole CUDA programs may be left out

# refuse 'MESSAGE' COMMAND...: the sources after that command, run in a copy of them
refuse() {
    message=$1
    shift
    rm -rf "$tmp/tree"
    mkdir "$tmp/tree" && cp -r cmodel compiler harness $cuda "$tmp/tree" && cd "$tmp/tree" && git init -q . || exit 4
    if "$@" && ! "$here/tests/arrows.pl" "$build" > "$tmp/out" 2>&1 && grep -qF -- "$message" "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL after \`$*' arrows.pl does not say \`$message'"
    fi
    cd "$here" || exit 4
}
include() { sed -i "0,\|^#include|s||#include \"$2\"\n&|" "$1"; }
uses() { sed -i "s,^Uses: ,&$2\, ," "$1/README.md"; }
past() { include harness/cmd/trace.c harness/device/device.h && uses harness/cmd harness/device; }
inside() { include harness/main.c cuda/code/fatbin.h && uses harness cuda/code; }
library() { include compiler/softlib/errors.cu ../../cuda/include/cuda.h; }
root() { include compiler/util.c harness/process/stop.h && uses compiler harness/process; }
circle() { include cmodel/base/infile.c cmodel/image/asm.h && uses cmodel/base cmodel/image; }

refuse 'harness/cmd/README.md does not say that harness/cmd uses harness/core' \
    include harness/cmd/trace.c harness/core/rtl.h
refuse 'what a command needs of harness/device, heddle.h gives it' past
refuse 'harness/fuzz no longer uses harness/icarus' uses harness/fuzz harness/icarus
refuse 'a circle among' circle
[ -z "$cuda" ] || refuse 'harness uses cuda/code: nothing outside cuda/ may' inside
refuse 'compiler/softlib/errors.cu includes ../../cuda/include/cuda.h' library
refuse 'a circle among the folders' root
refuse 'no sources here' rm -rf cmodel compiler harness $cuda
printf 'arrows: %d planted mistakes found, %d not\n' $passed $failed
[ $failed = 0 ] && [ $passed != 0 ]
