#!/bin/sh
# Loops over the lanes of a region become vector code: of random kernels of machine code, which hold every
# instruction.  Counts of ones and leading zeros may have no vectors on this processor; and of one loop in fifty the
# compiler makes none, or nothing at all: of a comparison that never holds.
# SPDX-License-Identifier: Apache-2.0
# usage: vectors.sh [KERNELS]
heddle=$(realpath "${BUILD:-build}/heddle") || exit 4
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$tmp/bin" "$tmp/said"
# As cc, but it keeps the part of the translation, in the lines where it is, and what the vectorizer says.
cat > "$tmp/bin/cc" <<END
#!/bin/sh
for source; do case \$source in -DPART=*) part=\${source#*=};; esac; done
[ "\$part" ] || exec $(command -v cc) "\$@"
awk -v part=\$part '/^#if PART == / { off = \$4 != part } { print off ? "" : \$0 } /^#endif/ { off = 0 }' \
    "\$source" > "$tmp/said/\$\$.c"
exec $(command -v cc) "\$@" -fopt-info-vec-optimized="$tmp/said/\$\$"
END
chmod +x "$tmp/bin/cc"
PATH="$tmp/bin:$PATH" XDG_CACHE_HOME="$tmp/cache" "$heddle" fuzz --native --on model --level machine --seed 79 \
    --count "${1-30}" --shrink 0 --out "$tmp/out" > "$tmp/log" || { cat "$tmp/log"; exit 1; }
for c in "$tmp"/said/*.c; do
    awk 'FNR == NR { if (/loop vectorized/) { split($1, at, ":"); done[at[2]] = 1 } next }
         /for \(u32 l = 0; l < REGION_LANES; l\+\+\)/ { line = FNR; text = ""; next }
         line && /^    }/ {
             if (text ~ /(popc|clz)\(|WORD\(x/ || text !~ /& ~on|m[0-9]+ \|=/) line = 0
             else if (done[line] || done[line - 1]) print "vectors"
             else print "FAIL: no vectors of:\n" text
             line = 0
         }
         line { text = text $0 "\n" }' "${c%.c}" "$c"
done > "$tmp/loops" 2> "$tmp/err"
vectors=$(grep -c '^vectors' "$tmp/loops")
failed=$(grep -c '^FAIL' "$tmp/loops")
[ $((50 * failed)) -le $vectors ] || grep -v '^vectors' "$tmp/loops" | head -40
cat "$tmp/err"
echo "native vectors: $vectors loops, $failed without"
[ $((50 * failed)) -le $vectors ] && [ $vectors -gt 100 ] && [ ! -s "$tmp/err" ]
