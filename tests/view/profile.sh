#!/bin/sh
# The profile against the commit log, counted apart; each cause where a kernel has it; and what is
# refused.
# SPDX-License-Identifier: Apache-2.0
# use: profile.sh BUILD
build=$1
. "$(dirname "$0")/common.sh"
# True of the profile $tmp/p.json: an expression of Perl over $p, line(N) and share(N, CAUSE) of its
# cycles.
holds() {
    perl -MJSON::PP -e 'local $/; our $p = decode_json(<STDIN>);
        sub line { my $n = shift; my ($l) = grep { $_->{number} == $n } @{ $p->{lines} }; return $l // die "no line $n\n" }
        sub share { my ($n, $why) = @_; my $l = line($n); return ($l->{cycles_by}{$why} // 0) / $l->{cycles} }
        exit(eval($ARGV[0]) ? 0 : 1)' "$1" < "$tmp/p.json" && ok || fail "not so: $1"
}
counted() {                     # KERNEL LAUNCH...
    "$build/heddle" profile "$@" --json > "$tmp/p.json" && "$build/heddle" profile "$@" > "$tmp/p.txt" &&
        "$build/heddle" trace "$@" --json -o "$tmp/log.jsonl" || { fail "no profile of $*"; return; }
    if "$here/profile_check.pl" "$tmp/p.json" "$tmp/p.txt" "$tmp/log.jsonl"; then ok; else fail "$*"; fi
}

divergent='tests/kernels/divergent.cu --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100'
calls='tests/kernels/stack_calls.s --grid 1 --block 70 --mode stack'
causes="$here/causes.cu --grid 1 --block 64 data:i32[64]=iota n:i32=200"
odd='tests/kernels/odd_blocks.cu'
for mode in '--mode barrier' '--mode stack' '--lockstep --lanes 4' '--mode stack --lockstep --lanes 4'; do
    counted $divergent $mode
    counted "$here/divide.cu" --grid 2 --block 40 'out:i32[80]' n:i32=7 $mode
done
# Lanes that wait in a token do not go to the first instruction.
"$build/heddle" profile $divergent --mode stack --json > "$tmp/p.json"
holds '@{ $p->{loops} } == 1 && $p->{loops}[0]{entries} == 99'

# Lanes part at one branch of a loop and exit in a function that the loop calls, while the others run there.
counted "$here/exits_called.s" --grid 1 --block 32
holds 'my %b = map { $_->{pc} => $_ } @{ $p->{branches} }; ($b{0xd0}{lost_by}{exited} // 0) == 5552 && $b{0x60}{lost} < 300'
# Lanes part at one branch of a loop and leave it at another.
counted "$here/exits.s" --grid 1 --block 32
holds 'my %b = map { $_->{pc} => $_ } @{ $p->{branches} };
    ($b{0x80}{lost_by}{barrier} // 0) == 3968 && ($b{0x130}{lost_by}{exited} // 0) == 3968 && $b{0x50}{lost} < 300 && $b{0x100}{lost} < 300'
# A gain by slots is of the slots lost there alone, and is called no bound.
holds '!grep { $_->{lost} && ($_->{gain_by} ne "slots" || abs($_->{gain} - 32 * $p->{insns} / (32 * $p->{insns} - $_->{lost})) > 1e-3 || $_->{help} =~ /at most/) } @{ $p->{branches} }'

# Each cause is where the kernel has it.
counted $causes --lockstep --lanes 32
counted $causes --lockstep --lanes 4
holds 'share(7, "memory") > 0.4'
holds 'share(12, "barrier") > 0.9'
holds 'share(14, "scoreboard") > 0.1 && ($p->{cycles_by}{port} // 0) > 0'
holds 'line(10)->{efficiency} == 100 && line(17)->{efficiency} < 25'
holds '(grep { $_->{help} =~ /different rounds: a lane makes 32.0, its warp 44.0/ } @{ $p->{branches} }) == 1'
holds '(grep { $_->{entries} == 32 && $_->{rounds} == 6400 && $_->{warp_rounds} == 200 } @{ $p->{loops} }) == 1'
# Where sides join at the loop's head, there is one loop all the same, of the line of its `for`.
counted "$here/switch.cu" --grid 1 --block 64 'program:u32[256]=rand:7' 'out:i32[64]' n:i32=40
holds '@{ $p->{loops} } == 1 && $p->{loops}[0]{line} =~ /:7$/'
holds 'my $l = $p->{loops}[0]; $l->{entries} == 64 && $l->{rounds} == 64 * 40 && $l->{warp_entries} == 2 && $l->{warp_rounds} == 80'
holds '!grep { $_->{help} && $_->{help} =~ /leave the loop/ } @{ $p->{branches} }'
# A warp alone loses none to others or to a barrier.
"$build/heddle" profile "$here/causes.cu" --grid 1 --block 32 'data:i32[64]=iota' n:i32=2 --lockstep --lanes 4 --json > "$tmp/p.json"
holds '($p->{cycles_by}{port} // 0) < 10 && !$p->{cycles_by}{barrier} && $p->{cycles_by}{memory} > 100'

# Code of the library belongs to the line that calls it.
"$build/heddle" profile "$here/divide.cu" --grid 1 --block 32 'out:i32[32]' n:i32=7 --json > "$tmp/p.json"
holds '!grep { $_->{line} eq "(no line)" } @{ $p->{lines} }'
holds 'line(6)->{insns} > 20 && line(7)->{insns} > 20'

# A prediction, and its gain.
merge="$here/merge.cu --grid 1 --block 32 out:i32[32] n:i32=50"
expect 0 'Predict where they meet again (loop merge at line' "$build/heddle" profile $merge
"$build/heddle" profile $merge --json > "$tmp/p.json"
"$build/heddle" profile $merge --save "$tmp/counts.json" > "$tmp/said"
"$build/heddle" cc "$here/merge.cu" --profile "$tmp/counts.json" --remarks -o "$tmp/x.hx" > "$tmp/said" 2>&1 || fail 'a compilation by counts'
GAIN=$(sed -n 's/.*applied:.*(x\([0-9.]*\)).*/\1/p' "$tmp/said")
export GAIN
holds '(grep { ($_->{gain_by} // "") eq "predict" && $_->{gain} == $ENV{GAIN} && $ENV{GAIN} > 1.1 } @{ $p->{branches} }) >= 1'

# What hoisting is expected to gain, and what it does gain.
alike="$here/alike.cu --grid 1 --block 32 out:f32[32] a:f32=2 b:f32=3"
"$build/heddle" profile $alike --define HOIST --json > "$tmp/p.json"
HOISTED=$(perl -MJSON::PP -e 'local $/; print decode_json(<>)->{insns}' "$tmp/p.json")
export HOISTED
"$build/heddle" profile $alike --json > "$tmp/p.json"
holds 'my ($b) = grep { ($_->{gain_by} // "") eq "hoist" } @{ $p->{branches} }; $b && abs($b->{gain} - $p->{insns} / $ENV{HOISTED}) < 0.1 && $b->{gain} > 1.3'

# The page has the same numbers, cycles as well.
"$build/heddle" profile $causes --lockstep --lanes 4 --json > "$tmp/p.json"
"$build/heddle" profile $causes --lockstep --lanes 4 -o "$tmp/p.html" || fail 'no page'
perl -MJSON::PP -e 'local $/; open my $j, "<", "$ARGV[0]/p.json"; open my $h, "<", "$ARGV[0]/p.html";
    my ($p, $text) = (decode_json(<$j>), <$h>); my ($data) = $text =~ m{<script type="application/json" id="data">(.*?)</script>}s;
    my $page = decode_json($data)->{profile}; my %is = map { $_->[1] => join " ", @{ $_->[2] }[0 .. 2] } @{ $page->{lines} };
    my %want = map { $_->{number} => "$_->{insns} $_->{lanes} $_->{cycles}" } @{ $p->{lines} };
    exit(keys %want < 5 || join(";", map { "$_ $is{$_}" } sort keys %is) ne join(";", map { "$_ $want{$_}" } sort keys %want))' "$tmp" &&
    ok || fail 'the page has other numbers than the profile'

# A log is as good as the launch; two runs side by side.
"$build/heddle" trace $divergent --json -o "$tmp/k.jsonl"
"$build/heddle" profile $divergent --json > "$tmp/p.json"
"$build/heddle" profile $divergent > "$tmp/p.txt"
"$build/heddle" profile "$tmp/k.jsonl" --json > "$tmp/from_log.json"
"$here/profile_check.pl" "$tmp/from_log.json" "$tmp/p.txt" "$tmp/k.jsonl" && ok || fail 'a profile from a log'
for old in "$tmp/p.json" "$tmp/k.jsonl"; do
    "$build/heddle" profile $divergent --against "$old" --json > "$tmp/d.json"
    perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>); exit !(@{ $d->{lines} } > 5 && !grep { my $l = $_; grep { $l->{$_}[0] != $l->{$_}[1] } qw(insns lost efficiency) } @{ $d->{lines} })' \
        < "$tmp/d.json" && ok || fail "the same run differs from $old"
done
other="${divergent%n:*}n:i32=50"
"$build/heddle" profile $other --mode stack --against "$tmp/p.json" --json > "$tmp/d.json"
"$build/heddle" profile $other --mode stack --json > "$tmp/is.json" || fail 'the other run'
WAS=$(perl -MJSON::PP -e 'local $/; print decode_json(<>)->{insns}' "$tmp/p.json") \
IS=$(perl -MJSON::PP -e 'local $/; print decode_json(<>)->{insns}' "$tmp/is.json") \
perl -MJSON::PP -e 'local $/; my ($all) = grep { $_->{line} eq "all" } @{ decode_json(<STDIN>)->{lines} };
    exit !($all->{insns}[0] == $ENV{WAS} && $all->{insns}[1] == $ENV{IS} && $ENV{WAS} != $ENV{IS})' < "$tmp/d.json" && ok || fail 'one run against another'
expect 0 'divergent.cu:' "$build/heddle" profile $divergent --mode stack --against "$tmp/p.json"

expect 2 'cannot be read' "$build/heddle" profile $divergent --against "$tmp/nothing.json"
head -c 300 "$tmp/p.json" > "$tmp/cut.json"
expect 2 'cut.json: no whole JSON' "$build/heddle" profile $divergent --against "$tmp/cut.json"
echo '{"heddle": "profile", "lines": [{"line": "k.cu:1", "insns": -1, "lanes": 1, "lost": 1}]}' > "$tmp/bad.json"
expect 2 'a count is missing or is none' "$build/heddle" profile $divergent --against "$tmp/bad.json"
echo '{"lines": []}' > "$tmp/bad.json"
expect 2 'no profile' "$build/heddle" profile $divergent --against "$tmp/bad.json"
expect 2 'a commit log has neither' "$build/heddle" profile "$tmp/k.jsonl" --lockstep
expect 2 'cannot be written' "$build/heddle" profile $divergent -o /nonexistent/p.txt
: > "$tmp/none.jsonl"
expect 2 'no commit in it' "$build/heddle" profile "$tmp/none.jsonl"
printf 'profile: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
