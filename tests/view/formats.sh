#!/bin/sh
# Exports, opened by the programs that they are for; JSON, by its schemas; and what is refused.
# SPDX-License-Identifier: Apache-2.0
# use: formats.sh BUILD       KONATA: a checkout of Konata's sources; TRACE_PROCESSOR: Perfetto's trace_processor_shell
build=$1
. "$(dirname "$0")/common.sh"
readers=$build/readers
left=0
not_run() { left=$((left + 1)); echo "NOT RUN formats: $*"; }
NODE_PATH=$(cd "$readers" 2> /dev/null && pwd)/node_modules
export NODE_PATH
look() { if node "$here/formats.js" "$@"; then ok; else fail "$1"; fi; }
export_to() {                   # FORMAT FILE LAUNCH...
    format=$1 file=$2; shift 2
    expect 0 ' commits' "$build/heddle" export "$@" --format "$format" -o "$file"
}
mkdir -p "$build/formats"

# ---- written, read and counted again ----
launch="$here/causes.cu --grid 1 --block 64 data:i32[64]=iota n:i32=20 --lockstep --lanes 4"
divergent='tests/kernels/divergent.cu --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100'
"$build/heddle" profile $launch --json -o "$tmp/k.json" || fail 'no profile'
"$build/heddle" trace $launch --json -o "$tmp/k.jsonl" || fail 'no log'
"$build/heddle" profile $divergent --mode stack --json -o "$tmp/stack.json" || fail 'no profile in stack mode'
"$build/heddle" trace $divergent --mode stack --json -o "$tmp/stack.jsonl" || fail 'no log in stack mode'
for f in perfetto konata speedscope; do export_to $f "$tmp/k.$f" $launch; done
export_to perfetto "$tmp/stack.perfetto" "$tmp/stack.jsonl"
export_to speedscope "$tmp/stack.speedscope" "$tmp/stack.jsonl"
# The schema of a commit has the fields of commit.def, and no others.
perl -MJSON::PP -e 'local $/; open my $d, "<", "cmodel/isa/commit.def"; open my $s, "<", "docs/schema/commit.json";
    my %want = map { $_ => 1 } <$d> =~ /^FIELD\(([^,]+), /mg; my %is = %{ decode_json(<$s>)->{properties} };
    delete @is{qw(text file line function)}; exit(join(" ", sort keys %want) ne join(" ", sort keys %is) || keys %is < 40)' && ok ||
    fail 'docs/schema/commit.json has other fields than commit.def'

if command -v node > /dev/null && [ -d "$readers/node_modules/speedscope" ] && command -v chromium > /dev/null; then
    look schema docs/schema/commit.json "$tmp/k.jsonl" "$tmp/stack.jsonl"
    look schema docs/schema/profile.json "$tmp/k.json" "$tmp/stack.json"
    perl -pe 's/"pc":/"pcs":/' "$tmp/k.jsonl" > "$tmp/bad.jsonl"
    if node "$here/formats.js" schema docs/schema/commit.json "$tmp/bad.jsonl" > /dev/null; then fail 'a wrong record fits the schema'; else ok; fi
    look speedscope "$tmp/k.speedscope" "$tmp/k.json" "$build/formats/speedscope.png"
    look speedscope "$tmp/stack.speedscope" "$tmp/stack.json"
    look trace "$tmp/k.perfetto" "$tmp/k.jsonl" "$build/formats/trace.png"
    look trace "$tmp/stack.perfetto" "$tmp/stack.jsonl"
    look devtools "$tmp/k.perfetto" "$tmp/k.jsonl"
    look devtools "$tmp/stack.perfetto" "$tmp/stack.jsonl"
    sed '/lane 07/d' "$tmp/k.perfetto" > "$tmp/bad.perfetto"
    if node "$here/formats.js" devtools "$tmp/bad.perfetto" "$tmp/k.jsonl" > /dev/null; then fail 'a lane without a name is read'; else ok; fi
    sed 's/"ph": "X"/"ph": "x"/' "$tmp/k.perfetto" > "$tmp/bad.perfetto"
    if node "$here/formats.js" trace "$tmp/bad.perfetto" "$tmp/k.jsonl" > /dev/null; then fail 'wrong events are a trace'; else ok; fi
else
    not_run 'schemas, speedscope and trace events: node, npm and chromium are needed (make deps-readers)'
fi

# ---- Konata: its parser, and the program itself ----
KONATA=${KONATA:-$(ls -d "$readers/konata" 2> /dev/null)}
bundle() { "$readers/node_modules/.bin/esbuild" "$@" --bundle --log-level=error; }
if [ -z "$KONATA" ]; then
    not_run "Konata: set KONATA to a checkout of Konata's sources, or put one into $readers/konata"
elif [ ! -x "$readers/node_modules/.bin/esbuild" ]; then
    not_run 'Konata: make deps-readers'
else
    cp -r "$KONATA/src" "$KONATA/theme" "$KONATA/package.json" "$tmp/" && ln -s "$NODE_PATH" "$tmp/node_modules"
    for m in 'OnikiriParser onikiri_parser' 'FileLineReader file_line_reader' 'ArrayOpStore op_store'; do
        echo "export { ${m% *} } from './src/core/${m#* }';"
    done > "$tmp/parser.ts"
    bundle "$tmp/parser.ts" --platform=node --format=cjs --outfile="$tmp/parser.js" && look konata "$tmp/parser.js" "$tmp/k.konata" "$tmp/k.json"
    sed 's/^R.*//' "$tmp/k.konata" > "$tmp/bad.konata"
    if node "$here/formats.js" konata "$tmp/parser.js" "$tmp/bad.konata" "$tmp/k.json" > /dev/null; then fail 'nothing retires, and Konata likes it'; else ok; fi
    mkdir "$tmp/app"
    # shellcheck disable=SC2046
    bundle "$tmp/src/index.tsx" --format=iife --jsx=automatic --outfile="$tmp/app/app.js" '--define:process.env.NODE_ENV="production"' \
        $(for d in VERSION COMMIT COMMIT_DATE LICENSE THIRD_PARTY_LICENSES; do echo "--define:__KONATA_${d}__=\"\""; done)
    printf '<!doctype html><meta charset=utf-8><link rel=stylesheet href=app.css><body><div id=konata-root></div><script src=app.js></script>' \
        > "$tmp/app/index.html"
    look konata-app "$tmp/app" "$tmp/k.konata" "$build/formats/konata.png"
fi

# ---- Perfetto's trace processor ----
processor=${TRACE_PROCESSOR:-$(command -v trace_processor_shell)}
if [ "$processor" ]; then look processor "$tmp/k.perfetto" "$tmp/k.jsonl" "$processor"
else not_run "Perfetto's trace processor: set TRACE_PROCESSOR to trace_processor_shell"; fi

# ---- refused ----
expect 2 '--format is missing' "$build/heddle" export $divergent -o "$tmp/x"
expect 2 '-o FILE is missing' "$build/heddle" export $divergent --format perfetto
expect 2 'is not one of its values' "$build/heddle" export $divergent --format gnuplot -o "$tmp/x"
expect 2 'add --lockstep' "$build/heddle" export $divergent --format konata -o "$tmp/x"
expect 2 'add --lockstep' "$build/heddle" export "$tmp/k.jsonl" --format konata -o "$tmp/x"
expect 2 'has run already' "$build/heddle" export "$tmp/k.jsonl" --format perfetto --lockstep -o "$tmp/x"
expect 2 'cannot be written' "$build/heddle" export $divergent --format perfetto -o /nonexistent/x
head -c 100 "$tmp/k.jsonl" > "$tmp/cut.jsonl"
expect 2 'cut.jsonl:1: this line is no commit' "$build/heddle" export "$tmp/cut.jsonl" --format perfetto -o "$tmp/x"
[ ! -e "$tmp/x" ] && ok || fail 'a file after a refusal'
printf 'formats: %d passed, %d failed; %d readers not run\n' $passed $failed $left
[ $failed = 0 ]
