/* The inside of the run time: one device, its modules, buffers and errors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every call of the API holds one lock from begin to end, and does what it asks for before it
 * returns: that is a legal order of streams, whatever streams are. */
#ifndef RT_H
#define RT_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"
#include "compiler/all.h"
#include "cuda/include/cuda_runtime_api.h"

/* What the environment asks for (options.c). */
struct rt_options {
    struct hd_config cfg;
    struct cc_options cc;
    bool report;                 /* a line for each launch */
    bool strict;                 /* a launch that did not end well is the program's status */
    const char *profile, *timeline, *coverage;   /* files; NULL: none */
    const char *only;            /* which launches profile and timeline are of; NULL: all */
    unsigned arch;               /* compute capability that the device shows; 0: its code's */
    uint64_t only_from, only_to; /* by numbers from 1; 0: by how the kernel's name begins */
    /* which launches run as the host's code */
    enum { RT_WHERE_IT_PAYS, RT_INTERPRETED, RT_NATIVELY } native;
    const char *cache;           /* folder; NULL: none */
    char cache_buf[1024];
};

/* PTX that the program brought, and the image that it becomes at first use. */
struct rt_module {
    const void **fatbins;        /* where they lie in the program; NULL: ptx alone */
    size_t nfatbins;
    bool linked;                 /* takes the program's other units, too */
    char *ptx;
    struct hd_image *image;      /* NULL: not compiled yet, or not at all */
    bool tried;
    char *refused;               /* kernels that do not compile, each as `NAME\tWHY\n` */
    struct rt_module *next;
};

/* A kernel as the program knows it. */
struct rt_function {
    const void *host;            /* its stub; of the driver API the handle */
    struct rt_module *module;
    char *name;                  /* as in PTX */
    size_t unit;                 /* of those that were linked, from 1 */
    const struct hd_kernel *kernel;      /* NULL: not looked up yet */
    int max_dynamic;        /* bytes of dynamic shared memory that it may ask for; 0: the default */
    uint64_t launches, insns, active, threads;
    double seconds;
    bool raced;                  /* that lockstep met a race was said */
};

struct rt_var {
    const void *host;
    struct rt_module *module;
    char *name;
    size_t unit;                 /* of those that were linked, from 1 */
    size_t bytes;
    bool managed;           /* host and device see one variable: copied before and after launches */
    bool initial;           /* its initial value is the device's, and the host has not got it yet */
    bool later;                  /* and does not want it before __cudaInitModule */
    struct rt_var *next;
};

/* Device memory, or host memory that the device can have. */
enum rt_kind { RT_DEVICE, RT_MANAGED, RT_HOST };
struct rt_buffer {
    uint64_t addr;               /* as the program sees it; managed and host memory is at this
                                  * address of the host, too */
    size_t bytes;
    uint64_t base;               /* of the device's allocation that holds it */
    enum rt_kind kind;
    bool shared;        /* the device has a copy: managed, or host memory that a kernel was given */
    bool registered;             /* the device cannot have it: the program's own memory, or */
    bool apart;                  /* pinned memory that found no place on the device */
    cudaMemPool_t pool;          /* NULL: none counts it */
    struct rt_block *block;      /* of a graph, which keeps it; NULL: of none */
    struct { bool read_mostly, accessed, prefers, prefetched; int preferred, last; } advice;
    const void *site;            /* who allocated it */
    uint32_t number;             /* of all allocations, from 1 */
};

struct rt {
    hd_device *dev;              /* NULL: not opened yet */
    struct rt_options opt;
    cudaError_t sticky;          /* after a fault every call answers this */
    bool failed, refused, raced; /* a launch ended badly; was refused, and nobody has asked for its
                                  * error since; the third leg found a race */
    struct rt_module *modules;
    struct rt_var *vars;
    struct rt_function **fns;    /* by a hash of host */
    size_t nfns, fns_room;
    struct rt_buffer *buffers;   /* ascending */
    size_t nbuffers;
    uint32_t allocations;
    struct hd_counters total;
    uint64_t launches;
    uint64_t ended[HD_STOPPED + 1];      /* launches by how they ended */
    double seconds;
};
extern struct rt rt;

/* Begin of every call of the API: takes the lock, which goes when the caller returns. */
void rt_lock(void);
void rt_unlock(const int *);
#define RT_HOLD __attribute__((cleanup(rt_unlock), unused)) const int rt_held = (rt_lock(), 0)
/* ... and it ends at once where an earlier fault is sticky. */
#define RT_BEGIN RT_HOLD; do { if (rt.sticky) return rt_error(rt.sticky); } while (0)
/* Remembers an error as the thread's last, and is it. */
cudaError_t rt_error(cudaError_t e);
/* Prints `heddle: SENTENCE` to standard error. */
void rt_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same, and the process ends with this status. */
_Noreturn void rt_die(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* options.c: reads the environment; a bad value ends the process with status 2. */
void rt_options_read(struct rt_options *o);
/* state.c: opens the device where it is not open. */
cudaError_t rt_open(void);
/* device.c: what the open device has room for: warps of all blocks; threads of a block; bytes of
 * shared memory, and of those what a kernel may have that does not ask; registers of all
 * threads. */
struct rt_room { int warps, block, block_z, shared, shared_default, registers; };
struct rt_room rt_room(void);
void rt_name(const char *mangled, char *buf, size_t n);  /* as its source has it */
double rt_now(void);

/* compile.c: hd_compile_some, through the cache. */
struct hd_image *rt_compile(const char *ptx, char **refused, struct hd_err *err);

/* module.c */
struct rt_module *rt_module_new(char *ptx);
struct rt_function *rt_function_new(struct rt_module *m, const void *host, const char *name);
struct rt_function *rt_function(const void *host);
/* The module's kernel of that name, which need not have a stub. */
struct rt_function *rt_function_named(struct rt_module *m, const char *name);
void rt_var_new(struct rt_module *m, const void *host, const char *name, size_t bytes,
                bool managed);
struct rt_var *rt_var(const void *host);
unsigned rt_module_arch(const struct rt_module *m);     /* 80: made for sm_80; at least 70 */
unsigned rt_arch(void);                          /* of the device: HEDDLE_ARCH, or of the newest */
/* Compiles and loads it if need be, and makes its image the one in use. */
cudaError_t rt_module_use(struct rt_module *m);
/* The kernel of a function, its module in use. */
cudaError_t rt_kernel(struct rt_function *f);
/* The variable's place on the device, its module in use. */
cudaError_t rt_var_place(const struct rt_var *v, uint64_t *addr, size_t *bytes);
/* The same for the program, which may copy there: rt_use_constants says whether it is a constant's
 * place, and has its module in use. */
cudaError_t rt_var_address(const struct rt_var *v, uint64_t *addr, size_t *bytes);
bool rt_use_constants(uint64_t addr);
void rt_var_begin(struct rt_var *v);             /* where `initial' is set: copies it to the host */

/* Sizes: their product, or SIZE_MAX where it is larger, for which there is no memory. */
static inline size_t rt_times(size_t a, size_t b)
{
    return b && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* buffers.c */
struct rt_buffer *rt_buffer(uint64_t addr);      /* that holds this address; NULL: none */
/* the nearest, and how far into or past it */
struct rt_buffer *rt_buffer_near(uint64_t addr, int64_t *off);
cudaError_t rt_buffer_new(enum rt_kind kind, size_t bytes, const void *site, void **out);
cudaError_t rt_buffer_register(void *p, size_t bytes, const void *site);
cudaError_t rt_buffer_free(void *p, bool of_host);
/* Host memory that a kernel was given the address of: from now on the device has a copy. */
void rt_buffer_share(uint64_t addr);
cudaError_t rt_shared_out(void);         /* before a launch: the host's contents go to the device */
cudaError_t rt_shared_in(void);                  /* after it: they come back */
/* pool.c: the pool if it is one, of NULL the device's of the moment; NULL: it is none. */
cudaMemPool_t rt_pool(cudaMemPool_t pool);
cudaError_t rt_pool_takes(cudaMemPool_t pool, struct rt_buffer *b);      /* counts it, or is full */
void rt_pool_returns(cudaMemPool_t pool, size_t bytes);
/* array.c: an array lies in device memory, rows without gaps, layers and faces behind each
 * other. */
struct cudaArray {
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent;    /* as it was asked for: height and depth may be 0 */
    unsigned flags;
    size_t element, row, slice, width, height, depth;     /* bytes; elements, at least 1 */
    char *data;
    bool level;                  /* of a mipmap */
    struct cudaArray *next;
};
bool rt_array(cudaArray_const_t a);              /* it is one */
cudaError_t rt_array_new(cudaArray_t *to, const struct cudaChannelFormatDesc *desc,
                         struct cudaExtent n, unsigned flags, const void *site);
cudaError_t rt_array_free(cudaArray_t a);
/* mipmap.c: arrays of one format, each half the size of the one before. */
enum { RT_LEVELS = 17 };         /* of 65536 elements, at most */
struct cudaMipmappedArray {
    unsigned n;
    cudaArray_t level[RT_LEVELS];
    struct cudaMipmappedArray *next;
};
bool rt_mipmap(const struct cudaMipmappedArray *m);      /* it is one */
/* Channels of a format, *bits of each; 0: there is no such format. */
unsigned rt_channels(const struct cudaChannelFormatDesc *d, unsigned *bits);
/* texture.c: a texture object, or a surface object where `how` is NULL. */
struct cudaResourceDesc;
struct cudaTextureDesc;
struct cudaResourceViewDesc;
cudaError_t rt_object_new(unsigned long long *to, const struct cudaResourceDesc *from,
                          const struct cudaTextureDesc *how,
                          const struct cudaResourceViewDesc *view);
/* In which format a view reads; false: in none but the array's own. */
bool rt_view_format(const struct cudaResourceViewDesc *v, struct cudaChannelFormatDesc *d);
cudaError_t rt_object_destroy(unsigned long long handle, bool surface);
/* reference.c */
void rt_reference_new(struct rt_module *m, const void *host, const char *name, bool surface,
                      bool fractions);
/* The host's side of a module's reference; NULL: nothing was registered. */
const void *rt_reference_known(const struct rt_module *m, const char *name, bool surface);
void rt_reference_reads(const void *host, bool fractions);
cudaError_t rt_references_refresh(void);         /* before a launch */
/* The module's references that are bound to nothing, `a` or `b`, for people. */
void rt_references_unbound(const struct rt_module *m, char *buf, size_t n);
/* copy.c: bytes from anywhere to anywhere. */
cudaError_t rt_copy_rows(char *dst, size_t dpitch, const char *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind);
cudaError_t rt_copy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t rt_fill(void *p, int value, size_t bytes);

/* launch.c */
cudaError_t rt_launch(struct rt_function *f, dim3 grid, dim3 block, const void *params,
                      size_t shared);
/* Copies arguments to where the kernel's parameters lie; the block, to be freed.  extra: NULL, or
 * all of them as one block: {RT_EXTRA_BLOCK, block, RT_EXTRA_BYTES, &bytes, RT_EXTRA_END}.  NULL:
 * they are wrong, or there is no memory. */
#define RT_EXTRA_END ((void *)0)
#define RT_EXTRA_BLOCK ((void *)1)
#define RT_EXTRA_BYTES ((void *)2)
void *rt_params(const struct hd_kernel *k, void **args, void **extra);
/* Launches it, or records that. */
cudaError_t rt_launch_in(cudaStream_t s, const void *fn, dim3 grid, dim3 block, void **args,
                         void **extra, size_t shared);
/* children.c: what kernels launch.  Before a grid: tells it which kernels there are.  After it:
 * runs its children, and theirs. */
cudaError_t rt_children_begin(const struct rt_module *m);
cudaError_t rt_children_run(struct rt_module *m);
/* device.c */
size_t rt_limit(enum cudaLimit limit);
/* graph_edges.c: nodes of a graph, each once. */
struct rt_nodes {
    cudaGraphNode_t *all;
    size_t n;
};
cudaError_t rt_nodes_add(struct rt_nodes *to, const cudaGraphNode_t *nodes, size_t n);
void rt_nodes_drop(struct rt_nodes *nodes);
/* stream.c: whether what this stream is given is recorded, not done; and what comes next then
 * waits for these. */
bool rt_stream_recorded(cudaStream_t s);
struct rt_nodes *rt_stream_after(cudaStream_t s);
void rt_record_drop(void);                  /* ends recording without a graph, where there is any */
bool rt_event(cudaEvent_t e);               /* it is one */
cudaError_t rt_event_record(cudaEvent_t e); /* now */
/* graph_record.c: recording, of all streams that take part. */
cudaGraph_t rt_recorded(void);              /* NULL: no stream is */
/* Into this graph, or NULL: a new one. */
cudaError_t rt_record_begin(cudaGraph_t g);
cudaGraph_t rt_record_end(bool *new);
cudaError_t rt_record_kernel(cudaStream_t s, struct rt_function *f, dim3 grid, dim3 block,
                             const void *params, size_t shared);
cudaError_t rt_record_copy(cudaStream_t s, void *dst, const void *src, size_t bytes,
                           enum cudaMemcpyKind how);
cudaError_t rt_record_symbol(cudaStream_t s, void *dst, const void *src, const void *symbol,
                             size_t bytes, size_t offset, enum cudaMemcpyKind how);
cudaError_t rt_record_box(cudaStream_t s, const struct cudaMemcpy3DParms *p);
cudaError_t rt_record_fill(cudaStream_t s, const struct cudaMemsetParams *p);
cudaError_t rt_record_host(cudaStream_t s, cudaHostFn_t call, void *user);
cudaError_t rt_record_event(cudaStream_t s, cudaEvent_t e, bool wait);
cudaError_t rt_record_alloc(cudaStream_t s, void **p, size_t bytes, const void *site);
cudaError_t rt_record_free(cudaStream_t s, void *p);
/* owned.c: what graphs own together, the first member of each.  With its last owner it goes. */
struct rt_owned {
    unsigned owners;
    void (*go)(struct rt_owned *);
};
struct rt_owns {                 /* of one graph */
    struct rt_owned **all;
    size_t n;
};
/* If it cannot, what nobody owns goes. */
cudaError_t rt_own(struct rt_owns *to, struct rt_owned *x);
cudaError_t rt_own_all(struct rt_owns *to, const struct rt_owns *from);
bool rt_disown(struct rt_owns *from, struct rt_owned *x);    /* once; false: it does not own it */
void rt_disown_all(struct rt_owns *o);
/* condition.c: values that kernels set, by which nodes of a graph run its graphs. */
cudaError_t rt_condition_new(struct rt_owns *to, unsigned value, unsigned flags,
                             cudaGraphConditionalHandle *handle);
bool rt_condition(cudaGraphConditionalHandle handle);    /* it is one */
cudaError_t rt_conditions_begin(const struct rt_owns *c);        /* the defaults, at a launch */
cudaError_t rt_condition_value(cudaGraphConditionalHandle handle, unsigned *value);
/* graph_memory.c: what graphs allocate. */
cudaError_t rt_block_new(struct rt_owns *to, size_t bytes, const void *site, void **p);
bool rt_block(const void *p);                            /* one begins there */
cudaError_t rt_block_take(const void *p);                /* allocates it; it must not be, */
cudaError_t rt_block_return(const void *p);              /* and frees it; it must be */
void rt_blocks_return(const struct rt_owns *b);          /* all that are not free */
void rt_blocks_forget(void);                             /* the device is reset */
/* watch.c: what the environment asks for of a launch is written (hd_watch).  False: nothing. */
bool rt_watch_begin(const struct rt_function *f, dim3 grid, dim3 block);
void rt_watch_end(enum hd_status s);             /* where it was true */
void rt_watch_close(void);                       /* after the last launch */
/* progress.c: a line at the terminal while a launch takes long. */
void rt_progress_begin(struct rt_function *f);
void rt_progress_end(void);
/* fault.c: what came of a launch that did not end well, for people; and CUDA's error for it. */
cudaError_t rt_explain(const struct rt_function *f, enum hd_status s, const void *params, dim3 grid,
                       dim3 block, size_t shared);
void rt_show_params(const struct rt_function *f, const void *params);
/* page.c: before a launch, copies what its address in the page would hold; after one that failed,
 * prints that address, or why there is none. */
void rt_page_begin(const struct rt_function *f, const void *params);
void rt_page_say(const struct rt_function *f, const void *params, dim3 grid, dim3 block,
                 size_t shared);
cudaError_t rt_of_status(enum hd_status s);
#endif
