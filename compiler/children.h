/* Launches from kernels: what the library's routines (softlib/children.cu) leave for the host.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An image whose kernels launch others has a `.global` variable CHILDREN_SYMBOL, a struct
 * hd_children.  Before a grid the host fills in the kernels, in ascending order of their entries,
 * how many launches may wait, and how deep the grid is nested.  A launch is a record: struct
 * hd_child, then the kernel's parameters as its image lays them out.  It is reserved by an atomic
 * addition to `used`, and counts once it has a ticket, in whose order launches were made.  When
 * `used` passes CHILDREN_BYTES, that record and all after it are lost, and `error` says so; then
 * nothing is added any more, as `used` would come to 0 again.  After a grid the host runs its
 * children, and sets `used` and `tickets` to 0.
 * The header is for C, and for CUDA C without an SDK. */
#ifndef CHILDREN_H
#define CHILDREN_H
#define CHILDREN_SYMBOL "__hd_children"
enum { CHILDREN_BYTES = 4 << 20, CHILDREN_KERNELS = 4096, CHILDREN_DEPTH = 24 };
struct hd_children_head {
    unsigned used, tickets;
    unsigned most;                       /* launches that may wait */
    unsigned depth;                      /* of the grid: 0 for one that the host launched */
    unsigned error;                      /* the last one, of the grid's threads together */
    unsigned nkernels;
};
struct hd_children {
    struct hd_children_head head;
    struct hd_children_kernel { unsigned entry, params; } kernel[CHILDREN_KERNELS];
    unsigned long long data[CHILDREN_BYTES / 8];
};
struct hd_child {
    unsigned bytes;                      /* a multiple of 16, this included */
    unsigned ticket;                     /* from 1; 0: it was not launched */
    unsigned grid[3], block[3], shared, params;
    unsigned long long stream, function;
    unsigned long long kind;             /* enum below */
};
/* Copies and fills wait for the launches before them: their parameters are struct hd_child_copy. */
enum { CHILD_KERNEL, CHILD_COPY, CHILD_FILL };
struct hd_child_copy { unsigned long long dst, src, bytes; };    /* src: of a fill the byte */
enum { CHILDREN_TAIL = 3 };              /* the stream of what runs after all other children */
#endif
