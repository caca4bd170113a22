#!/bin/sh
# How many kernels the shards of a campaign have run so far, by their state files
# (DIR/shard*.state).
# SPDX-License-Identifier: Apache-2.0
# use: done.sh DIR
cat "$1"/shard*.state 2> /dev/null | awk -F'kernels ' '{ n += $2 } END { if (NR) print n }'
