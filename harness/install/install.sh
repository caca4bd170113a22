#!/bin/sh
# Puts what was built where a prefix has it.  Nothing that is installed knows the build folder, and
# all find each other from where they lie, so that a prefix can be moved.
# SPDX-License-Identifier: Apache-2.0
# use: install.sh BUILD INSTALL PREFIX DESTDIR VERSION SONAME HEADERS CORE...
set -e
umask 022
build=$1 made=$2 prefix=$3 to=$4$3 version=$5 soname=$6 headers=$7
shift 7
lib=$to/lib/heddle man=$to/share/man/man1 share=$to/share/heddle doc=$to/share/doc/heddle
mkdir -p "$to/bin" "$to/lib/pkgconfig" "$lib/rtl" "$to/include/heddle" "$man" "$share/waves" \
    "$doc/examples" "$to/share/bash-completion/completions" "$to/share/zsh/site-functions"

# The program, and what it looks for beside itself (harness/core/library.c).
install "$build/heddle" "$to/bin/heddle"
ln -sfn ../../bin/heddle "$lib/heddle"
install "$build/heddle-silicon-record" "$to/bin/heddle-silicon-record"
ln -sfn ../../bin/heddle-silicon-record "$lib/heddle-silicon-record"
install -m 644 "$@" "$(dirname "$1")/libshare.so" "$lib/rtl"
# CUDA programs, where their part is built: what heddle-nvcc looks for (cuda/nvcc/nvcc.c).
if [ -e "$build/heddle-nvcc" ]; then
    mkdir -p "$lib/cuda" "$lib/include"
    install "$build/heddle-nvcc" "$to/bin/heddle-nvcc"
    ln -sfn ../../bin/heddle-nvcc "$lib/heddle-nvcc"
    for l in "$build"/libheddle_cudart.so "$build"/libcu*.so "$build"/libnv*.so; do
        [ ! -e "$l" ] || install -m 644 "$l" "$lib"
    done
    for l in "$build"/cuda/libcudart.so.*; do case $l in *.map) ;; *) install -m 644 "$l" "$lib/cuda" ;; esac; done
    for n in libcudart.so libcuda.so libcuda.so.1; do ln -sfn ../libheddle_cudart.so "$lib/cuda/$n"; done
    cp -r "$build/include/." "$lib/include"
    cuda/nvcc/sdk.sh "$lib"
fi

# The library.
install -m 644 "$made/libheddle.a" "$to/lib"
install -m 644 "$made/$soname" "$to/lib/libheddle.so.$version"
ln -sfn "libheddle.so.$version" "$to/lib/$soname"
ln -sfn "$soname" "$to/lib/libheddle.so"
for h in $headers; do install -D -m 644 "$h" "$to/include/heddle/$h"; done
install -m 644 "$build/gen/isa_gen.h" "$to/include/heddle"
for h in cmodel/heddle.h stream/heddle_stream.h stream/heddle_stream.vh; do
    ln -sfn "$h" "$to/include/heddle/$(basename "$h")"
done
private=$(readelf -dW "$made/$soname" | sed -n 's/.*NEEDED.*\[lib\(.*\)\.so.*/-l\1/p' | grep -vx -e -lc | tr '\n' ' ')
cat > "$to/lib/pkgconfig/heddle.pc" <<END
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include/heddle

Name: heddle
Description: A SIMT core in Verilog and its golden model in lockstep; streams of warp events
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lheddle
Libs.private: $private
END

# For people.
"$build/heddle" manual "$man"
"$build/heddle" completion bash > "$to/share/bash-completion/completions/heddle"
"$build/heddle" completion zsh > "$to/share/zsh/site-functions/_heddle"
install -m 644 waves/*.gtkw "$share/waves"
[ ! -e "$build/heddle.html" ] || install -m 644 "$build/heddle.html" "$share"
install -m 644 LICENSE README.md "$doc"
cp -r tests/install/c tests/install/cpp "$doc/examples"
echo "installed: heddle $version in $prefix"
