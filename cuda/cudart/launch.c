/* Launches: <<<>>>, cudaLaunchKernel, and what is asked about kernels.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/rt.h"


/* ---- <<<>>>: the configuration waits for the stub, of each thread ---- */

struct config { dim3 grid, block; size_t shared; struct CUstream_st *stream; };
enum { DEPTH = 16 };
static _Thread_local struct config stack[DEPTH];
static _Thread_local unsigned depth;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     struct CUstream_st *stream)
{
    if (depth == DEPTH)
        return 1;
    stack[depth++] = (struct config){ grid, block, shared, stream };
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (!depth)
        return rt_error(cudaErrorMissingConfiguration);
    const struct config *c = &stack[--depth];
    *grid = c->grid, *block = c->block, *shared = c->shared;
    memcpy(stream, &c->stream, sizeof c->stream);
    return cudaSuccess;
}

/* ---- launching ---- */

void *rt_params(const struct hd_kernel *k, void **args, void **extra)
{
    const void *whole = NULL;
    size_t bytes = 0;
    for (; extra && *extra != RT_EXTRA_END; extra += 2)
        if (*extra == RT_EXTRA_BLOCK)
            whole = extra[1];
        else if (*extra == RT_EXTRA_BYTES)
            bytes = *(size_t *)extra[1];
    if (whole ? bytes > k->params_size : !args && k->nparams)
        return NULL;
    uint8_t *block = calloc(1, (size_t)k->params_size + 1);
    if (block && whole)
        memcpy(block, whole, bytes);
    for (uint32_t i = 0; block && !whole && i < k->nparams; i++)
        memcpy(block + k->params[i].off, args[i], k->params[i].size);
    return block;
}

/* Host memory whose address is among the parameters becomes the device's, too. */
static void share_hosts(const void *params, uint32_t bytes)
{
    for (uint32_t off = 0; off + 8 <= bytes; off += 4) {
        uint64_t word;
        memcpy(&word, (const char *)params + off, sizeof word);
        rt_buffer_share(word);
    }
}

static cudaError_t check(const struct rt_function *f, dim3 grid, dim3 block, size_t shared)
{
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    const struct rt_room room = rt_room();
    const unsigned most_threads = (unsigned)room.block;
    size_t most = (size_t)(f->max_dynamic ? room.shared : room.shared_default);
    if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535 ||
        !threads || block.x > most_threads || block.y > most_threads ||
        block.z > (unsigned)room.block_z || threads > most_threads)
        return cudaErrorInvalidConfiguration;
    if (f->kernel->max_threads && threads > f->kernel->max_threads)
        return cudaErrorInvalidValue;
    return shared + f->kernel->shared > most ? cudaErrorInvalidValue : cudaSuccess;
}

/* A launch that was refused, until the program asks for its error. */
static cudaError_t refused(cudaError_t e)
{
    rt.refused |= e != cudaSuccess;
    return e;
}

/* What other orders may make of it: by each thread alone, where that was asked for; else what
 * lockstep met, once of each kernel. */
static void say_race(struct rt_function *f)
{
    char text[900], name[300];
    bool raced = rt.opt.cfg.third_leg && hd_get_third(rt.dev) == HD_THIRD_RACE;
    rt_name(f->name, name, sizeof name);
    if (raced)
        rt_say("kernel `%s`: a race", name);
    if (raced || (rt.opt.cfg.third_leg && rt.opt.report))
        hd_show_third(rt.dev, stderr);
    if (!raced && !f->raced && hd_get_race(rt.dev, text, sizeof text)) {
        rt_say("kernel `%s`: %s", name, text);
        f->raced = true;
    }
    rt.raced |= raced;
}

static void add(struct rt_function *f, enum hd_status s, double seconds)
{
    const struct hd_counters *n = hd_get_counters(rt.dev);
    rt.launches++;
    if (s <= HD_STOPPED)
        rt.ended[s]++;
    rt.seconds += seconds;
    rt.total.warp_insns += n->warp_insns;
    rt.total.active_lanes += n->active_lanes;
    rt.total.fields_compared += n->fields_compared;
    rt.total.overridden += n->overridden;
    rt.total.clock_reads += n->clock_reads;
    f->launches++;
}

static void report(const struct rt_function *f, enum hd_status s, dim3 grid, dim3 block,
                   double seconds)
{
    static const char *const words[HD_STOPPED + 1] = {
        [HD_OK] = "equal",
        [HD_FAULT] = "equal, ended by a fault",
        [HD_DEADLOCK] = "equal, deadlock of the program",
        [HD_LIMIT] = "equal up to the limit"
    };
    char name[300], board[300];
    const struct hd_counters *n = hd_get_counters(rt.dev);
    rt_name(f->name, name, sizeof name);
    rt_say(
        "launch %llu: %s<<<(%u,%u,%u), (%u,%u,%u)>>>: cycles %llu, warp instructions %llu, SIMT "
        "efficiency %.1f%%, "
        "%.3f s",
        (unsigned long long)rt.launches, name, grid.x, grid.y, grid.z, block.x, block.y, block.z,
        (unsigned long long)n->cycles, (unsigned long long)n->warp_insns,
        n->warp_insns ? 100.0 * (double)n->active_lanes / 32 / (double)n->warp_insns : 0.0,
        seconds);
    if (hd_get_board(rt.dev, board, sizeof board))
        rt_say("launch %llu: board: %s", (unsigned long long)rt.launches, board);
    if (rt.opt.cfg.kind == HD_LOCKSTEP)
        rt_say(
            "launch %llu: lockstep: %s; compared %llu fields in %llu commits, overrode %llu, "
            "clock reads %llu",
            (unsigned long long)rt.launches, words[s], (unsigned long long)n->fields_compared,
            (unsigned long long)n->warp_insns, (unsigned long long)n->overridden,
            (unsigned long long)n->clock_reads);
}

/* What the kernel printed; *asserted: an assertion failed. */
static void print(bool *asserted)
{
    char *text = NULL;
    size_t n = 0;
    FILE *err = open_memstream(&text, &n);
    if (!err)
        return;
    hd_print(rt.dev, stdout, err);
    fclose(err);
    *asserted = strstr(text, " Assertion `") != NULL;
    if (n) {
        fflush(stdout);
        fputs(text, stderr);
    }
    free(text);
}

/* Once: where HEDDLE_NATIVE asks for more, why a launch was interpreted. */
static void say_interpreted(void)
{
    static bool said;
    if (hd_native_why(rt.dev) && !said)
        rt_say("HEDDLE_NATIVE: interpreted: %s", hd_native_why(rt.dev));
    said |= hd_native_why(rt.dev) != NULL;
}

cudaError_t rt_launch(struct rt_function *f, dim3 grid, dim3 block, const void *params,
                      size_t shared)
{
    struct hd_launch l = { .kernel = f->kernel->name,
                           .grid = { grid.x, grid.y, grid.z },
                           .block = { block.x, block.y, block.z },
                           .shared_bytes = (uint32_t)shared,
                           .params = params,
                           .params_size = f->kernel->params_size };
    cudaError_t e = check(f, grid, block, shared);
    if (e != cudaSuccess) {
        char name[300];
        rt_name(f->name, name, sizeof name);
        rt_say("%s<<<(%u,%u,%u), (%u,%u,%u), %zu>>>: %s", name, grid.x, grid.y, grid.z, block.x,
               block.y, block.z, shared, cudaGetErrorString(e));
        rt_show_params(f, params);
        return refused(e);
    }
    share_hosts(params, f->kernel->params_size);
    if ((e = rt_references_refresh()) != cudaSuccess || (e = rt_shared_out()) != cudaSuccess ||
        (e = rt_module_use(f->module)) != cudaSuccess ||
        (e = rt_children_begin(f->module)) != cudaSuccess)
        return refused(e);
    rt_page_begin(f, params);
    bool watched = rt_watch_begin(f, grid, block);
    rt_progress_begin(f);
    double begin = rt_now();
    enum hd_status s = hd_launch_grid(rt.dev, &l);
    double seconds = rt_now() - begin;
    rt_progress_end();
    say_interpreted();
    bool asserted = false;
    /* otherwise the device's error is needed before */
    bool first = s == HD_OK || hd_get_fault(rt.dev);
    add(f, s, seconds);
    if (watched)
        rt_watch_end(s);
    if (first)
        print(&asserted);
    bool said = s <= HD_STOPPED && (rt.opt.report || rt.opt.cfg.kind == HD_LOCKSTEP);
    rt.failed |= s != HD_OK && s <= HD_STOPPED;
    if (s <= HD_STOPPED)
        say_race(f);
    if (s == HD_FAULT && asserted) {
        if (said)
            report(f, s, grid, block, seconds);
        return rt.sticky = cudaErrorAssert;
    }
    if (s != HD_OK) {
        e = rt_explain(f, s, params, grid, block, shared);
        if (!first)
            print(&asserted);
        if (said)
            report(f, s, grid, block, seconds);
        if (s == HD_FAULT || s == HD_DEADLOCK || s == HD_LIMIT)
            rt.sticky = e;                  /* it ran; otherwise nothing has happened */
        return s > HD_STOPPED ? refused(e) : e;
    }
    if (said)
        report(f, s, grid, block, seconds);
    if (rt.opt.cfg.jobs > 1 && rt.opt.report)
        hd_show_jobs(rt.dev, stderr);
    e = rt_shared_in();
    return e == cudaSuccess ? rt_children_run(f->module) : e;
}

cudaError_t rt_launch_in(cudaStream_t s, const void *fn, dim3 grid, dim3 block, void **args,
                         void **extra, size_t shared)
{
    struct rt_function *f = rt_function(fn);
    cudaError_t e = f ? rt_kernel(f) : cudaErrorInvalidDeviceFunction;
    if (e != cudaSuccess) {
        rt_say("a launch of %s: %s", f ? f->name : "what is no kernel", cudaGetErrorString(e));
        return refused(e);
    }
    void *params = rt_params(f->kernel, args, extra);
    e = !params                 ? cudaErrorInvalidValue
        : rt_stream_recorded(s) ? rt_record_kernel(s, f, grid, block, params, shared)
                                : rt_launch(f, grid, block, params, shared);
    free(params);
    return e;
}
cudaError_t cudaLaunchKernel(const void *fn, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream)
{
    RT_BEGIN;
    return rt_error(rt_launch_in(stream, fn, grid, block, args, NULL, shared));
}

/* ---- questions ---- */

static cudaError_t resident(const struct rt_function *f, uint32_t threads, size_t shared,
                            uint32_t *blocks)
{
    void *params = calloc(1, (size_t)f->kernel->params_size + 1);
    struct hd_launch l = { .kernel = f->kernel->name,
                           .grid = { 0x7fffffff, 1, 1 },
                           .block = { threads, 1, 1 },
                           .shared_bytes = (uint32_t)shared,
                           .params = params,
                           .params_size = f->kernel->params_size };
    *blocks = 0;
    enum hd_status s = params ? hd_occupancy(rt.dev, &l, blocks) : HD_NO_MEMORY;
    free(params);
    if (s == HD_TOO_BIG)                    /* not one block fits */
        return cudaSuccess;
    return rt_of_status(s);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *fn,
                                                                   int threads, size_t shared,
                                                                   unsigned flags)
{
    RT_BEGIN;
    struct rt_function *f = rt_function(fn);
    cudaError_t e = f ? rt_kernel(f) : cudaErrorInvalidDeviceFunction;
    uint32_t blocks = 0;
    (void)flags;
    if (e == cudaSuccess)
        e = threads <= 0 ? cudaErrorInvalidValue : resident(f, (uint32_t)threads, shared, &blocks);
    *n = (int)blocks;
    return rt_error(e);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *fn, int threads,
                                                          size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, fn, threads, shared, 0);
}

/* The most that lets so many blocks in, by halving an interval. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *fn, int blocks,
                                                      int threads)
{
    int n = 0;
    size_t least = 0, most = (size_t)rt_room().shared_default + 1;
    cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, fn, threads, 0);
    if (e != cudaSuccess || n < blocks || blocks < 1 || !bytes)
        return e != cudaSuccess ? e : rt_error(cudaErrorInvalidValue);
    while (most - least > 1) {
        size_t half = (least + most) / 2;
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, fn, threads, half);
        *(e == cudaSuccess && n >= blocks ? &least : &most) = half;
    }
    *bytes = least;
    return cudaSuccess;
}

cudaError_t cudaLaunchCooperativeKernel(const void *fn, dim3 grid, dim3 block, void **args,
                                        size_t shared, cudaStream_t stream)
{
    RT_BEGIN;
    struct rt_function *f = rt_function(fn);
    cudaError_t e = f ? rt_kernel(f) : cudaErrorInvalidDeviceFunction;
    uint32_t blocks = 0;
    if (e == cudaSuccess)
        e = resident(f, block.x * block.y * block.z, shared, &blocks);
    if (e == cudaSuccess && (uint64_t)grid.x * grid.y * grid.z > blocks)
        e = cudaErrorCooperativeLaunchTooLarge;
    if (e != cudaSuccess)
        rt_say("a cooperative launch of %s: %s", f ? f->name : "what is no kernel",
               cudaGetErrorString(refused(e)));
    return e == cudaSuccess ? cudaLaunchKernel(fn, grid, block, args, shared, stream) : rt_error(e);
}

/* Grids end before the next begins, so those that may overlap need nothing. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *fn, void **args)
{
    RT_BEGIN;
    bool together = false;
    if (!c || (c->numAttrs && !c->attrs))
        return rt_error(cudaErrorInvalidValue);
    for (unsigned k = 0; k < c->numAttrs; k++) {
        const cudaLaunchAttribute *a = &c->attrs[k];
        together |= a->id == cudaLaunchAttributeCooperative && a->val.cooperative;
        if (a->id == cudaLaunchAttributeClusterDimension &&
            a->val.clusterDim.x * a->val.clusterDim.y * a->val.clusterDim.z > 1) {
            rt_say("clusters of several blocks are not supported");
            refused(cudaErrorNotSupported);
            return rt_error(cudaErrorNotSupported);
        }
    }
    return (together ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
        fn, c->gridDim, c->blockDim, args, c->dynamicSmemBytes, c->stream);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *fn)
{
    RT_BEGIN;
    struct rt_function *f = rt_function(fn);
    cudaError_t e = f ? rt_kernel(f) : cudaErrorInvalidDeviceFunction;
    if (e != cudaSuccess)
        return rt_error(e);
    const struct rt_room room = rt_room();
    const int threads = (int)f->kernel->max_threads;
    *a = (struct cudaFuncAttributes){
        .sharedSizeBytes = f->kernel->shared,
        .localSizeBytes = f->kernel->local,
        .constSizeBytes = f->module->image->cdata_size,
        .numRegs = (int)f->kernel->regs,
        .maxThreadsPerBlock = threads && threads < room.block ? threads : room.block,
        /* of the architecture, not of the language: CUB chooses by it */
        .ptxVersion = (int)rt_module_arch(f->module),
        .binaryVersion = (int)rt_module_arch(f->module),
        .maxDynamicSharedSizeBytes = f->max_dynamic
                                         ? f->max_dynamic
                                         : room.shared_default - (int)f->kernel->shared
    };
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *fn, enum cudaFuncAttribute attr, int value)
{
    RT_BEGIN;
    struct rt_function *f = rt_function(fn);
    cudaError_t e = f ? rt_kernel(f) : cudaErrorInvalidDeviceFunction;
    if (e != cudaSuccess)
        return rt_error(e);
    if (attr != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaSuccess;                 /* a wish about caches, which are not there */
    if (value < 0 || (unsigned)value + f->kernel->shared > (unsigned)rt_room().shared)
        return rt_error(cudaErrorInvalidValue);
    f->max_dynamic = value;
    return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void *fn, enum cudaFuncCache config)
{
    RT_BEGIN;
    (void)config;
    return rt_error(rt_function(fn) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaFuncSetSharedMemConfig(const void *fn, enum cudaSharedMemConfig config)
{
    RT_BEGIN;
    (void)config;
    return rt_error(rt_function(fn) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
