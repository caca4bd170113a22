#!/bin/bash
# Speed of the simulated core beside that of another commit, which is built with its own makefile; both take turns.
# SPDX-License-Identifier: Apache-2.0
# usage: against.sh BUILD COMMIT ROUNDS LANES...
set -euo pipefail
build=$1 rounds=$3
commit=$(git rev-parse -q --verify "$2^{commit}") || { echo "bench-against: \`$2': COMMIT= names no commit" >&2; exit 2; }
other=$build/against/$commit
shift 3
input="$PWD/tests/silicon/kernels/p_loop_merge.ptx $PWD/tests/silicon/input.u32"
if [ ! -e "$other/Makefile" ]; then
    mkdir -p "$other.new"
    git archive "$commit" | tar -x -C "$other.new"
    mv "$other.new" "$other"
fi
# Whatever its makefile calls archives and libraries.
printf '%s\n' 'include Makefile' "build/core_rate: $PWD/tests/bench/core_rate.c \$(ARCHIVES)" \
    $'\t$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(HEDDLE_LIBS)' > "$other/rate.mk"
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u BUILD make -s -C "$other" -f rate.mk build/core_rate \
    $(printf 'build/rtl/libcore_l%s.so ' "$@")
for l in "$@"; do
    for ((r = 0; r < rounds; r++)); do
        then=$(cd "$other" && build/core_rate "$l" $input)
        now=$("$build/core_rate" "$l" $input)
        echo "$then $now"
    done | perl -e '
        my ($name, $lanes) = @ARGV;
        my @row = map { [split] } <STDIN>;
        @row or die "against.sh: no round\n";
        sub median { my @x = sort { $a <=> $b } @_; return ($x[$#x / 2] + $x[@x / 2]) / 2 }
        for my $k (0, 1) {
            printf "bench: %s_l%d %s %.0f, now %.0f cycles/s: %.2f times\n", ("rtl.bare", "rtl.lockstep")[$k], $lanes, $name,
                median(map { $_->[$k] } @row), median(map { $_->[$k + 3] } @row), median(map { $_->[$k + 3] / $_->[$k] } @row);
        }
        printf "bench: rtl.lockstep_ratio_l%d %s %.3f, now %.3f\n", $lanes, $name,
            median(map { $_->[1] / $_->[0] } @row), median(map { $_->[4] / $_->[3] } @row);
        printf "p_loop_merge: %d cycles, now %d\n", @{$row[0]}[2, 5]' "${commit:0:8}" "$l"
done
