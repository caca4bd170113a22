#!/bin/bash
# How much sooner `heddle run` ends kernels as the host's code: processor time in seconds; and what compiling them
# took: from its begin to its end, and processor time.  Of each the least of ROUNDS, in turns.
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
# As cc, but it notes when it ran, and what it took: the second line of `times` is that of children.  The linker
# has the process that waited for the parts, whose children they are: what was before is not its own.
cat > "$tmp/bin/cc" <<END
#!/bin/bash
from=\$EPOCHREALTIME
before=\$(mktemp) && times > "\$before"
$(command -v cc) "\$@"; status=\$?
{ echo \$from \$EPOCHREALTIME; tail -n 1 "\$before"; times; } > "$tmp/times.\$\$"
rm "\$before"
exit \$status
END
chmod +x "$tmp/bin/cc"
# Of all of them together.
seconds() {
    awk '{ gsub(/[ms]/, " "); t = $1 * 60 + $2 + $3 * 60 + $4 } FNR == 2 { s -= t } FNR == 4 { s += t } END { print s }' \
        "$tmp"/times.*
}
elapsed() {
    head -q -n 1 "$tmp"/times.* |
        awk 'NR == 1 { a = $1 } { a = $1 < a ? $1 : a; b = $2 > b ? $2 : b } END { printf "%.3f\n", b - a }'
}
least() { echo "$1 $2" | awk '{ print $1 < $2 ? $1 : $2 }'; }
# timed HOW: of a run of the image.
TIMEFORMAT='%U %S'
timed() { { time "$heddle" run "$tmp/k.hx" "@$args" "$1" > "$tmp/$1" 2>&1; } 2> "$tmp/time" && awk '{ print $1 + $2 }' "$tmp/time"; }
for k in "$@"; do
    args=${k#*=} source=${k%%=*} i=0 interpreted=1e9 native=1e9 compiler=1e9 took=1e9
    name=$(basename "$source" .cu)
    "$heddle" cc "$source" -o "$tmp/k.hx" || exit 1
    while [ $i -lt "$rounds" ]; do
        i=$((i + 1))
        rm -rf "$XDG_CACHE_HOME" "$tmp"/times.*
        PATH="$tmp/bin:$PATH" "$heddle" run "$tmp/k.hx" "@$args" --native > /dev/null || exit 1
        compiler=$(least "$(seconds)" $compiler)
        took=$(least "$(elapsed)" $took)
        interpreted=$(least "$(timed --no-native)" $interpreted)
        native=$(least "$(timed --native)" $native)
        cmp "$tmp/--native" "$tmp/--no-native" || exit 1
    done
    echo "$name $interpreted $native $took $compiler" |
        awk '{ printf "bench: native.%s %.3f s, interpreted %.3f, %.2f times; compiled in %.2f s, processor %.2f s\n",
                      $1, $3, $2, $2 / $3, $4, $5 }'
done
