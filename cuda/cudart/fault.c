/* What is said about a launch that did not end well.  SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/isa/isa.h"
#include "cuda/cudart/rt.h"

cudaError_t rt_of_status(enum hd_status s)
{
    switch (s) {
    case HD_OK:        return cudaSuccess;
    case HD_NO_MEMORY: return cudaErrorMemoryAllocation;
    case HD_NO_KERNEL: return cudaErrorInvalidDeviceFunction;
    case HD_TOO_BIG:   return cudaErrorLaunchOutOfResources;
    case HD_BAD_IMAGE: return cudaErrorInvalidKernelImage;
    case HD_LIMIT: case HD_DEADLOCK: return cudaErrorLaunchTimeout;
    case HD_BAD_ARGUMENT: return cudaErrorInvalidValue;
    default:           return cudaErrorLaunchFailure;
    }
}

static cudaError_t of_fault(enum hd_fault f)
{
    switch (f) {
    case HD_FAULT_MISALIGNED: return cudaErrorMisalignedAddress;
    case HD_FAULT_RANGE: case HD_FAULT_READONLY: return cudaErrorIllegalAddress;
    case HD_FAULT_SPACE:      return cudaErrorInvalidAddressSpace;
    case HD_FAULT_ILLEGAL:    return cudaErrorIllegalInstruction;
    default:                  return cudaErrorLaunchFailure;
    }
}

/* FUNCTION+0xOFFSET of the host code that allocated it. */
static void site(const struct rt_buffer *b, char *buf, size_t n)
{
    char name[400];
    Dl_info i = { 0 };
    int known = dladdr((void *)(uintptr_t)b->site, &i);
    if (known && i.dli_sname) {
        rt_name(i.dli_sname, name, sizeof name);
        snprintf(buf, n, "%s", name);
    } else
        snprintf(buf, n, "%s+0x%zx", known && i.dli_fname ? i.dli_fname : "?",
                 known ? (size_t)((const char *)b->site - (const char *)i.dli_fbase) : (size_t)0);
}

/* `allocation 3 (4000 bytes, by main)', and which parameter points into it. */
static void name_buffer(const struct rt_buffer *b, const struct hd_kernel *k, const void *params,
                        char *buf, size_t n)
{
    char where[500];
    site(b, where, sizeof where);
    int used = snprintf(buf, n, "allocation %u of the program (%zu bytes%s, made in %s)", b->number,
                        b->bytes,
                        b->kind == RT_MANAGED ? ", managed"
                        : b->kind == RT_HOST  ? ", host memory"
                                              : "",
                        where);
    for (uint32_t i = 0; k && i < k->nparams && used > 0 && (size_t)used < n; i++) {
        uint64_t v = 0;
        if (k->params[i].size != sizeof v)
            continue;
        memcpy(&v, (const char *)params + k->params[i].off, sizeof v);
        if (v >= b->addr && v <= b->addr + b->bytes) {
            snprintf(buf + used, n - (size_t)used, ", parameter %u", i);
            return;
        }
    }
}

static void show_buffer(const struct hd_kernel *k, const void *params, uint64_t addr)
{
    int64_t off = 0;
    char text[1000];
    const struct rt_buffer *b = rt_buffer_near(addr, &off);
    if (!b || off > (1 << 24) || off < -(1 << 24)) {
        rt_say("  the address is in no buffer of the program, nor near one%s",
               addr >= HD_ADDR_END ? ": it is none of the device (memory of the host?)" : "");
        return;
    }
    name_buffer(b, k, params, text, sizeof text);
    if (off < 0)
        rt_say("  the address is %lld bytes before %s", (long long)-off, text);
    else if (addr >= b->addr + b->bytes)
        rt_say("  the address is %lld bytes after the end of %s", (long long)off, text);
    else
        rt_say("  the address is at byte %lld of %s", (long long)off, text);
}

/* The type of parameter `want' in a function's name as its source has it, `void f<int>(float*,
 * S<int, 2>)'; empty: the name has no types (extern "C"). */
static void type_of(const char *name, uint32_t want, char *buf, size_t n)
{
    const char *end = name + strlen(name), *p = end;
    int depth = 0;
    *buf = 0;
    if (p == name || p[-1] != ')')
        return;
    do {                                    /* back to the parenthesis that opens the list */
        p--;
        depth += *p == ')' ? 1 : *p == '(' ? -1 : 0;
    } while (p > name && depth);
    const char *from = ++p;
    for (uint32_t k = 0; p < end; p++) {
        depth += strchr("(<[{", *p) ? 1 : strchr(")>]}", *p) ? -1 : 0;
        if (depth >= 0 && !(*p == ',' && !depth))
            continue;
        if (k++ == want) {
            snprintf(buf, n, "%.*s", (int)(p - from), from);
            return;
        }
        from = p + 1 + strspn(p + 1, " ");
    }
}

/* A value as its type in the source, or else in PTX, has it. */
static void show_value(const char *type, const struct hd_param *p, const void *at, char *buf,
                       size_t n)
{
    uint64_t v = 0;
    double d = 0;
    float f = 0;
    memcpy(&v, at, p->size < sizeof v ? p->size : sizeof v);
    memcpy(&d, &v, sizeof d);
    memcpy(&f, &v, sizeof f);
    const struct rt_buffer *b = p->size == 8 ? rt_buffer(v) : NULL;
    bool pointer = strchr(type, '*') != NULL;
    if (p->size > sizeof v)
        snprintf(buf, n, "%u bytes", p->size);
    else if (!strcmp(p->type, "f32") || !strcmp(p->type, "f64"))
        snprintf(buf, n, "%g", p->size == 8 ? d : (double)f);
    else if (b)
        snprintf(buf, n, "0x%llx, allocation %u", (unsigned long long)v, b->number);
    else if (!pointer && (!strncmp(type, "unsigned", 8) || !strcmp(type, "bool")))
        snprintf(buf, n, "%llu", (unsigned long long)v);
    else if (!strcmp(type, "int") || !strcmp(type, "short") || !strcmp(type, "long") ||
             !strcmp(type, "long long")) {
        unsigned up = 64 - 8 * p->size;
        snprintf(buf, n, "%lld", (long long)(v << up) >> up);
    } else
        snprintf(buf, n, "0x%llx", (unsigned long long)v);
}

void rt_show_params(const struct rt_function *f, const void *params)
{
    const struct hd_kernel *k = f->kernel;
    char name[2000], type[500], value[100];
    rt_name(f->name, name, sizeof name);
    for (uint32_t i = 0; i < k->nparams; i++) {
        type_of(name, i, type, sizeof type);
        if (!*type)
            snprintf(type, sizeof type, "%s", k->params[i].type);
        show_value(type, &k->params[i], (const char *)params + k->params[i].off, value,
                   sizeof value);
        rt_say("  parameter %u, %s: %s", i, type, value);
    }
}

/* Block and thread as the program counts them. */
static void place(uint32_t linear, dim3 size, char *buf, size_t n)
{
    snprintf(buf, n, "(%u,%u,%u)", linear % size.x, linear / size.x % size.y,
             linear / size.x / size.y);
}

/* A routine that reads textures or surfaces, and the address is that of a description which is not
 * there. */
static bool show_unbound(const struct rt_function *f, const struct hd_commit *c)
{
    static const char *const routines[] = { "__hd_tex", "__hd_tld4", "__hd_txq", "__hd_suld",
                                            "__hd_sust" };
    enum { DESCRIPTION = 256 };
    char names[1000];
    uint32_t off;
    const char *in = hd_image_func(f->module->image, c->pc, &off);
    bool reads = false;
    for (size_t k = 0; in && k < sizeof routines / sizeof *routines; k++)
        reads |= !strncmp(in, routines[k], strlen(routines[k]));
    if (!reads || c->fault_addr >= DESCRIPTION)
        return false;
    rt_references_unbound(f->module, names, sizeof names);
    rt_say("  it reads a texture or surface object that is 0%s%s%s", *names ? "; " : "", names,
           *names ? " is bound to nothing" : "");
    return true;
}

/* The space of an access that faulted, of which the record does not say it: the instruction's, or
 * of a generic address the upper word. */
static enum hd_space space_of(const struct rt_function *f, const struct hd_commit *c)
{
    struct hd_insn in;
    struct hd_word w;
    memcpy(&w, c->insn, sizeof w);
    const char *effect =
        hd_decode(&w, f->module->image->stack_mode, &in) ? hd_ops[in.op].effect : "";
    return strstr(effect, "SPACE_SHARED")                            ? SPACE_SHARED
           : strstr(effect, "SPACE_LOCAL")                           ? SPACE_LOCAL
           : strstr(effect, "SPACE_GENERIC") && c->fault_addr >> 32 <= SPACE_LOCAL
               ? (enum hd_space)(c->fault_addr >> 32)
               : SPACE_GLOBAL;
}

/* Of memory of the block's or the thread's own: how much there is. */
static bool show_own(const struct rt_function *f, size_t shared, const struct hd_commit *c)
{
    enum hd_space space = space_of(f, c);
    if (space == SPACE_SHARED)
        rt_say("  in shared memory, of which the block has %zu bytes", f->kernel->shared + shared);
    else if (space == SPACE_LOCAL)
        rt_say("  in local memory, of which the thread has %u bytes", f->kernel->local);
    return space == SPACE_SHARED || space == SPACE_LOCAL;
}

static void explain_fault(const char *name, const struct rt_function *f, const void *params,
                          dim3 grid, dim3 block, size_t shared, const struct hd_commit *c)
{
    char in_grid[40], in_block[40];
    char source[600] = "";
    const char *file = "";
    unsigned line = 0, lane = c->fault_m ? (unsigned)__builtin_ctz(c->fault_m) : 0;
    bool memory = (c->fault >= HD_FAULT_MISALIGNED && c->fault <= HD_FAULT_SPACE) ||
                  c->fault == HD_FAULT_BUS;
    place(c->block, grid, in_grid, sizeof in_grid);
    place((uint32_t)c->warp * HD_LANES + lane, block, in_block, sizeof in_block);
    hd_image_line(f->module->image, c->pc, &file, &line);
    if (line)
        snprintf(source, sizeof source, ", %s:%u", file, line);
    rt_say("kernel `%s` faulted: %s, block %s, thread %s%s", name,
           hd_fault_name((enum hd_fault)c->fault), in_grid, in_block, source);
    if (memory && !show_unbound(f, c)) {
        rt_say("  address 0x%llx", (unsigned long long)c->fault_addr);
        if (!show_own(f, shared, c))
            show_buffer(f->kernel, params, c->fault_addr);
    }
    rt_show_params(f, params);
}

cudaError_t rt_explain(const struct rt_function *f, enum hd_status s, const void *params, dim3 grid,
                       dim3 block, size_t shared)
{
    char name[1000];
    const struct hd_commit *c = hd_get_fault(rt.dev);
    rt_name(f->name, name, sizeof name);
    if (s == HD_FAULT && c)
        explain_fault(name, f, params, grid, block, shared, c);
    else if (s == HD_FAULT)
        rt_say("kernel `%s`: %s", name, hd_device_error(rt.dev));
    else if (s == HD_MISMATCH || s == HD_DEADLOCK || s == HD_LIMIT)
        rt_say("kernel `%s`: %s", name, hd_strerror(s));
    else
        rt_say("kernel `%s` cannot run: %s", name, hd_device_error(rt.dev));
    if (s == HD_MISMATCH || s == HD_FAULT || s == HD_DEADLOCK) {
        hd_explain(rt.dev, stderr);
        rt_page_say(f, params, grid, block, shared);
    }
    if (s == HD_LIMIT) {
        rt_say("the limit is %llu; who was where:", (unsigned long long)rt.opt.cfg.limit);
        hd_show_warps(rt.dev, stderr);
    }
    if (s == HD_MISMATCH) {
        fflush(NULL);
        rt_watch_close();
        rt_die(1, "lockstep: DIFFERENT in launch %llu; the program ends here",
               (unsigned long long)rt.launches);
    }
    return s == HD_FAULT ? (c ? of_fault((enum hd_fault)c->fault) : cudaErrorIllegalAddress)
                         : rt_of_status(s);
}
