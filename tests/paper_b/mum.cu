// MUMmer: each thread matches one read, from each of its letters on, in the reference's suffix tree.
// SPDX-License-Identifier: Apache-2.0
// Paper A's mummer with reads that differ in length, too; its annotations are here as well. It does not begin where what is
// left is too short to be reported.
#include "../paper_a/mummer.h"
extern "C" __global__ void mum(const mum_node *tree, const unsigned char *reference, const unsigned char *reads, const int *first,
                               const int *size, mum_match *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int from = first[i], length = size[i], node = 0;        // the text down to the node matches q[start..]
    const unsigned char *q = reads + from;
    for (int start = 0; start <= length - MUM_SHORTEST; start++) {
        int at = start + tree[node].depth, along = 0, found = node;  // `along` letters of the edge to `found`
        SIMT_PREDICT(letter);
        while (at < length) {
            int next = tree[node].child[q[at]];
            if (!next)
                break;
            const unsigned char *text = reference + tree[next].start;
            int edge = min(tree[next].length, length - at), m = 0;
            while (m < edge) {
                SIMT_LABEL(letter);
                if (text[m] != q[at + m])
                    break;
                m++;
            }
            at += m;
            along = m;
            found = next;
            if (m < tree[next].length || tree[next].link < 0)
                break;
            node = next;
            along = 0;
        }
        bool reported = at - start >= MUM_SHORTEST;
        out[from + start].length = reported ? at - start : 0;
        out[from + start].where = reported ? tree[along ? found : node].where : 0;
        node = tree[node].link;
    }
}
