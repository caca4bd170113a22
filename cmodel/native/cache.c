/* Translations on disk: their names, their check, and the compiler that makes them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An entry is a shared object with the hash of its bytes after it, so one that was cut off, or
 * written half, is known before anything of it is mapped.  It is made under another name and gets
 * its own in one step: who reads it finds nothing, or all. */
#include "cmodel/native/native.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmodel/base/keep.h"
#include "cmodel/base/scratch.h"
#include "cmodel/native/compiler.h"

enum { ROOM = 4096 };
struct hash { uint64_t a, b; };

/* No contraction: isa.def says where a multiply-add rounds once.  Calls at the end are jumps: a
 * loop of several regions calls from one to the next all the time.  What the last line leaves out
 * takes a tenth of the compiler's time and makes nothing faster here. */
static const char *const options[] = {
    "cc", "-std=c11", "-O1", "-foptimize-sibling-calls", "-ftree-vectorize",
    "-fno-tree-slp-vectorize", "-fvect-cost-model=unlimited", "-march=native",
    "-ffp-contract=off", "-fno-trapping-math", "-fno-math-errno",
    "-fno-strict-aliasing", "-fPIC", "-pipe", "-w",
    "-fno-tree-pta", "-fno-tree-dominator-opts", "-fno-predictive-commoning",
    "-fno-asynchronous-unwind-tables",
};
enum { OPTIONS = sizeof options / sizeof *options };

/* By the number of parts, what makes the object: of two, compilers beside each other, then the
 * linker.  Its words are the object's name, the source's, and the compiler with its options. */
static const char *const script[] = {
    [1] = "o=$1 s=$2; shift 2; exec \"$@\" -DPART=0 -shared -o \"$o\" -x c \"$s\"",
    [2] = "o=$1 s=$2; shift 2; \"$@\" -DPART=1 -c -o \"$o.1\" -x c \"$s\" & "
          "\"$@\" -DPART=0 -c -o \"$o.0\" -x c \"$s\"; status=$?; "
          "wait $! && [ $status = 0 ] && exec \"$@\" -shared -o \"$o\" \"$o.0\" \"$o.1\"; "
          "exit $((status ? status : 1))",
};
_Static_assert(NATIVE_PARTS == 2, "a script for each number of parts");

/* FNV-1a, and a second one that begins elsewhere and goes another way. */
static struct hash hash_more(struct hash h, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++) {
        h.a = (h.a ^ p[i]) * 0x100000001b3u;
        h.b = (h.b + p[i]) * 0x9e3779b97f4a7c15u;
        h.b ^= h.b >> 29;
    }
    return h;
}

static const struct hash hash_start = { 0xcbf29ce484222325u, 0x6a09e667f3bcc908u };

/* What the compiler makes of -march=native: the first processor's name and what it can do. */
static struct hash hash_processor(struct hash h)
{
    char line[ROOM];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f) && *line != '\n')
        if (!strncmp(line, "model name", 10) || !strncmp(line, "flags", 5) ||
            !strncmp(line, "Features", 8))
            h = hash_more(h, line, strlen(line));
    if (f)
        fclose(f);
    return h;
}

static bool folder_of(char *path, const char *given, struct hd_err *err)
{
    const size_t room = ROOM - 100;                  /* for an entry's name */
    const int n = given ? snprintf(path, room, "%s", given) : 0;
    if (n < 0 || (size_t)n >= room || (!given && !keep_folder(path, room)))
        return hd_err_set(err, 2, "there is no folder for translated code"), false;
    if (!keep_make(path))
        return hd_err_set(err, 2, "%s cannot be made: %s", path, strerror(errno)), false;
    return true;
}

/* ---- an entry ---- */

/* All bytes of a file of ours that nobody else may write; the caller frees them. */
static unsigned char *slurp(const char *path, size_t *n)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);      /* a FIFO: not waited for */
    unsigned char *data = NULL;
    if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
        !(st.st_mode & (S_IWGRP | S_IWOTH)) && (data = malloc((size_t)st.st_size + 1))) {
        ssize_t got = read(fd, data, (size_t)st.st_size + 1);
        *n = got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    return data;
}

static bool whole(const char *path)
{
    size_t n = 0;
    struct hash h, end;
    unsigned char *data = slurp(path, &n);
    bool ok = data && n > sizeof h;
    if (ok) {
        h = hash_more(hash_start, data, n - sizeof h);
        memcpy(&end, data + n - sizeof end, sizeof end);
        ok = h.a == end.a && h.b == end.b;
    }
    free(data);
    return ok;
}

/* Ours alone, whatever the linker made of its mode, and with its hash. */
static bool seal(const char *path)
{
    size_t n = 0;
    unsigned char *data = chmod(path, S_IRWXU) ? NULL : slurp(path, &n);
    struct hash h = hash_more(hash_start, data, data ? n : 0);
    FILE *f = data && n ? fopen(path, "ab") : NULL;
    bool ok = f && fwrite(&h, sizeof h, 1, f) == 1;
    free(data);
    return f && !fclose(f) && ok;
}

static bool load(struct native *n, const char *path)
{
    if (!whole(path) || !(n->library = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
        return false;
    void *table = dlsym(n->library, REGION_TABLE);
    n->table = table;
    return table != NULL;
}

/* ---- making one ---- */

/* An entry that is being made: a translation, the compiler at work on it, and where it goes. */
struct native_making {
    char *text;
    size_t size;
    unsigned parts;
    char folder[ROOM], path[ROOM + 64], source[ROOM + 64], object[ROOM + 64];
    char part[NATIVE_PARTS][ROOM + 72];             /* the parts of the object */
    struct compiler compiler;
};

static bool start_compiler(struct native_making *w, struct hd_err *err)
{
    enum { BEFORE = 6 };
    const char *argv[BEFORE + OPTIONS + 1] = { "sh", "-c", script[w->parts], "sh", w->object,
                                               w->source };
    _Static_assert(BEFORE + OPTIONS + 1 <= COMPILER_WORDS, "all options are passed on");
    memcpy(argv + BEFORE, options, sizeof options);
    for (unsigned k = 0; k < NATIVE_PARTS; k++) {
        snprintf(w->part[k], sizeof w->part[k], "%s.%u", w->object, k);
        scratch_add(w->part[k]);
    }
    const int why = compiler_start(&w->compiler, argv, w->object, w->source);
    if (why)
        hd_err_set(err, 2, "the C compiler (cc) cannot be started: %s", strerror(why));
    return !why;
}

static void remove_parts(struct native_making *w)
{
    for (unsigned k = 0; k < NATIVE_PARTS && *w->part[k]; k++)
        scratch_remove(w->part[k]);
}

/* The files are there, and the compiler runs; false: neither. */
static bool make_begin(struct native_making *w, struct hd_err *err)
{
    snprintf(w->source, sizeof w->source, "%s/source-XXXXXX", w->folder);
    snprintf(w->object, sizeof w->object, "%s/object-XXXXXX", w->folder);
    int in = scratch_file(w->source), out = in >= 0 ? scratch_file(w->object) : -1;
    bool ok = out >= 0;
    for (size_t at = 0; ok && at < w->size; ) {
        ssize_t n = write(in, w->text + at, w->size - at);
        ok = n > 0;
        at += ok ? (size_t)n : 0;
    }
    if (!ok)
        hd_err_set(err, 2, "%s cannot be written: %s", w->folder, strerror(errno));
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    ok = ok && start_compiler(w, err);
    if (!ok)
        remove_parts(w);
    if (!ok && out >= 0)
        scratch_remove(w->object);
    if (!ok && in >= 0)
        scratch_remove(w->source);
    return ok;
}

/* The compiler has ended with that status. */
static bool make_end(struct native_making *w, int status, struct hd_err *err)
{
    bool ok = !status;
    if (status == COMPILER_MISSING || status == COMPILER_MISSING - 1)
        hd_err_set(err, 2, "there is no C compiler (cc)");
    else if (!ok)
        hd_err_set(err, 4, "the C compiler (cc) refuses the translation");
    if (ok && (!seal(w->object) || !scratch_rename(w->object, w->path)))
        ok = false, hd_err_set(err, 2, "%s cannot be written: %s", w->path, strerror(errno));
    if (!ok)
        scratch_remove(w->object);
    remove_parts(w);
    scratch_remove(w->source);
    return ok;
}

/* By instruction, the block that begins there. */
static uint32_t *blocks_of(const struct native_code *of)
{
    uint32_t *block = malloc(((size_t)of->words + 1) * sizeof *block);
    for (uint32_t i = 0; block && i < of->words; i++)
        block[i] = NATIVE_NO_BLOCK;
    for (uint32_t k = 0; block && k < of->entries; k++)
        if (of->entry[k] / HD_INSN_BYTES < of->words)
            block[of->entry[k] / HD_INSN_BYTES] = k;
    return block;
}

/* *parts: of how many it is. */
static char *translate(const struct native_code *of, size_t *size, unsigned *parts)
{
    struct hd_insn *code = calloc((size_t)of->words + 1, sizeof *code);
    bool *legal = calloc((size_t)of->words + 1, sizeof *legal);
    uint32_t *block = blocks_of(of);
    struct native_run *run = NULL;
    uint32_t n = 0;
    char *c = NULL;
    for (uint32_t i = 0; code && legal && i < of->words; i++)
        legal[i] = hd_decode(&of->text[i], of->stack_mode, &code[i]);
    FILE *out = code && legal && block && (run = native_runs(code, legal, of->words, &n))
              ? open_memstream(&c, size) : NULL;
    if (out) {
        *parts = native_emit(out, code, run, n, of->entries ? block : NULL);
        if (fclose(out) || !*parts) {
            free(c);
            c = NULL;
        }
    }
    free(run);
    free(block);
    free(legal);
    free(code);
    return c;
}

static void making_free(struct native_making *w)
{
    if (w)
        free(w->text);
    free(w);
}

/* The translation, and the name of its entry, in which all is hashed that decides about it. */
static struct native_making *making_new(const struct native_code *of, const char *folder,
                                        struct hd_err *err)
{
    struct native_making *w = calloc(1, sizeof *w);
    if (!w || !(w->text = translate(of, &w->size, &w->parts))) {
        making_free(w);
        hd_err_set(err, 4, "no memory");
        return NULL;
    }
    struct hash h = hash_processor(hash_more(hash_start, w->text, w->size));
    for (int k = 0; k < OPTIONS; k++)
        h = hash_more(h, options[k], strlen(options[k]) + 1);
    if (!folder_of(w->folder, folder, err)) {
        making_free(w);
        return NULL;
    }
    snprintf(w->path, sizeof w->path, "%s/native-%016llx%016llx.so", w->folder,
             (unsigned long long)h.a, (unsigned long long)h.b);
    return w;
}

/* ---- the interface ---- */

static struct native *loaded(const char *path)
{
    struct native *n = calloc(1, sizeof *n);
    if (n && !load(n, path)) {
        native_free(n);
        n = NULL;
    }
    return n;
}

struct native *native_find(const struct native_code *of, const char *folder)
{
    struct hd_err err = { 0 };
    struct native_making *w = making_new(of, folder, &err);
    struct native *n = w ? loaded(w->path) : NULL;
    making_free(w);
    return n;
}

struct native_making *native_begin(const struct native_code *of, const char *folder)
{
    struct hd_err err = { 0 };
    struct native_making *w = making_new(of, folder, &err);
    if (w && make_begin(w, &err))
        return w;
    making_free(w);
    return NULL;
}

bool native_ended(struct native_making *w, struct native **made)
{
    struct hd_err err = { 0 };
    int status = 0;
    if (!compiler_ended(&w->compiler, 0, &status))
        return false;
    *made = make_end(w, status, &err) ? loaded(w->path) : NULL;
    making_free(w);
    return true;
}

void native_stop(struct native_making *w)
{
    struct hd_err err = { 0 };
    if (!w)
        return;
    compiler_stop(&w->compiler);
    make_end(w, COMPILER_BROKEN, &err);
    making_free(w);
}

struct native *native_open(const struct native_code *of, const char *folder, struct hd_err *err)
{
    int status = 0;
    struct native_making *w = making_new(of, folder, err);
    struct native *n = w ? loaded(w->path) : NULL;
    if (w && !n && make_begin(w, err)) {
        compiler_ended(&w->compiler, -1, &status);
        if (make_end(w, status, err) && !(n = loaded(w->path)))
            hd_err_set(err, 4, "%s cannot be loaded", w->path);
    }
    making_free(w);
    return n;
}

void native_free(struct native *n)
{
    if (n && n->library)
        dlclose(n->library);
    free(n);
}
