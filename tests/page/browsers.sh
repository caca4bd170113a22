#!/bin/sh
# A browser that does not start, or does not answer, is said to do so, and nothing waits for it.
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/../view/common.sh"
drive() {                       # WORDS PROGRAM: what drives Chromium says of that one
    mkdir -p "$tmp/bin" && { echo '#!/bin/sh'; echo "$2"; } > "$tmp/bin/chromium" && chmod +x "$tmp/bin/chromium"
    expect 1 "$1" env PATH="$tmp/bin:$PATH" timeout 60 node -e "require('./tests/view/chromium.js')('about:blank', () => {}, [], 3)
        .catch((e) => { console.log(e.message); process.exitCode = 1; })"
}
drive 'chromium has ended (1): No usable sandbox!' 'echo "No usable sandbox!" >&2; exit 1'
drive 'chromium does not answer Target.createTarget within 3 s: waiting' 'echo waiting >&2; exec sleep 50'
rm "$tmp/bin/chromium"
expect 1 'chromium has ended (-2): spawn chromium ENOENT' env PATH="$tmp/bin" "$(command -v node)" -e "require('./tests/view/chromium.js')('about:blank', () => {})
    .catch((e) => { console.log(e.message); process.exitCode = 1; })"
echo "browsers: $passed passed, $failed failed"
[ $failed = 0 ]
