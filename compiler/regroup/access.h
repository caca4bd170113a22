/* Layout: buffers whose elements can change places instead of the threads.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Data layout transformation, section III-A of paper B: the host hands thread i the element of
 * thread D[i], the kernel stays as it is and its loads coalesced.  g is a thread's global id,
 * ctaid.x * ntid.x + tid.x. */
#ifndef ACCESS_H
#define ACCESS_H
#include "compiler/all.h"

/* How a kernel's accesses to the buffer of a parameter depend on g: not at all; at S·g + r, 0 <= r
 * < S; or at E·(j·N + g) + r, 0 <= r < E, with any j and the same N in all threads. */
enum access_form { ACCESS_FREE, ACCESS_ELEMENT, ACCESS_STRIDED };
/* Where N comes from: a 32-bit parameter's number, or the launch: threads of the grid. */
enum { ACCESS_GRID = -1 };
struct access_buffer {
    enum access_form form; bool used, written;
    int64_t size;                /* S or E, bytes */
    int rows;                    /* of ACCESS_STRIDED: where N comes from */
};
/* A comparison of g, or of j·N + g, with a 32-bit parameter: threads on one side do other work than
 * those on the other. */
struct access_bound { int param; bool strided; int rows; };
enum { ACCESS_BOUNDS = 8 };
struct access {
    int nparams; struct access_buffer *buffer;       /* by parameter; access_free */
    int nbounds; struct access_bound bound[ACCESS_BOUNDS];
    /* a run must show that accesses stay in the thread's own elements: layout_allows */
    bool unsure;
};

/* access.c: of a kernel (NULL: the only one) of PTX text.  False and err: layout can't change who
 * does what, with line and reason.  show: every access, a line each; NULL: nowhere. */
bool access_find(const char *path, const char *text, size_t len, const char *kernel,
                 struct access *, FILE *show, struct hd_err *);
void access_free(struct access *);
/* --show=access of a kernel: every access, and which buffers layout can change or why none. */
void access_show(const struct module *, const char *kernel, FILE *);

/* layout.c: of a launch.  By parameter: the value of a 32-bit one, or the address that a 64-bit one
 * holds, and the bytes of the buffer there (0: it is none). */
struct layout { const struct access *x; uint64_t threads; const uint64_t *value, *bytes; };
/* May threads take each other's elements, as far as the launch decides?  False and err: two
 * parameters are one buffer, or one is none. */
bool layout_launch(const struct layout *, struct hd_err *);
/* And as d says?  False and err: d takes a thread across a bound, or across a buffer's end. */
bool layout_check(const struct layout *, const uint32_t *d, struct hd_err *);
/* Makes d legal: threads on a side stay there.  Groups of 32 that are of one side stay together.
 * part: threads also stay in their part of so many, 0: anywhere.  False: no memory. */
bool layout_fit(const struct layout *, uint32_t *d, uint32_t part);
/* Elements of the buffer of parameter p change places: to[i] = from[d[i]], or, back, to[d[i]] =
 * from[i]. */
void layout_move(const struct layout *, int p, const uint32_t *d, const void *from, void *to,
                 bool back);
/* The address of an access of `thread` when its elements are at `place`. */
uint64_t layout_address(const struct layout *, uint32_t thread, uint32_t place, uint64_t addr);
/* An access of thread g to so many bytes: -1: it is in the thread's own elements, or in no buffer
 * that moves; else the parameter whose buffer it is in. */
int layout_allows(const struct layout *, uint64_t g, uint64_t addr, unsigned bytes);
#endif
