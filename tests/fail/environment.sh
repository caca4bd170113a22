#!/bin/sh
# tests/environment.pl finds what it is for: a variable that a source reads and the page does not
# name, one that no source reads, and a page or a tree that is empty.
# SPDX-License-Identifier: Apache-2.0
. tests/fail/begin.sh || exit 4

# refuse STATUS 'MESSAGE' COMMAND...
refuse() {
    want=$1 message=$2
    shift 2
    "$@" > "$tmp/out" 2>&1
    got=$?
    if [ $got = "$want" ] && grep -qF -- "$message" "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $*: exit status $got, expected $want with \`$message':"
        sed 's/^/    /' "$tmp/out"
    fi
}
variables=$(pwd)/tests/environment.pl
# environment STATUS 'MESSAGE' 'COMMANDS': a tree whose page is right, with COMMANDS planted
environment() {
    rm -rf "$tmp/tree" && mkdir -p "$tmp/tree/docs" && git -C "$tmp/tree" init -q
    printf '| variable | value |\n| --- | --- |\n| `C`, `HEDDLE_T`, `F`, `P`, `S`, `M`, `U` | x |\n' > "$tmp/tree/docs/environment.md"
    printf 'int v(const char *name) { return !getenv(name); }\nint w = v("F") + !getenv("C");\nstruct { char *n } t[] = { { "HEDDLE_T", 1 } };\n' > "$tmp/tree/a.c"
    echo 'print $ENV{P}; $ENV{PLANTED} = 1' > "$tmp/tree/a.pl"
    echo 'OWN=1; echo ${S:-1} ${OWN:-2}' > "$tmp/tree/a.sh"
    printf 'M ?= 1\nall: OWN := 2\nall:\n\techo $(U) $(M) $(OWN)\n' > "$tmp/tree/Makefile"
    refuse "$1" "$2" sh -c "cd '$tmp/tree' && { $3; } && '$variables'"
}
environment 0 'environment: 7 variables, 0 wrong' true
environment 1 'a.c reads PLANTED' 'echo "int x = !getenv(\"PLANTED\");" >> a.c'
environment 1 'a.c reads PLANTED' 'echo "int x = v(\"PLANTED\");" >> a.c'
environment 1 'b.c reads HEDDLE_PLANTED' 'echo "t = { { \"HEDDLE_PLANTED\", 1 } };" > b.c'
environment 1 'b.pl reads PLANTED' 'echo "print \$ENV{PLANTED}" > b.pl'
environment 1 'b.sh reads PLANTED' 'echo "echo \${PLANTED:-1}" > b.sh'
environment 1 'b.mk reads PLANTED' 'echo "PLANTED ?= 1" > b.mk'
environment 1 'b.mk reads PLANTED' 'printf "b:\\n\\techo \$(PLANTED)\\n" > b.mk'
environment 1 'no source reads C' 'rm a.c'
environment 1 'M has 2 rows' 'echo "| \`M\` | y |" >> docs/environment.md'
environment 1 'no source reads a variable' 'rm a.*; echo > Makefile; echo > docs/environment.md'
printf 'environment: %d planted variables judged right, %d not\n' $passed $failed
[ $failed = 0 ] && [ $passed != 0 ]
