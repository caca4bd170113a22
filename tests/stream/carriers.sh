#!/bin/bash
# Each carrier brings the same stream of our own core: a file, a pipe, lines by DPI; and each task for
# Verilog says its event.
# SPDX-License-Identifier: Apache-2.0
# use: carriers.sh BUILD FOLDER
build=$1 dir=$2
heddle=$build/heddle
rm -rf "$dir" && mkdir -p "$dir" || exit 4
passed=0 failed=0
want() { # STATUS WORDS WHAT COMMAND...
    local status=$1 words=$2 what=$3
    shift 3
    "$@" > "$dir/out" 2>&1
    local got=$?
    if [ $got -eq "$status" ] && { [ -z "$words" ] || grep -qF -- "$words" "$dir/out"; }; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $what: exit status $got, expected $status with \`$words\`:"
        sed 's/^/    /' "$dir/out"
    fi
}
# What a simulator calls for each line, without one (stream/dpi.c).
cat > "$dir/lines.c" <<'END'
#include <stdio.h>
#include <string.h>
void hs_dpi_open(const char *path);
void hs_dpi_line(const char *line);
void hs_dpi_close(void);
int main(int argc, char **argv)
{
    static char line[1 << 14];
    hs_dpi_open(argv[argc - 1]);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        hs_dpi_line(line);
    }
    hs_dpi_close();
    return 0;
}
END
gcc -std=c11 -Wall -Wextra -Werror -o "$dir/lines" "$dir/lines.c" "$build/libstream.a" || exit 1
for mode in barrier stack; do
    launch="tests/kernels/divergent.cu --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100 --mode $mode"
    want 0 'lockstep: equal' "a file, $mode" "$heddle" lockstep $launch --stream "$dir/file.hst"
    want 0 'stream: ok; 4273 instructions' "a file, $mode" "$heddle" stream check "$dir/file.hst"
    # status: the next line reads how it ended
    "$heddle" lockstep $launch --stream - 2> "$dir/words" | cat > "$dir/pipe.hst"
    want 0 'lockstep: equal' 'words beside a pipe' cat "$dir/words"
    want 0 '' "a pipe, $mode" cmp "$dir/file.hst" "$dir/pipe.hst"
    want 0 'stream: ok; 4273 instructions' "a pipe that is checked, $mode" sh -c "'$heddle' lockstep $launch --stream - 2> '$dir/words' | '$heddle' stream check -"
    "$heddle" stream print "$dir/file.hst" > "$dir/file.txt"
    want 0 '' "lines by DPI, $mode" sh -c "'$dir/lines' '$dir/dpi.hst' < '$dir/file.txt'"
    "$heddle" stream print "$dir/dpi.hst" > "$dir/dpi.txt"
    want 0 '' "what came by DPI, $mode" cmp "$dir/file.txt" "$dir/dpi.txt"
done
want 0 'end-of-stream' 'a random kernel by a pipe' sh -c "'$heddle' fuzz --on model --count 1 --stream - --out '$dir' 2> '$dir/words' | '$heddle' stream print -"
sed -i '0,/ mask=/s/ mask=\([0-9a-f]*\)/ mask=\10/' "$dir/file.txt"
want 2 'the header has no end' 'DPI without a header' sh -c "'$dir/lines' '$dir/dpi.hst' < /dev/null"
want 2 'lanes beyond the 32 that there are' 'what DPI refuses' sh -c "'$dir/lines' '$dir/dpi.hst' < '$dir/file.txt'"

iverilog -g2012 -Istream -o "$dir/tasks.vvp" tests/stream/tasks.v && vvp -n "$dir/tasks.vvp" +stream="$dir/tasks.hst" > "$dir/log" || { cat "$dir/log"; exit 1; }
want 0 'stream: ok; 8 instructions' 'a stream of every task' "$heddle" stream check "$dir/tasks.hst"
tasks=$(grep -c '^task hs_' stream/heddle_stream.vh)      # two of them say `issue'
want 0 '' 'every task is called' test "$(grep -oE '^    hs_[a-z_]+\(' tests/stream/tasks.v | sort -u | wc -l)" = "$tasks"
sed '1,/^begin/d; /^end-of-stream/d' "$dir/tasks.hst" > "$dir/tasks.txt"
"$heddle" stream print "$dir/tasks.hst" > "$dir/printed.txt" || exit 1
sed '1,/^begin/d; /^end-of-stream/d' "$dir/printed.txt" > "$dir/again.txt"
want 0 '' 'as many events as calls' test "$(wc -l < "$dir/again.txt")" = "$(grep -cE '^    hs_[a-z_]+\(' tests/stream/tasks.v)"
want 0 '' 'every kind of event' test "$(cut -d' ' -f1 "$dir/again.txt" | sort -u | wc -l)" = $((tasks - 1))
want 0 '' 'an instruction word' grep -q '^issue cycle=12 .* word=cdab3412$' "$dir/again.txt"
want 0 '' 'the 64th lane, the 40th warp' grep -q '^write cycle=4 warp=39 n=0 mask=00000000ffffffff reg=7 val=8000000000000000,8000000000000008,.*,80000000000000f8$' "$dir/again.txt"
echo "stream carriers: $passed passed, $failed failed"
[ $failed -eq 0 ]
