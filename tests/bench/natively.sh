#!/bin/bash
# How much sooner `heddle run` ends kernels as the host's code, and what compiling them took: processor time in
# seconds, the least of ROUNDS, in turns.
# SPDX-License-Identifier: Apache-2.0
# usage: natively.sh HEDDLE ROUNDS KERNEL=ARGS...     ARGS: a file of launch words
heddle=$(realpath "$1") || exit 4
rounds=$2
shift 2
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export XDG_CACHE_HOME="$tmp/cache"
mkdir "$tmp/bin"
# As cc, but it notes what it took: the second line of `times` is that of children.
cat > "$tmp/bin/cc" <<END
#!/bin/sh
$(command -v cc) "\$@"; status=\$?
times > "$tmp/times"
exit \$status
END
chmod +x "$tmp/bin/cc"
seconds() { awk 'END { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }' "$tmp/times"; }
least() { echo "$1 $2" | awk '{ print $1 < $2 ? $1 : $2 }'; }
# timed HOW: of a run of the image.
TIMEFORMAT='%U %S'
timed() { { time "$heddle" run "$tmp/k.hx" "@$args" "$1" > "$tmp/$1" 2>&1; } 2>&1 | awk '{ print $1 + $2 }'; }
for k in "$@"; do
    args=${k#*=} source=${k%%=*} i=0 interpreted=1e9 native=1e9 compiler=1e9
    name=$(basename "$source" .cu)
    "$heddle" cc "$source" -o "$tmp/k.hx" || exit 1
    while [ $i -lt "$rounds" ]; do
        i=$((i + 1))
        rm -rf "$XDG_CACHE_HOME"
        PATH="$tmp/bin:$PATH" "$heddle" run "$tmp/k.hx" "@$args" --native > /dev/null || exit 1
        compiler=$(least "$(seconds)" $compiler)
        interpreted=$(least "$(timed --no-native)" $interpreted)
        native=$(least "$(timed --native)" $native)
        cmp "$tmp/--native" "$tmp/--no-native" || exit 1
    done
    echo "$name $interpreted $native $compiler" |
        awk '{ printf "bench: native.%s %.3f s, interpreted %.3f, %.2f times; compiler %.2f s\n", $1, $3, $2, $2 / $3, $4 }'
done
