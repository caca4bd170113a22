#!/bin/sh
# Graphs: of copies, children and clones, asked, changed, with conditions and memory; copies in batches; by the driver API, too.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program graphs.cu
passes graphs "$model"
program graph_edges.cu
passes graph_edges "DOT=$tmp/g.dot"
holds 'the drawing of a graph' grep -q 'label="add(int\*, int)' "$tmp/g.dot"
passes graph_edges "DOT=$tmp/g.dot $lockstep"
program batches.cu -lcuda
passes batches "$model"
for p in conditions graph_memory; do
    program $p.cu
    passes $p "$model" "$lockstep"
done
program driver_graph.cu -lcuda
build -ptx $here/driver_kernel.cu -o "$tmp/k.ptx"
for how in HEDDLE=model "$lockstep"; do expect 0 PASS $how "$tmp/driver_graph" "$tmp/k.ptx"; done
finish
