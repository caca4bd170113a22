#!/bin/sh
# Every planted bug still applies to the sources; no patch at all, and one that changes nothing, is
# a failure.
# SPDX-License-Identifier: Apache-2.0
# use: apply.sh PATCH...     (in the tree that they are for)
[ $# -gt 0 ] || { echo "mutants: there is no patch"; exit 1; }
for p; do
    changes=$(git apply --numstat "$p" 2> /dev/null | wc -l)
    if [ "$changes" -eq 0 ] || ! git apply --check --whitespace=nowarn "$p"; then
        echo "$p no longer applies"
        exit 1
    fi
done
echo "mutants: $# patches apply"
