/* Which library is the core that is asked for.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/library.h"
#include "harness/core/sources.h"
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The prefix that a static library was installed under: a program that it is part of lies anywhere
 * (harness/install/install.mk). */
extern const char heddle_prefix[];
__attribute__((weak)) const char heddle_prefix[] = "";

/* It lies in rtl/ beside this file, or one or two folders up; or, installed, in lib/heddle/rtl/. */
static bool beside(const char *file, char *path, size_t size, const char *name)
{
    char at[4096];
    snprintf(at, sizeof at, "%s", file);
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(at, '/');
        if (!slash)
            break;
        *slash = 0;
        for (int installed = 0; installed < 2; installed++) {
            snprintf(path, size, "%s%s/rtl/%s", at, installed ? "/lib/heddle" : "", name);
            if (access(path, R_OK) == 0)
                return true;
        }
    }
    return false;
}

/* The executable; the library that this code is part of. */
static const char *self(bool library, char path[4096])
{
    Dl_info info;
    if (library)
        return dladdr((void *)(uintptr_t)&self, &info) && info.dli_fname ? info.dli_fname : "";
    ssize_t n = readlink("/proc/self/exe", path, 4095);
    path[n < 0 ? 0 : n] = 0;
    return path;
}

static bool find(char *path, size_t size, const char *name)
{
    char exe[4096], prefix[4096];
    const char *env = getenv("HEDDLE_PREFIX");
    snprintf(prefix, sizeof prefix, "%s/", env ? env : heddle_prefix);
    return beside(self(false, exe), path, size, name) ||
           beside(self(true, exe), path, size, name) ||
           (prefix[1] && beside(prefix, path, size, name));
}

/* Whether this is one that was installed: its library, or cores in lib/heddle/rtl/. */
static bool is_installed(void)
{
    char path[4200];
    return *heddle_prefix ||
           (find(path, sizeof path, "libshare.so") && strstr(path, "/lib/heddle/rtl/"));
}

/* What builds that library, where the build folder of one of them lies in its tree. */
static void builds(char *command, size_t size, const char *more, const char *name)
{
    char exe[4096], real[PATH_MAX], tree[PATH_MAX + 32], here[PATH_MAX];
    snprintf(command, size, "%smake%s build/rtl/%s",
             is_installed() ? "in Heddle's sources, and then --core FILE: " : "", more, name);
    for (int library = 0; library < 2; library++) {
        if (!realpath(self(library, exe), real) || !strrchr(real, '/'))
            continue;
        *strrchr(real, '/') = 0;
        char *build = strrchr(real, '/');
        if (!build)
            continue;
        snprintf(tree, sizeof tree, "%.*s/rtl/simt_core.v", (int)(build - real), real);
        if (access(tree, F_OK))
            continue;
        *build++ = 0;
        bool elsewhere = !getcwd(here, sizeof here) || strcmp(here, real),
             other = strcmp(build, "build");
        snprintf(command, size, "%s%s%smake%s%s%s %s/rtl/%s", elsewhere ? "cd " : "",
                 elsewhere ? real : "", elsewhere ? " && " : "", more, other ? " BUILD=" : "",
                 other ? build : "", build, name);
        return;
    }
}

static bool find_library(char *path, size_t size, unsigned lanes, const char *kind)
{
    char name[64];
    snprintf(name, sizeof name, "libcore_l%u%s.so", lanes, kind);
    return find(path, size, name);
}

void rtl_library_close(void *lib) { dlclose(lib); }
const struct rtl_calls *rtl_library_calls(void *lib) { return dlsym(lib, "rtl_calls"); }
const struct share_calls *rtl_library_share_calls(void *lib) { return dlsym(lib, "share_calls"); }
const struct board_calls *rtl_library_board_calls(void *lib) { return dlsym(lib, "board_calls"); }

const char *rtl_library_file(void *lib)
{
    struct link_map *m;
    return dlinfo(lib, RTLD_DI_LINKMAP, &m) ? "" : m->l_name;
}

/* Opens it, if it is made of the sources that lie in its tree.  NULL: `why' holds a sentence that
 * begins with name. */
static void *open_current(const char *path, const char *name, char *why, size_t why_size)
{
    char what[160], command[4200];
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        snprintf(why, why_size, "%s", dlerror());
    else if (!sources_current(sources_text(lib), path, what, sizeof what, command,
                              sizeof command)) {
        snprintf(why, why_size, "%s out of date (%s): %s", name, what, command);
        dlclose(lib);
        lib = NULL;
    }
    return lib;
}

void *rtl_library_share(char *why, size_t why_size)
{
    char path[4200];
    if (find(path, sizeof path, "libshare.so"))
        return open_current(path, "what cores share is", why, why_size);
    char command[2 * PATH_MAX];
    builds(command, sizeof command, "", "libshare.so");
    snprintf(why, why_size, "what cores share is not built: %s", command);
    return NULL;
}

void *rtl_library_board(unsigned lanes, const char *kind, char *why, size_t why_size)
{
    char path[4200], name[64], command[2 * PATH_MAX];
    snprintf(name, sizeof name, "libboard_l%u%s.so", lanes, kind);
    if (find(path, sizeof path, name))
        return open_current(path, "the board is", why, why_size);
    builds(command, sizeof command, "", name);
    snprintf(why, why_size, "the board for --lanes %u is not built: %s", lanes, command);
    return NULL;
}

static bool is_older(const char *path, const char *than)
{
    struct stat a, b;
    return !stat(path, &a) && !stat(than, &b) &&
           (a.st_mtim.tv_sec != b.st_mtim.tv_sec ? a.st_mtim.tv_sec < b.st_mtim.tv_sec
                                                 : a.st_mtim.tv_nsec < b.st_mtim.tv_nsec);
}

static void say_old(const char *path, const char *newer)
{
    static bool said;
    if (!said)
        fprintf(stderr,
                "heddle: %s is out of date and not used: the newer %s is of other sources\n", path,
                strrchr(newer, '/') + 1);
    said = true;
}

/* Somebody edited the core and made one of the two libraries, with tracing or without, as `make
 * run` does: the other is older and of other sources.  A verdict on it would be one on the sources
 * before the edit. */
static bool out_of_date(const char *path, const char *than)
{
    if (!is_older(path, than))
        return false;
    void *old = dlopen(path, RTLD_NOW | RTLD_LOCAL), *new = dlopen(than, RTLD_NOW | RTLD_LOCAL);
    /* half a library says nothing */
    bool differ = *sources_text(new) && !sources_equal(sources_text(old), sources_text(new));
    if (differ)
        say_old(path, than);
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
    char name[4300];
    snprintf(name, sizeof name, "%s is", path);
    if (!access(path, R_OK))
        return open_current(path, name, why, why_size);
    snprintf(why, why_size, "%s: there is no such core", path);
    return NULL;
}

static void *not_there(unsigned lanes, const char *kind, bool old, char *why, size_t why_size)
{
    char lanes_arg[32] = "", name[64], command[2 * PATH_MAX];
    if (!strcmp(kind, "_icarus"))
        snprintf(lanes_arg, sizeof lanes_arg, " ICARUS_LANES=%u", lanes);
    snprintf(name, sizeof name, "libcore_l%u%s.so", lanes, kind);
    builds(command, sizeof command, lanes_arg, name);
    snprintf(why, why_size, "the core for --lanes %u is %s: %s", lanes,
             old ? "out of date" : "not built", command);
    return NULL;
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
    bool old = found && pair && out_of_date(path, other), instead = !*kind && pair;
    if (!instead && (!found || old))
        return not_there(lanes, kind, old, why, why_size);
    char name[64];
    snprintf(name, sizeof name, "the core for --lanes %u is", lanes);
    void *lib = found && !old ? open_current(path, name, why, why_size) : NULL;
    if (lib || !instead)
        return lib;
    if (!found || old)
        return open_current(other, name, why, why_size);
    char unsaid[4600];                               /* what is wrong with the first is said */
    lib = open_current(other, name, unsaid, sizeof unsaid);
    if (lib)
        say_old(path, other);
    return lib;
}

void rtl_libraries(FILE *out)
{
    static const unsigned any[] = { 1, 2, 4, 8, 16, 32 };
    char path[4200], what[160], command[4200];
    glob_t found = { 0 };
    for (size_t i = 0; i < 2 * sizeof any / sizeof *any && !found.gl_pathc; i++)
        if (find_library(path, sizeof path, any[i / 2], i % 2 ? "_trace" : "")) {
            snprintf(strrchr(path, '/'), 16, "/lib*.so");
            glob(path, 0, NULL, &found);
        }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        void *lib = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_LOCAL);
        const char *text = sources_text(lib);
        fprintf(out, "core %s: ", found.gl_pathv[i]);
        if (!lib || !*text)
            fprintf(out, "no library of ours\n");
        else if (sources_current(text, found.gl_pathv[i], what, sizeof what, command,
                                 sizeof command))
            fprintf(out, "%.*s\n", (int)strcspn(text, ";"), text);
        else
            fprintf(out, "%.*s, out of date (%s): %s\n", (int)strcspn(text, ";"), text, what,
                    command);
        if (lib)
            dlclose(lib);
    }
    if (!found.gl_pathc)
        fprintf(out, "no core beside it: make run\n");
    globfree(&found);
}
