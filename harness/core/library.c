/* Which library is the core that is asked for.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/rtl.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* It lies in rtl/ beside this file, or one or two folders up. */
static bool beside(const char *file, char *path, size_t size, const char *name)
{
    char at[4096];
    snprintf(at, sizeof at, "%s", file);
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(at, '/');
        if (!slash)
            break;
        *slash = 0;
        snprintf(path, size, "%s/rtl/%s", at, name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* Beside the executable, or beside the library that this code is part of. */
static bool find(char *path, size_t size, const char *name)
{
    char exe[4096];
    Dl_info self;
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n < 0 ? 0 : n] = 0;
    return beside(exe, path, size, name) ||
           (dladdr((void *)(uintptr_t)&find, &self) && self.dli_fname &&
            beside(self.dli_fname, path, size, name));
}

static bool find_library(char *path, size_t size, unsigned lanes, const char *kind)
{
    char name[64];
    snprintf(name, sizeof name, "libcore_l%u%s.so", lanes, kind);
    return find(path, size, name);
}

void *rtl_library_share(char *why, size_t why_size)
{
    char path[4200];
    if (!find(path, sizeof path, "libshare.so")) {
        snprintf(why, why_size, "what cores share is not built: make build/rtl/libshare.so");
        return NULL;
    }
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        snprintf(why, why_size, "%s", dlerror());
    return lib;
}

static const char *sources(void *lib)
{
    const char *(*of)(void) = NULL;
    void *sym = lib ? dlsym(lib, "rtl_sources") : NULL;
    memcpy(&of, &sym, sizeof of);
    return sym ? of() : "";
}

static bool is_older(const char *path, const char *than)
{
    struct stat a, b;
    return !stat(path, &a) && !stat(than, &b) &&
           (a.st_mtim.tv_sec != b.st_mtim.tv_sec ? a.st_mtim.tv_sec < b.st_mtim.tv_sec
                                                 : a.st_mtim.tv_nsec < b.st_mtim.tv_nsec);
}

/* Somebody edited the core and made one of the two libraries, with tracing or without, as `make
 * run` does: the other is older and of other sources.  A verdict on it would be one on the sources
 * before the edit. */
static bool out_of_date(const char *path, const char *than)
{
    static bool said;
    if (!is_older(path, than))
        return false;
    void *old = dlopen(path, RTLD_NOW | RTLD_LOCAL), *new = dlopen(than, RTLD_NOW | RTLD_LOCAL);
    /* half a library says nothing */
    bool differ = *sources(new) && strcmp(sources(old), sources(new));
    if (differ && !said)
        fprintf(stderr,
                "heddle: %s is out of date and not used: the newer %s is of other sources\n", path,
                strrchr(than, '/') + 1);
    said |= differ;
    if (old)
        dlclose(old);
    if (new)
        dlclose(new);
    return differ;
}

/* The library that was named, or the one beside it for that kind. */
static void *named(const char *core, const char *kind, char *why, size_t why_size)
{
    char path[4200];
    size_t n = strlen(core), end = n > 3 && !strcmp(core + n - 3, ".so") ? n - 3 : n;
    snprintf(path, sizeof path, "%s%.*s%s%s", strchr(core, '/') ? "" : "./", (int)end, core, kind,
             core + end);
    void *lib = access(path, R_OK) ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!lib && access(path, R_OK))
        snprintf(why, why_size, "%s: there is no such core", path);
    else if (!lib)
        snprintf(why, why_size, "%s", dlerror());
    return lib;
}

/* RTL_COVERAGE in the environment asks for the core that measures code coverage (make coverage).
 * The core with tracing does for the one without, a little more slowly: so a first run needs one
 * library. */
void *rtl_library(unsigned lanes, const char *core, enum rtl_kind which, char *why, size_t why_size)
{
    static const char *const kinds[] = { "", "_trace", "_x", "_icarus" };
    const char *kind = which == RTL_QUICK && getenv("RTL_COVERAGE") ? "_cov" : kinds[which];
    if (core)
        return named(core, kinds[which], why, why_size);
    char path[4200], other[4200];
    bool found = find_library(path, sizeof path, lanes, kind),
         pair = (!*kind || which == RTL_TRACE) &&
                find_library(other, sizeof other, lanes, *kind ? "" : "_trace");
    bool old = found && pair && out_of_date(path, other);
    if (!*kind && pair && (!found || old))
        memcpy(path, other, sizeof path);
    else if (!found || old) {
        char lanes_arg[32];
        snprintf(lanes_arg, sizeof lanes_arg, " ICARUS_LANES=%u", lanes);
        snprintf(why, why_size, "the core for --lanes %u is %s: make%s build/rtl/libcore_l%u%s.so",
                 lanes, old ? "out of date" : "not built", strcmp(kind, "_icarus") ? "" : lanes_arg,
                 lanes, kind);
        return NULL;
    }
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        snprintf(why, why_size, "%s", dlerror());
    return lib;
}
