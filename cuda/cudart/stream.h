/* Streams and events, and what of them is recorded.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_CUDART_STREAM_H
#define HD_CUDART_STREAM_H
#include "cuda/cudart/rt.h"

enum { STREAM_ATTRIBUTES = cudaStreamAttributePriority + 1 };
struct CUstream_st {
    unsigned flags;
    int priority;
    bool recorded;
    unsigned long long id;
    struct rt_nodes after;                  /* while it is recorded: what comes next waits for */
    cudaStreamAttrValue attr[STREAM_ATTRIBUTES];
    struct CUstream_st *next;
};
struct CUevent_st {
    unsigned flags;
    bool recorded, captured;
    struct rt_nodes after;                  /* where it was captured: what the stream waited for */
    double when;
    struct CUevent_st *next;
};
extern struct CUstream_st *rt_streams;
extern struct CUevent_st *rt_events;
extern cudaStream_t rt_record_origin;       /* where recording began */
bool rt_stream(cudaStream_t s);             /* it is one */
#endif
