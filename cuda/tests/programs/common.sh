# What the scripts beside it share: programs that they build, and what is expected of them.
# SPDX-License-Identifier: Apache-2.0
# use: . cuda/tests/programs/common.sh || exit 4; ...; finish
. tests/fail/begin.sh || exit 4
build=${BUILD:-build} heddle=${BUILD:-build}/heddle here=cuda/tests part=$(basename "$0" .sh)
export HEDDLE_CACHE="$tmp/cache"
# Ways to run a program; lockstep has the core that is built quickest.
model='' stack=HEDDLE_MODE=stack routines='HEDDLE_MODE=stack HEDDLE_F64=routines' lockstep='HEDDLE=lockstep HEDDLE_LANES=4'

# build WORD...: heddle nvcc, without which the script has nothing to say.
build() { "$heddle" nvcc "$@" > "$tmp/out" 2>&1 || { bad "heddle nvcc $*:"; finish; }; }
# program FILE [OPTION...]: cuda/tests/FILE, a program of the file's name without what is behind the dot.
program() {
    file=$1 name=${1%.*}
    shift
    build "$here/$file" -o "$tmp/${name##*/}" "$@"
}
# expect STATUS 'MESSAGE' COMMAND...: the message is a fixed string somewhere in what is printed.
expect() {
    want=$1 message=$2
    shift 2
    timeout -s KILL 120 env "$@" > "$tmp/out" 2>&1
    got=$?
    if [ $got -eq "$want" ] && [ -n "$message" ] && grep -qF -- "$message" "$tmp/out"; then ok; else
        bad "$*: exit status $got, expected $want with \`$message\`:"
    fi
}
# passes PROGRAM 'SETTINGS'...: says PASS in each of these ways.
passes() {
    name=$1
    shift
    for way; do expect 0 PASS $way "$tmp/$name"; done
}
# said 'MESSAGE'...: by the last one, too.  silent 'MESSAGE': it was not.
said() { for message; do if grep -qF -- "$message" "$tmp/out"; then ok; else bad "without \`$message\`:"; fi; done; }
silent() { if grep -qF -- "$1" "$tmp/out"; then bad "with \`$1\`:"; else ok; fi; }
# prints STATUS FILE COMMAND...: just what the file holds.
prints() {
    want=$1 file=$2
    shift 2
    "$@" > "$tmp/out" 2> "$tmp/err"
    got=$?
    if [ $got -eq "$want" ] && diff "$tmp/out" "$file"; then ok; else bad "$*: exit status $got, expected $want, or another output than $file:"; fi
}
# holds 'WHAT' COMMAND...: the command ends well; else it is WHAT that is wrong.
holds() {
    what=$1
    shift
    if "$@"; then ok; else bad "$what; last:"; fi
}
# refused 'PTX'...: of forms that there are not heddle says so.
refused() {
    for form; do
        printf '.version 8.0\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %%r1; .reg .f32 %%f1; .reg .b64 %%a; %s; ret; }\n' "$form" \
            > "$tmp/form.ptx"
        expect 2 'is not supported yet' "$heddle" cc "$tmp/form.ptx" -o "$tmp/form.hx"
    done
}
finish() {
    echo "programs: $part: $passed passed, $failed failed"
    [ $failed = 0 ] && [ $passed -gt 0 ]
    exit
}
