#!/bin/sh
# Every file that heddle writes: refused before the work where it cannot be written, replaced as a
# whole where it can, devices and links written through, nothing left beside it; a full disk and a
# file-size limit are errors with a name.
# SPDX-License-Identifier: Apache-2.0
heddle=$(realpath "${BUILD:-build}")/heddle
. tests/fail/begin.sh || exit 4
trap 'umount "$tmp/small" 2> /dev/null; rm -rf "$tmp"' EXIT
export TMPDIR="$tmp/work"
mkdir "$TMPDIR" "$tmp/d" "$tmp/e" "$tmp/small"

# What all of them start from.
k=tests/kernels/divergent.cu
launch="--grid 1 --block 32 data:f32[32]=rand:1 steps:i32[32] n:i32=32 --lanes 4"
"$heddle" cc $k -o "$tmp/k.hx" && "$heddle" cc $k -S -o "$tmp/k.s" || exit 1
"$heddle" run "$tmp/k.hx" $launch --coverage "$tmp/k.cov" > "$tmp/out" || exit 1
merge="tests/silicon/specrec/merge_48_8.ptx --kernel k --grid 1 --block 32 po:u32[128]=zero pn:u32=8"
sed '/simt/d' tests/silicon/specrec/merge_48_8.ptx > "$tmp/merge.ptx"

# One writer a line: @ is where it writes.
writers="cc cc-S as dis trace json dump save bbv fit order cover sum resume wave lockstep"
write() {
    case $1 in
    cc) set -- cc "$tmp/merge.ptx" -o "$2" ;;
    cc-S) set -- cc "$tmp/merge.ptx" -S -o "$2" ;;
    as) set -- as "$tmp/k.s" -o "$2" ;;
    dis) set -- dis "$tmp/k.hx" -o "$2" ;;
    trace) set -- trace "$tmp/k.hx" $launch -o "$2" ;;
    json) set -- trace "$tmp/k.hx" $launch --json -o "$2" ;;
    dump) set -- run "$tmp/k.hx" $launch --dump "data=$2" ;;
    save) set -- profile "$tmp/merge.ptx" ${merge#* } --save "$2" ;;
    bbv) set -- bbv "$tmp/merge.ptx" ${merge#* } -o "$2" ;;
    fit) set -- bbv "$tmp/k.hx" $launch --fit "$2" ;;
    order) set -- regroup "$tmp/merge.ptx" ${merge#* } --by sorting --save "$2" ;;
    cover) set -- run "$tmp/k.hx" $launch --coverage "$2" ;;
    sum) set -- coverage "$tmp/k.cov" -o "$2" ;;
    resume) set -- fuzz --count 1 --level machine --lanes 4 --resume "$2" ;;
    wave) set -- wave "$tmp/k.hx" $launch -o "$2" ;;
    lockstep) set -- lockstep "$tmp/k.hx" $launch -o "$2" ;;
    esac
    said=$( (ulimit -f $limit; exec timeout -s KILL 20 "$heddle" "$@") 2>&1)     # no file: the limit holds for it, too
    got=$?
    printf '%s\n' "$said" > "$tmp/out"
    return $got
}
limit=unlimited                                          # blocks of 512 bytes

# clean WHAT: neither a temporary file nor a folder of the compiler is left.
clean() {
    left=$(find "$tmp" -name '.heddle-*' -o -path "$TMPDIR/*")
    [ -z "$left" ] && ok || { bad "$1 leaves $left"; find "$tmp" -name '.heddle-*' -delete; }
}
# refused WRITER PATH 'REASON': status 2 and the path with the reason, in time.
refused() {
    write "$1" "$2"
    got=$?
    if [ $got -eq 2 ] && grep -qF "$2: cannot be written: $3" "$tmp/out"; then ok; else
        bad "$1 to $2: exit status $got, expected 2 with \`$3\`:"
    fi
    clean "$1 to $2"
}
# written WRITER PATH FILE: it ends well, and FILE holds what it should.  (A waveform has the date
# in it.)
written() {
    write "$1" "$2"
    got=$?
    case $1 in wave) size=$(wc -c < "$3"); [ "$size" -gt 1000 ] ;; *) cmp -s "$3" "$tmp/ref.$1" ;; esac
    same=$?
    if [ $got -eq 0 ] && [ $same -eq 0 ]; then ok; else bad "$1 to $2: exit status $got, $3 is not what it should be:"; fi
    clean "$1 to $2"
}

for w in $writers; do
    refused $w "$tmp/nowhere/f" 'No such file or directory'
    [ $w = resume ] || refused $w "$tmp/d" 'Is a directory'      # its state is read before
    refused $w /proc/f 'No such file or directory'       # where not even root can
    [ $w = lockstep ] && continue                        # writes only when it finds a difference

    write $w "$tmp/ref.$w" || bad "$w:"
    clean $w
    ln -sf /dev/full "$tmp/d/full"
    [ $w = resume ] || refused $w "$tmp/d/full" 'No space left on device'
    [ -L "$tmp/d/full" ] && [ -c /dev/full ] && ok || bad "$w replaces a device or the link to it"
    rm -f "$tmp/d/"* "$tmp/e/"*
    ln -s ../e/f "$tmp/d/link"                           # leads nowhere yet
    written $w "$tmp/d/link" "$tmp/e/f"
    [ -L "$tmp/d/link" ] && ok || bad "$w replaces a link"

    # What follows begins with a file that is there, and that it would not do to lose.
    [ $w = wave ] && continue
    rm -f "$tmp/d/"* "$tmp/e/"*
    case $w in cover|sum|resume) old=/dev/null ;; *) old=$tmp/k.s ;; esac
    cp $old "$tmp/d/f" && chmod 600 "$tmp/d/f" && ln "$tmp/d/f" "$tmp/e/other"
    [ $w = resume ] && rm "$tmp/d/f" "$tmp/e/other" && touch "$tmp/e/other" && ln -s ../e/g "$tmp/d/f"
    written $w "$tmp/d/f" "$tmp/d/f"
    [ $w = resume ] || { cmp -s "$tmp/d/f" "$tmp/e/other" && ok || bad "$w replaces one of two names of a file"; }
    [ $w = resume ] || { [ "$(stat -c %a "$tmp/d/f")" = 600 ] && ok || bad "$w changes the mode of a file"; }
    cp "$tmp/ref.$w" "$tmp/e/whole"
    limit=0
    refused $w "$tmp/e/whole" 'File too large'
    limit=unlimited
    cmp -s "$tmp/e/whole" "$tmp/ref.$w" && ok || bad "$w under a file-size limit destroys the file of before"
    case $w in cover|sum|resume) continue ;; esac        # these read it, too
    mkfifo "$tmp/d/fifo"
    timeout 20 cat "$tmp/d/fifo" > "$tmp/piped" &
    write $w "$tmp/d/fifo" && wait $! && cmp -s "$tmp/piped" "$tmp/ref.$w" && [ -p "$tmp/d/fifo" ] && ok ||
        bad "$w into a pipe:"
done

# A waveform's own ways: its files are in memory before, so a limit is met in several places.
for limit in 1 20 200; do
    refused wave "$tmp/d/f.fst" 'File too large'
    [ -e "$tmp/d/f.fst" ] && bad "half a waveform"
done
limit=unlimited
(ulimit -n 13; write wave "$tmp/d/f.fst"; [ $? -eq 2 ]) 2> /dev/null && ok || bad "a waveform without descriptors:"
clean "a waveform without descriptors"
write wave "$tmp/d/f.fst" && grep -q "^.dumpfile. \"$tmp/d/f.fst\"" "$tmp/d/f.gtkw" && ok || bad "no view:"
"$heddle" wave "$tmp/k.hx" $launch --around cycle:1000000 -o "$tmp/d/late.fst" > "$tmp/out" 2>&1
[ $? -eq 2 ] && grep -q 'the grid had ended before' "$tmp/out" && [ ! -e "$tmp/d/late.fst" ] && ok ||
    bad "a window that is never reached:"

# A window from the grid's first cycle on shows how its first block is placed, and nothing of the
# cycles before it.
"$heddle" wave "$tmp/k.hx" $launch --around cycle:100 --window 400 -o "$tmp/d/start.fst" > "$tmp/out" 2>&1 &&
    [ "$(wc -l < "$tmp/out")" -eq 2 ] && ok || bad "a window from cycle 0 on says more than its name:"
if command -v fst2vcd > /dev/null; then
    fst2vcd "$tmp/d/start.fst" 2> /dev/null > "$tmp/start.vcd"
    id=$(awk '$1 == "$var" && $5 == "p_valid" { print $4; exit }' "$tmp/start.vcd")
    [ "$(grep -m1 '^#' "$tmp/start.vcd")" = '#0' ] && awk -v id="$id" '/^#/ { now = substr($1, 2) + 0 }
        $1 == "1" id && now < 100 { on = 1 } END { exit !on }' "$tmp/start.vcd" && ok || bad "no block starts in the waveform"
fi

# A full disk, where we may mount one.
if mount -t tmpfs -o size=16k tmpfs "$tmp/small" 2> /dev/null; then
    for w in $writers; do
        case $w in lockstep|resume|save|bbv|fit|order|dump) continue ;; esac
        head -c 1000000 /dev/zero > "$tmp/small/fill" 2> /dev/null
        refused $w "$tmp/small/f" 'No space left on device'
        [ -e "$tmp/small/f" ] && bad "$w on a full disk leaves a file"
    done
    TMPDIR=$tmp/small "$heddle" cc $k -o "$tmp/d/k.hx" > "$tmp/out" 2>&1
    [ $? -eq 2 ] && grep -q 'No space left on device' "$tmp/out" && ok || bad "no room for the compiler's files:"
    rm "$tmp/small/fill"
    clean "a full disk"
else
    echo "files: a full disk was not tried: no file system may be mounted here"
fi

# Standard output as a file, closed, or cut off.
"$heddle" trace "$tmp/k.hx" $launch > "$tmp/plain"
"$heddle" trace "$tmp/k.hx" $launch -o /dev/stdout > "$tmp/through" && cmp -s "$tmp/plain" "$tmp/through" && ok ||
    bad "-o /dev/stdout:"
for c in "run $tmp/k.hx $launch" "lockstep $tmp/k.hx $launch" "trace $tmp/k.hx $launch" "dis $tmp/k.hx" --help; do
    "$heddle" $c >&- 2> "$tmp/out"
    [ $? -eq 2 ] && grep -q 'cannot be written' "$tmp/out" && ok || bad "heddle $c with closed output:"
    "$heddle" $c <&- >&- 2>&-
    [ $? -eq 2 ] && ok || bad "heddle $c with nothing open"
    # Through a pipe whose reader has closed it: quiet, and not the status of success (status: in a file).
    got=$({ sleep 0.2; timeout -s KILL 20 "$heddle" $c 2> "$tmp/out"; echo $? > "$tmp/status"; } | :; cat "$tmp/status")
    [ "$got" -eq 141 ] && [ ! -s "$tmp/out" ] && ok || bad "heddle $c | : has exit status $got:"
done
"$heddle" cc $k -o "$tmp/d/closed.hx" >&- 2>&- <&-
cmp -s "$tmp/d/closed.hx" "$tmp/k.hx" && ok || bad "cc with nothing open: not the image"

echo "files: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
