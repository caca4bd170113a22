// MUMmer: each thread matches one query, from each of its characters on, in the reference's suffix tree.
// SPDX-License-Identifier: Apache-2.0
// Loop Merge: how far a match goes, and so how often the inner loop turns, depends on the query.
#include "mummer.h"

extern "C" __global__ void mummer(const mum_node *tree, const unsigned char *reference, const unsigned char *queries,
                                  mum_match *out, int length)
{
    int query = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char *q = queries + query * length;
    int node = 0;                                // the whole text down to here matches q[start..]
    SIMT_PREDICT(letter);
    for (int start = 0; start < length; start++) {
        int at = start + tree[node].depth, next = 0, along = 0;  // `along` letters of the edge to `next`
        bool match = true;
        while (match && at < length) {
            SIMT_LABEL(letter);
            if (!next) {
                next = tree[node].child[q[at]];
                match = next != 0;
            }
            if (match) {
                match = reference[tree[next].start + along] == q[at];
                if (match) {
                    at++;
                    if (++along == tree[next].length && tree[next].link >= 0)
                        node = next, next = along = 0;
                    else if (along == tree[next].length)
                        match = false;           // a leaf: the reference ends
                }
            }
        }
        bool reported = at - start >= MUM_SHORTEST;
        out[query * length + start].length = reported ? at - start : 0;
        out[query * length + start].where = reported ? tree[along ? next : node].where : 0;
        node = tree[node].link;
    }
}
