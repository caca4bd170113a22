#!/bin/bash
# An installed Heddle works from any folder, without the source tree and without its tools, also when
# its prefix is moved; projects of others use it; it can be removed.
# SPDX-License-Identifier: Apache-2.0
# use: test.sh DIR PREFIX VERSION     PREFIX: where it was installed, which is moved
tree=$(pwd) dir=$1 version=$3 programs=
[ ! -e "${dir%/tests/install}/heddle-nvcc" ] || programs=yes
passed=0 failed=0
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
prefix=$tmp/moved
mv "$2" "$prefix" && cp -r tests/install/c tests/install/cpp tests/kernels/divergent.cu tests/kernels/bsync_beside_block.s "$tmp" || exit 4
heddle=$prefix/bin/heddle

# The source tree is hidden, where a mount can do that.
hide=()
if unshare -rm sh -c 'mount -t tmpfs none "$1" && ! [ -e "$1/Makefile" ]' sh "$tree" 2> /dev/null; then
    hide=(unshare -rm sh -c 'mount -t tmpfs none "$1" && shift && exec "$@"' sh "$tree")
else
    echo "install: the source tree cannot be hidden here, and stays visible"
fi
# want STATUS WORDS PATH COMMAND...: in another folder, with nothing of the environment but PATH
want() {
    local status=$1 words=$2 path=$3
    shift 3
    (cd "$tmp" && "${hide[@]}" env -i PATH="$path" HOME="$tmp" "$@") > "$tmp/out" 2>&1
    local got=$?
    if [ $got -eq "$status" ] && { [ -z "$words" ] || grep -qF -- "$words" "$tmp/out"; }; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $*: exit status $got, expected $status with \`$words\`:"
        sed 's/^/    /' "$tmp/out"
    fi
}
is() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $1: \`$2\`, expected \`$3\`"; fi; }
# Nothing but clang; nothing at all.
mkdir "$tmp/clang" "$tmp/nothing"
clang=$(command -v clang-19) && ln -s "$clang" "$tmp/clang/"
usual=/usr/bin:/bin launch="--grid 1 --block 32 data:f32[32]=rand:1 steps:i32[32] n:i32=32"
collatz="c/collatz.ptx --grid 1 --block 64 steps:i32[64] n:i32=64 --print steps[26:27]"

want 0 "heddle $version, commit " $usual "$heddle" --version
want 0 "core $prefix/lib/heddle/rtl/libcore_l4.so: sources " $usual "$heddle" --version
want 0 "heddle $version, commit " $usual "$heddle" -h
want 0 'steps[26:27] = 111' "$tmp/nothing" "$heddle" run $collatz
want 0 'lockstep: equal' "$tmp/nothing" "$heddle" lockstep $collatz --lanes 4
want 0 'lockstep: equal' "$tmp/nothing" "$heddle" lockstep bsync_beside_block.s $(sed -n 's/^.*[/#] RUN: //p' "$tmp/bsync_beside_block.s" | head -1) --lanes 4
want 0 'lockstep: equal' "$tmp/clang" "$heddle" lockstep divergent.cu $launch
want 2 'apt-get install clang-19' "$tmp/nothing" "$heddle" lockstep divergent.cu $launch
want 0 'stream: ok' "$tmp/nothing" "$(command -v sh)" -c "'$heddle' lockstep $(printf "'%s' " $collatz) --lanes 4 --stream k.hst && '$heddle' stream check k.hst"
want 0 'difference.gtkw' "$tmp/nothing" "$(command -v ls)" "$prefix/share/heddle/waves"
want 0 'gtkwave' "$tmp/nothing" "$heddle" wave $collatz --around cycle:300 --view barrier -o x.fst
want 2 "in Heddle's sources, and then --core FILE: make build/rtl/libcore_l8.so" $usual "$heddle" lockstep $collatz --lanes 8
if [ -n "$programs" ]; then             # those of CUDA, where their part is built
    printf '#include <cstdio>\n__global__ void k(int *p) { p[threadIdx.x] = threadIdx.x * 3; }\nint main() { int *d, h[32]; cudaMalloc(&d, sizeof h); k<<<1, 32>>>(d);\ncudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); printf("%%d\\n", h[14]); }\n' > "$tmp/app.cu"
    want 0 '' $usual "$heddle" nvcc app.cu -o app
    want 0 '42' $usual ./app
fi

# The manual has a page of every command, and no mistake of roff; words are completed.
"$heddle" -h > "$tmp/usage"
is 'status of heddle -h' $? 0
commands=$(sed -n 's/^  \([a-z]*\) .*/\1/p' "$tmp/usage" | grep -vxE 'nvcc|manual|completion')
for c in $commands; do [ -s "$prefix/share/man/man1/heddle-$c.1" ] || echo "$c"; done > "$tmp/out"
is 'commands without a page' "$(cat "$tmp/out")" ''
if command -v groff > /dev/null; then
    groff -man -Tascii -P-cbou -ww "$prefix"/share/man/man1/*.1 > "$tmp/text" 2> "$tmp/warnings"
    is 'status of groff' $? 0
    is 'warnings of groff' "$(head -3 "$tmp/warnings")" ''
    for c in $commands; do "$heddle" "$c" --help || echo "$c failed"; done > "$tmp/helps"
    is 'commands without help' "$(grep ' failed$' "$tmp/helps")" ''
    grep -oE '^  (-., )?--[a-z-]+' "$tmp/helps" | sort | uniq -c > "$tmp/help"
    grep -oE '^ {7}(-., )?--[a-z-]+' "$tmp/text" | sed 's/^ */  /' | sort | uniq -c > "$tmp/pages"
    is 'options of the help and of the manual' "$(diff "$tmp/help" "$tmp/pages")" ''
else
    echo "install: groff is not here, so the pages are not looked at"
fi
complete_words() { bash -c '. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _heddle; echo "${COMPREPLY[*]}"' bash \
    "$prefix/share/bash-completion/completions/heddle" "$@"; }
is 'a command completed' "$(complete_words heddle lock)" lockstep
is 'an option completed' "$(complete_words heddle run --mo)" --mode
is 'a value completed' "$(complete_words heddle run x.cu --mode '')" 'barrier stack'
is 'a verb completed' "$(complete_words heddle stream d)" diff
is 'a file is left to the shell' "$(complete_words heddle run x.cu -o '')" ''
if command -v zsh > /dev/null; then
    is 'completion in zsh' "$(zsh -n "$prefix/share/zsh/site-functions/_heddle" 2>&1)" ''
else
    echo "install: zsh is not here, so its completion is not looked at"
fi

# The library shows what its headers declare; others' projects use it, shared and static.
is 'names of the library' "$(nm -D --defined-only "$prefix/lib/libheddle.so" | awk '{ print $3 }' | grep -vE '^(hd|hs|bbv)_' | head -3)" ''
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
is 'its version' "$(pkg-config --modversion heddle)" "$version"
for project in c cpp; do
    if (cd "$tmp/$project" && "${hide[@]}" make -s check) > "$tmp/out" 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAIL the project in $project:"; sed 's/^/    /' "$tmp/out"; fi
    cat "$tmp/out" >> "$dir/projects"
done
is 'the verdicts of the project in C' "$(grep -c '27: 111 steps; .* RTL and model are equal' "$dir/projects")" 2
is 'the verdicts of the project in C++' "$(grep -c 'as it should be: ok; a lane forgotten: running broken' "$dir/projects")" 1
want 2 "in Heddle's sources" $usual c/divergence c/collatz.ptx 8

harness/install/uninstall.sh "$prefix" > "$tmp/out"
is 'what is left' "$(find "$prefix" ! -type d)" ''
echo "install: $passed passed, $failed failed"
[ $failed -eq 0 ]
