#!/bin/sh
# A recorded stream gives the verdict again; a damaged one gives none; a board that is silent, is none of ours, or is
# not there says so, and soon.
# SPDX-License-Identifier: Apache-2.0
# use: link.sh HEDDLE DAMAGE WRONG...      WRONG: HEDDLE with a planted bug
set -e
heddle=$1
damage=$2
shift 2
dir=$(dirname "$heddle")/link
mkdir -p "$dir"
launch="tests/board/short.s --grid 1 --block 32 out:u32[32] --board-digest 4 --stream $dir/new.hst"
fail() { echo "link.sh: $1"; exit 1; }

# ---- what was recorded ----
$heddle lockstep $launch --board sim: --board-record "$dir/short.board" > "$dir/out" || fail "$(cat "$dir/out")"
tail -1 "$dir/out" > "$dir/live"
mv "$dir/new.hst" "$dir/live.hst"
$heddle lockstep $launch --board "file:$dir/short.board" > "$dir/out" || fail "$(cat "$dir/out")"
tail -1 "$dir/out" > "$dir/again"
cmp "$dir/live" "$dir/again" || fail "the recording has another verdict"
cmp "$dir/new.hst" "$dir/live.hst" || fail "the recording gives another stream"
grep -q '^lockstep: equal; .*clock reads 1$' "$dir/live" || fail "$(cat "$dir/live")"
$damage "$dir/short.board" tests/board/short.s

# ---- a host whose rule is another ----
several="tests/kernels/divergent.cu --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100"
$heddle lockstep $several --board sim: --board-record "$dir/several.board" > "$dir/out" || fail "$(cat "$dir/out")"
for host in "$heddle" "$@"; do
    status=0
    "$host" lockstep $several --board "file:$dir/several.board" > "$dir/out" 2>&1 || status=$?
    [ "$host" = "$heddle" ] && want='0 lockstep: equal' || want='2 .*it expects other warps'
    (echo $status; tail -1 "$dir/out") | tr '\n' ' ' | grep -q "^$want" || fail "$host: $status, $(cat "$dir/out")"
done

# ---- over a socket ----
# $1: what it sends; sets $port
serve() {
    rm -f "$dir/port"
    tests/board/serve.pl "$1" "$dir/port" &
    for try in $(seq 1200); do [ -s "$dir/port" ] || sleep 0.05; done
    port=$(cat "$dir/port")
}
serve "$dir/short.board"
$heddle lockstep $launch --board "tcp:127.0.0.1:$port" > "$dir/out" || fail "tcp: $(cat "$dir/out")"
tail -1 "$dir/out" | cmp - "$dir/live" || fail "a socket has another verdict"

# ---- what is no board ----
# $1: the link, $2: what must be said
refused() {
    start=$(date +%s%N)
    ! timeout 60 $heddle lockstep $launch --board "$1" > "$dir/out" 2>&1 || fail "$1: a verdict"
    took=$((($(date +%s%N) - start) / 1000000))
    grep -q "$2" "$dir/out" || fail "$1: not \`$2': $(cat "$dir/out")"
    [ $took -lt 20000 ] || fail "$1: $took ms"       # 1.5 s and, beside other work, what that takes
}
refused "file:$dir/none" 'No such file'
refused 'usb:1' 'is no link'
refused 'sim:stall' 'stall=SEED'
refused 'tty:/dev/null@7' 'no line has 7 baud'
refused 'tcp:127.0.0.1:1' 'refused'
: > "$dir/empty"
refused "file:$dir/empty" 'it ends'
head -c 300000 /dev/zero > "$dir/zeros"
refused "file:$dir/zeros" "no board's"
serve "$dir/empty"
refused "tcp:127.0.0.1:$port" 'it is silent'
mkfifo "$dir/silent" 2> "$dir/out" || :
refused "tty:$dir/silent" 'silent\|it takes no bytes'

# ---- another version, another configuration: the first answer's bytes, with its checksum made right ----
# $1: which byte of the payload, $2: what must be said, $3: of which stream, if another
other() {
    perl -MCompress::Zlib=crc32 -e '
        my ($file, $at) = @ARGV; local $/; open my $in, "<:raw", $file or die; my $s = <$in>;
        my $frame = substr $s, 0, 25; substr($frame, 5 + $at, 1) ^= "\x41";
        substr($frame, 21) = pack "V", crc32(substr $frame, 1, 20);
        print $frame, substr $s, 25' "${3:-$dir/short.board}" "$1" > "$dir/other"
    [ -n "${3:-}" ] || refused "file:$dir/other" "$2"
}
other 1 'version 66, this is version 3'
other 2 'no board can be of 69 lanes'
other 3 'no board can be of'
other 8 'instruction set is another'
other 12 'commit record is another'

# ---- a board without whole records, and a difference ----
launch="tests/kernels/exits.cu --grid 2 --block 96 out:u32[192] n:u32=64"
bug=$(grep -nx 'rtl-branch-equal-taken' "$(dirname "$heddle")/tree/mutants.list" | cut -d: -f1)
HEDDLE_MUTANT=$bug $heddle lockstep $launch --board sim: --board-record "$dir/bug.board" > "$dir/out" 2>&1 && fail "$(cat "$dir/out")"
other 5 '' "$dir/bug.board"
serve "$dir/other"
refused "tcp:127.0.0.1:$port" 'a digest of commits [0-9]* to [0-9]* differs; this board sends no whole records'
echo "link: recordings, silence, versions"
