#!/bin/bash
# The shell of a part of the tests: notes how long each of its commands takes, or runs none of them
# if the part has not begun when the time is over.
# SPDX-License-Identifier: Apache-2.0
# use: part.sh DIR/PART -c COMMAND
# Adds a line `seconds user system` to DIR/PART.  Descriptor 9 is tests/parts.sh's output.
part=$1
[ -d "${part%/*}" ] || exec /bin/sh -c "$3"
if [ ! -e "$part" ]; then
    read -r end < "${part%/*}/.end"
    if [ "$end" -gt 0 ] && [ "$(date +%s)" -ge "$end" ]; then
        echo late > "$part"
    else
        : > "$part"
        { echo "    ${part##*/} ..." >&9; } 2> /dev/null
    fi
fi
[ "$(head -c 4 "$part")" != late ] || exit 0
TIMEFORMAT='%R %U %S'
{ time /bin/sh -c "$3" 2>&8; } 8>&2 2>> "$part"
