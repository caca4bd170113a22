#!/bin/sh
# A check whose command fails must fail: tests/status.pl finds recipes and scripts that lose a
# status, and recipes that judge what a tool prints end with an error if the tool does.
# SPDX-License-Identifier: Apache-2.0
here=$PWD
. tests/fail/begin.sh || exit 4
verdict() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $2"; fi; }

# finds FILE LINE 'WORD' 'TEXT': a file of that text, as printf takes it.  keeps FILE 'TEXT': nothing is found.
finds() {
    printf "$4" > "$tmp/$1"
    tests/status.pl "$tmp/$1" > "$tmp/said" 2>&1
    [ $? = 1 ] && grep -qF "$1:$2: " "$tmp/said" && grep -F "$1:$2: " "$tmp/said" | grep -qF "\`$3'"
    verdict $? "status.pl does not find \`$3' in $4"
}
keeps() {
    printf "true | true\n$2" > "$tmp/$1"
    [ "${1%.mk}" = "$1" ] || printf "a:\n\ttrue | true\n$2" > "$tmp/$1"
    tests/status.pl "$tmp/$1" > "$tmp/said" 2>&1
    verdict $? "status.pl finds something in $2: $(cat "$tmp/said")"
}
finds a.mk 2 '{make:BUILD}/heddle' 'a:\n\t$(Q)$(BUILD)/heddle silicon --every 6 | tail -n 1 | tee x\n'
finds a.mk 3 tests/x.sh 'a:\n\ttrue\n\t@tests/x.sh a \\\n\t    b | grep -q c\n'
finds a.mk 2 ./x 'a:\n\t$(Q)for i in 1 2; do ./x $$i; done; echo all\n'
finds a.mk 2 ./x 'a:\n\t$(Q)./x && ./y; ./z\n'
finds a.mk 2 ./x 'a:\n\t$(Q)if true; then ./x | cat; fi\n'
finds a.mk 2 ./x 'a:\n\t$(Q)test -z "$$(./x | wc -l)"\n'
finds a.mk 1 ./x 'refuses = $(Q)./x $(1) | grep y\na:\n\ttrue\n'
finds a.sh 1 ./x './x | tail -n 1\n'
finds a.sh 2 ./x 'f() {\n    ./x a "b | c" 2>&1 | while read -r l; do echo "$l"; done\n}\n'
finds a.sh 2 '"$heddle"' 'case $a in x|y) true ;; z)\n    n=$("$heddle" run | sed 1d) ;; esac\n'
finds a.sh 1 ./x '{ echo a; ./x; } | grep b\n'
finds a.sh 2 ./x 'f() { ./x; }\nf a | head -n 1\n'
finds a.sh 4 ./x 'cat << END | true\n./y | z\nEND\ntimeout 5 env A=b ./x | cat\n'
finds a.sh 1 ./x 'a="$(echo "$(./x | cat)")"\n'
keeps a.mk 'b:\n\t$(Q)./x > f; code=$$?; cat f; exit $$code\n\t./x > f && tail -n 1 f | grep -q "a | b"\n'
keeps a.mk 'b:\n\t$(Q)set -e; for i in 1 2; do ./x $$i; done; echo all\n\t$(Q)for i in 1 2; do ./x || exit 1; done; echo all\n'
keeps a.sh 'grep x f | sort | tail -n 1\n./x; ./y # ./x | cat\necho "./x | cat" \\| ./y\n'
keeps a.sh '# status: in a file\n{ ./x; echo $? > f; } | :\n'
keeps a.sh 'set -o pipefail\n./x | cat\n'

# ---- the recipes themselves: a tool that prints what is right, and fails; one that prints too little ----
# make_fails 'MESSAGE' TARGET ARGUMENT...
make_fails() {
    message=$1
    shift
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make --no-print-directory "$@" > "$tmp/said" 2>&1
    [ $? = 2 ] && grep -qE "$message" "$tmp/said"
    verdict $? "make $* does not fail: $(tail -n 3 "$tmp/said")"
}
mkdir "$tmp/b"
# What tests/silicon.mk wants of tests/silicon/fresh.
fresh=$(sed -n "s/.*silicon-fresh.txt | grep -q '\(.*\),'$/\1/p" tests/silicon.mk)
# silicon EXACT STATUS KERNELS: a heddle that says so, and of tests/silicon/fresh what is right
silicon() {
    some=$3 warps=1928
    [ "$some" = 241 ] || warps=328
    cat > "$tmp/b/heddle" << END
#!/bin/sh
mkdir -p "\$XDG_CACHE_HOME/heddle" && : > "\$XDG_CACHE_HOME/heddle/native-1.so"
end=', operations $1/458 exact, approx 17/17 within'
[ "\$2" != tests/silicon/fresh ] || {
    echo "silicon: $fresh\$end"
    exit 0
}
echo "silicon: states 103740/104031 equal"
echo "silicon: kernels $some/$some equal, outputs $some/$some equal, sequences 9/$warps equal, of these without yield 9/1304\$end"
exit $2
END
    chmod +x "$tmp/b/heddle"
}
recipe() { make_fails "$1" BUILD="$tmp/b" -o "$tmp/b/heddle" -o "$tmp/b/rtl/libcore_l32.so" "$2"; }
for how in '441 1 41 silicon-some' '440 0 41 silicon-some' '441 0 40 silicon-some' '441 1 241 silicon-native' \
    '440 0 241 silicon-native' '441 1 241 silicon'; do
    silicon ${how% *}
    recipe 'Error 1' "${how##* }"
done
silicon 441 0 41                # one state of them all differs
sed -i 's,103740/,103739/,' "$tmp/b/heddle"
recipe 'Error 1' silicon-some
silicon 441 0 41                # one order of the kernels that have not helped to find the rules
sed -i 's,\([0-9]*\)/960,1/960,' "$tmp/b/heddle"
recipe 'Error 1' silicon-some
for how in '41 silicon-some' '241 silicon-native'; do
    silicon 441 0 ${how% *}
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make BUILD="$tmp/b" -o "$tmp/b/heddle" "${how#* }" > "$tmp/said" 2>&1
    verdict $? "make ${how#* }, as it should be: $(cat "$tmp/said")"
done
# A proof with a head that nobody can read.
mkdir "$tmp/tree"
for f in *; do [ "$f" = formal ] || ln -s "$here/$f" "$tmp/tree/$f"; done
cp -r formal "$tmp/tree"
for change in '1s/$/\n  and more/' 's,^// UNIT,// UNITS,' 's,^// PROVE: bmc,// PROVE: all,' '/^.. BUG:/d'; do
    sed "$change" formal/share_port_kept.v > "$tmp/tree/formal/share_port_kept.v"
    make_fails 'share_port_kept.v:.*(nobody reads|cannot be read|bmc K|no planted bug)' -C "$tmp/tree" BUILD="$here/${BUILD:-build}" formal FORMAL=share_port_kept
    make_fails 'heads that can be read 1/2' -C "$tmp/tree" BUILD="$here/${BUILD:-build}" test-formal FORMAL_ALL='age_order share_port_kept'
done
printf 'status: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ] && [ $passed != 0 ]
