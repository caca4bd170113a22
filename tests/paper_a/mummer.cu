// MUMmer: each thread matches one query, from each of its characters on, in the reference's suffix tree.
// SPDX-License-Identifier: Apache-2.0
// Loop Merge of the two inner loops, nodes on the way down and letters of an edge: edges differ in length.
#include "mummer.h"
extern "C" __global__ void mummer(const mum_node *tree, const unsigned char *reference, const unsigned char *queries,
                                  mum_match *out, int length)
{
    int query = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char *q = queries + query * length;
    int node = 0;                                // the text down to here matches q[start..]
    for (int start = 0; start < length; start++) {
        int at = start + tree[node].depth, along = 0, found = node;  // `along` letters of the edge to `found`
        SIMT_PREDICT(letter);
        while (at < length) {
            int next = tree[node].child[q[at]];
            if (!next)
                break;
            const unsigned char *text = reference + tree[next].start;
            int edge = min(tree[next].length, length - at), n = 0;
            while (n < edge) {
                SIMT_LABEL(letter);
                if (text[n] != q[at + n])
                    break;
                n++;
            }
            at += n;
            along = n;
            found = next;
            if (n < tree[next].length || tree[next].link < 0)
                break;
            node = next;
            along = 0;
        }
        bool reported = at - start >= MUM_SHORTEST;
        out[query * length + start].length = reported ? at - start : 0;
        out[query * length + start].where = reported ? tree[along ? found : node].where : 0;
        node = tree[node].link;
    }
}
