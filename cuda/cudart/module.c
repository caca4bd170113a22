/* Device code that a program registers, its kernels and variables.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The calls __cudaRegister... stand in code that the compiler makes: they run before main, for each
 * source file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/rt.h"
#include "cuda/code/fatbin.h"
#include "cuda/code/names.h"

static void *more(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);
    if (!p)
        rt_die(4, "no memory");
    return p;
}

struct rt_module *rt_module_new(char *ptx)
{
    struct rt_module *m = more(NULL, sizeof *m);
    *m = (struct rt_module){ .ptx = ptx, .next = rt.modules };
    return rt.modules = m;
}

/* ---- kernels, by the address of their stub ---- */

static size_t slot(const void *host)
{
    size_t k = ((uintptr_t)host >> 4) * 0x9e3779b97f4a7c15u >> 20 & (rt.fns_room - 1);
    while (rt.fns[k] && rt.fns[k]->host != host)
        k = (k + 1) & (rt.fns_room - 1);
    return k;
}

static void grow(void)
{
    struct rt_function **old = rt.fns;
    size_t n = rt.fns_room;
    rt.fns_room = n ? 2 * n : 64;
    rt.fns = calloc(rt.fns_room, sizeof *rt.fns);
    if (!rt.fns)
        rt_die(4, "no memory");
    for (size_t k = 0; k < n; k++)
        if (old[k])
            rt.fns[slot(old[k]->host)] = old[k];
    free(old);
}

struct rt_function *rt_function_new(struct rt_module *m, const void *host, const char *name)
{
    struct rt_function *f = more(NULL, sizeof *f);
    if (2 * rt.nfns >= rt.fns_room)
        grow();
    *f = (struct rt_function){ .host = host ? host : f, .module = m, .name = strdup(name),
                                .unit = m->nfatbins };
    size_t k = slot(f->host);
    rt.nfns += !rt.fns[k];
    rt.fns[k] = f;
    return f;
}

struct rt_function *rt_function(const void *host)
{
    return rt.fns_room ? rt.fns[slot(host)] : NULL;
}

struct rt_function *rt_function_named(struct rt_module *m, const char *name)
{
    for (size_t k = 0; k < rt.fns_room; k++)
        if (rt.fns[k] && rt.fns[k]->module == m && !strcmp(rt.fns[k]->name, name))
            return rt.fns[k];
    return rt_function_new(m, NULL, name);
}

/* ---- variables ---- */

void rt_var_new(struct rt_module *m, const void *host, const char *name, size_t bytes, bool managed)
{
    struct rt_var *v = more(NULL, sizeof *v);
    *v = (struct rt_var){ .host = host,
                          .module = m,
                          .name = strdup(name),
                          .unit = m->nfatbins,
                          .bytes = bytes,
                          .managed = managed,
                          .next = rt.vars };
    rt.vars = v;
}

struct rt_var *rt_var(const void *host)
{
    struct rt_var *v = rt.vars;
    while (v && v->host != host)
        v = v->next;
    return v;
}

/* ---- use ---- */

unsigned rt_module_arch(const struct rt_module *m)
{
    unsigned arch = m->nfatbins ? 0 : m->ptx ? fatbin_arch(m->ptx) : 0;
    for (size_t k = 0; k < m->nfatbins; k++) {
        unsigned one = fatbin_arch(m->fatbins[k]);
        arch = one > arch ? one : arch;
    }
    return arch < 70 ? 70 : arch;
}

unsigned rt_arch(void)
{
    unsigned arch = rt.opt.arch;
    for (const struct rt_module *m = rt.modules; m && !rt.opt.arch; m = m->next) {
        unsigned one = rt_module_arch(m);
        arch = one > arch ? one : arch;
    }
    return arch ? arch : 70;
}

static cudaError_t compile(struct rt_module *m)
{
    struct hd_err err = { 0 };
    m->tried = true;
    if (!m->ptx)
        m->ptx = fatbin_linked(m->fatbins, m->nfatbins, &err);
    if (m->ptx)
        m->image = rt_compile(m->ptx, &m->refused, &err);
    if (!m->image)
        rt_say("%s", err.text);
    return m->image ? cudaSuccess : m->ptx ? cudaErrorInvalidPtx : cudaErrorNoKernelImageForDevice;
}

cudaError_t rt_module_use(struct rt_module *m)
{
    cudaError_t e = rt_open();
    if (e == cudaSuccess && !m->image)
        e = m->tried ? cudaErrorInvalidPtx : compile(m);
    if (e != cudaSuccess)
        return e;
    enum hd_status s = hd_use(rt.dev, m->image);
    if (s == HD_OK)
        return cudaSuccess;
    rt_say("%s", hd_device_error(rt.dev));
    return rt_of_status(s);
}

/* Why a kernel is not in its image. */
static void say_refused(const struct rt_function *f)
{
    char name[1000];
    size_t n = strlen(f->name);
    rt_name(f->name, name, sizeof name);
    for (const char *p = f->module->refused; p && *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (!strncmp(p, f->name, n) && p[n] == '\t') {
            char why[1000], plain[1000];
            snprintf(why, sizeof why, "%.*s", (int)strcspn(p + n + 1, "\n"), p + n + 1);
            names_plain(why, plain, sizeof plain);
            rt_say("kernel `%s` does not compile: %s", name, plain);
            return;
        }
    rt_say("the program's device code has no kernel `%s`", name);
}

/* As units.c of the compiler names what is static, of all units but the last. */
static const char *own_name(const char *name, size_t unit, char own[2000])
{
    snprintf(own, 2000, "%s$unit%zu", name, unit - 1);
    return own;
}

/* As clang names what is static, which for nvcc has the name that others have: _ZL3abc and _ZL3abci
 * of abc and _Z3abci.  NULL: it is static already, or in a namespace. */
static const char *static_name(const char *name, char own[2000])
{
    bool mangled = !strncmp(name, "_Z", 2);
    if (mangled && (name[2] < '0' || name[2] > '9'))
        return NULL;
    int n = mangled ? snprintf(own, 2000, "_ZL%s", name + 2)
                    : snprintf(own, 2000, "_ZL%zu%s", strlen(name), name);
    return n < 2000 ? own : NULL;
}

cudaError_t rt_kernel(struct rt_function *f)
{
    struct hd_err unseen = { 0 };
    char own[2000];
    cudaError_t e = rt_module_use(f->module);
    if (e != cudaSuccess || f->kernel)
        return e;
    if (f->unit)
        f->kernel = hd_image_kernel(f->module->image, own_name(f->name, f->unit, own), &unseen);
    if (!f->kernel)
        f->kernel = hd_image_kernel(f->module->image, f->name, &unseen);
    if (!f->kernel && static_name(f->name, own))
        f->kernel = hd_image_kernel(f->module->image, own, &unseen);
    if (!f->kernel)
        say_refused(f);
    return f->kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t rt_var_place(const struct rt_var *v, uint64_t *addr, size_t *bytes)
{
    char own[2000];
    cudaError_t e = rt_module_use(v->module);
    if (e == cudaSuccess && v->unit &&
        hd_symbol(rt.dev, own_name(v->name, v->unit, own), addr, bytes) == HD_OK)
        return cudaSuccess;
    if (e == cudaSuccess && hd_symbol(rt.dev, v->name, addr, bytes) != HD_OK &&
        (!static_name(v->name, own) || hd_symbol(rt.dev, own, addr, bytes) != HD_OK))
        e = cudaErrorInvalidSymbol;
    return e;
}

/* The constants of all modules have the same addresses, one module's at a time. */
static struct { struct rt_module *of; bool several; } constants;

static bool is_constant(uint64_t addr)
{
    return addr >= LAUNCH_CONST && addr < (uint64_t)LAUNCH_CONST + LAUNCH_CONST_MAX;
}

cudaError_t rt_var_address(const struct rt_var *v, uint64_t *addr, size_t *bytes)
{
    cudaError_t e = rt_var_place(v, addr, bytes);
    if (e == cudaSuccess && is_constant(*addr)) {
        constants.several |= constants.of && constants.of != v->module;
        constants.of = v->module;
    }
    return e;
}

bool rt_use_constants(uint64_t addr)
{
    if (!is_constant(addr) || !constants.of)
        return false;
    if (constants.several)
        rt_say("an address of a constant is that of several modules: "
               "cudaMemcpyToSymbol says which one is meant");
    return !constants.several && rt_module_use(constants.of) == cudaSuccess;
}

void rt_var_begin(struct rt_var *v)
{
    uint64_t addr;
    size_t bytes;
    if (v->initial && rt_var_place(v, &addr, &bytes) == cudaSuccess)
        v->initial = hd_read(rt.dev, addr, (void *)(uintptr_t)v->host, v->bytes) != HD_OK;
}

/* ---- what the compiler's code calls ---- */

#define EXPORT __attribute__((visibility("default")))
/* more: of version 2, by nvcc's device linker, the fat binaries that were linked; else a name. */
struct fatbin_wrapper { int magic, version; const void *data; const void *const *more; };
enum { LINKED = 2 };

EXPORT void **__cudaRegisterFatBinary(const struct fatbin_wrapper *w);
EXPORT void __cudaRegisterFatBinaryEnd(void **handle);
EXPORT void __cudaUnregisterFatBinary(void **handle);
EXPORT void __cudaRegisterFunction(void **handle, const void *host, char *name,
                                   const char *device_name, int limit, void *tid, void *bid,
                                   void *block, void *grid, int *warp_size);
EXPORT void __cudaRegisterVar(void **handle, char *host, char *name, const char *device_name,
                              int external, size_t bytes, int constant, int global);
EXPORT void __cudaRegisterManagedVar(void **handle, void **host, char *name,
                                     const char *device_name, int external, size_t bytes,
                                     int constant, int global);
EXPORT void __cudaRegisterTexture(void **handle, const void *host, const void **address,
                                  const char *name, int dim, int norm, int external);
EXPORT void __cudaRegisterSurface(void **handle, const void *host, const void **address,
                                  const char *name, int dim, int external);
EXPORT char __cudaInitModule(void **handle);
/* nvcc 13's <<<>>> asks for the kernel once, and launches by what it got. */
EXPORT cudaError_t __cudaGetKernel(const void **kernel, const void *host);
EXPORT cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args,
                                      size_t shared, cudaStream_t stream);

static void begin_variables(void **handle, bool later)
{
    RT_HOLD;
    for (struct rt_var *v = rt.vars; v; v = v->next)
        if ((void **)v->module == handle && v->later <= later && (later || !v->module->linked))
            rt_var_begin(v);
}

void **__cudaRegisterFatBinary(const struct fatbin_wrapper *w)
{
    RT_HOLD;
    bool unit = w->version == 1 && fatbin_is_unit(w->data);
    struct rt_module *m = unit ? rt.modules : NULL;
    while (m && !m->linked)
        m = m->next;
    if (!m)
        m = rt_module_new(NULL);
    m->linked = unit;
    const void *const *all = w->version == LINKED ? w->more : &w->data;
    for (size_t n = w->version == LINKED ? SIZE_MAX : 1; n && *all; n--, all++) {
        m->fatbins = more(m->fatbins, (m->nfatbins + 1) * sizeof *m->fatbins);
        m->fatbins[m->nfatbins++] = *all;
    }
    return (void **)m;
}

/* What the host has of clang's variables begins as zeros: those of host and device get their
 * initial values now. */
void __cudaRegisterFatBinaryEnd(void **handle) { begin_variables(handle, false); }
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }

cudaError_t __cudaGetKernel(const void **kernel, const void *host)
{
    RT_HOLD;
    *kernel = host;
    return rt_error(rt_function(host) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}

void __cudaRegisterFunction(void **handle, const void *host, char *name, const char *device_name,
                            int limit, void *tid, void *bid, void *block, void *grid,
                            int *warp_size)
{
    RT_HOLD;
    (void)name, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
    rt_function_new((struct rt_module *)handle, host, device_name);
}

/* Variables of host and device alike: the section in which our headers put their host side. */
static const char *managed_from, *managed_to;

void __heddleManaged(const char *from, const char *to)
{
    managed_from = from, managed_to = to;
}

void __cudaRegisterVar(void **handle, char *host, char *name, const char *device_name, int external,
                       size_t bytes, int constant, int global)
{
    RT_HOLD;
    (void)name, (void)external, (void)constant, (void)global;
    bool managed = host >= managed_from && host < managed_to;
    rt_var_new((struct rt_module *)handle, host, device_name, bytes, managed);
    rt.vars->initial = managed;
}

/* The host reaches it through a pointer, and calls __cudaInitModule before. */
void __cudaRegisterManagedVar(void **handle, void **host, char *name, const char *device_name,
                              int external, size_t bytes, int constant, int global)
{
    RT_HOLD;
    (void)name, (void)external, (void)constant, (void)global;
    *host = calloc(1, bytes + 1);
    if (!*host)
        rt_die(4, "no memory");
    rt_var_new((struct rt_module *)handle, *host, device_name, bytes, true);
    rt.vars->initial = rt.vars->later = true;
}

char __cudaInitModule(void **handle)
{
    begin_variables(handle, true);
    return 0;
}

void __cudaRegisterTexture(void **handle, const void *host, const void **address, const char *name,
                           int dim, int norm, int external)
{
    RT_HOLD;
    (void)address, (void)dim, (void)external;
    rt_reference_new((struct rt_module *)handle, host, name, false, norm != 0);
}

void __cudaRegisterSurface(void **handle, const void *host, const void **address, const char *name,
                           int dim, int external)
{
    RT_HOLD;
    (void)address, (void)dim, (void)external;
    rt_reference_new((struct rt_module *)handle, host, name, true, false);
}
