/* Compiles each source, host and device, and links.  SPDX-License-Identifier: Apache-2.0
 *
 * clang compiles a .cu file twice: to PTX, which becomes a fat binary, and to host code, which
 * carries it and registers it with the run time before main.  Other sources are the host
 * compiler's. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cmodel/base/scratch.h"
#include "cmodel/image/image.h"
#include "compiler/all.h"
#include "compiler/clang.h"
#include "cuda/code/fatbin.h"
#include "cuda/code/names.h"
#include "cuda/nvcc/nvcc.h"

static struct { char folder[3000], resource[600], work[200]; } here;

/* Runs a command; source: of clang's, NULL: it is another one.  Its exit status; 127: it is not
 * there. */
static int command(const struct nvcc *n, const struct words *w, const char *source)
{
    int status = 0;
    for (size_t k = 0; n->verbose && k < w->n; k++)
        fprintf(stderr, "%s%s", w->word[k], k + 1 < w->n ? " " : "\n");
    if (n->dry_run)
        return 0;
    if (source) {
        struct hd_err err = { 0 };
        status = clang_run((const char *const *)w->word, -1, source, &err);
        if (err.status)
            fprintf(stderr, "heddle nvcc: %s\n", err.text);
        return status;
    }
    pid_t pid = fork();
    if (!pid) {
        execvp(w->word[0], w->word);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 127)
        fprintf(stderr, "heddle nvcc: %s cannot be run: %s\n", w->word[0],
                pid < 0 ? strerror(errno) : "it is not installed, or ended by a signal");
    return pid < 0 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

/* Where clang's own headers are. */
static bool find_clang(void)
{
    char *ask = words_print("%s -print-resource-dir 2>/dev/null", cuda_clang);
    FILE *f = popen(ask, "r");
    bool got = f && fgets(here.resource, sizeof here.resource, f);
    if (f)
        pclose(f);
    free(ask);
    here.resource[strcspn(here.resource, "\n")] = 0;
    if (!got)
        fprintf(stderr, "heddle nvcc: needs %s, which is not installed (apt-get install %s)\n",
                cuda_clang, cuda_clang);
    return got;
}

/* `make run` builds neither the headers nor the run time. */
static bool is_whole(void)
{
    static const char *const files[] = { "include/heddle_program.h", "libheddle_cudart.so" };
    for (int k = 0; k < 2; k++) {
        char *path = words_print("%s/%s", here.folder, files[k]);
        bool there = !access(path, R_OK);
        if (!there)
            fprintf(stderr, "heddle nvcc: %s is not there: `make` builds it\n", path);
        free(path);
        if (!there)
            return false;
    }
    return true;
}

/* The folder where include/ and the run time are: this program's, or, installed, lib/heddle beside
 * that; a folder for what lies between two steps. */
static bool find_places(void)
{
    ssize_t len = readlink("/proc/self/exe", here.folder, sizeof here.folder - 1);
    here.folder[len < 0 ? 0 : len] = 0;
    dirname(here.folder);
    char *real = words_print("%s/../lib/heddle/libheddle_cudart.so", here.folder),
         *installed = realpath(real, NULL);
    if (installed)
        snprintf(here.folder, sizeof here.folder, "%s", dirname(installed));
    free(installed);
    free(real);
    const char *tmp = getenv("TMPDIR");
    snprintf(here.work, sizeof here.work, "%s/heddle-XXXXXX",
             tmp && strlen(tmp) < 150 ? tmp : "/tmp");
    if (scratch_folder(here.work))
        return true;
    fprintf(stderr, "heddle nvcc: %s cannot be made: %s\n", here.work, strerror(errno));
    return false;
}

static char *between(const char *name, unsigned k, const char *suffix)
{
    char *copy = words_print("%s", name),
         *path = words_print("%s/%s-%u%s", here.work, basename(copy), k, suffix);
    scratch_add(path);
    return path;
}

/* What host and device compilation of CUDA have in common. */
static struct words clang_cuda(const struct nvcc *n, const char *side, const struct cuda_source *s)
{
    struct words w = { 0 };
    const char *const first[] = { cuda_clang,
                                  "-x",
                                  "cuda",
                                  side,
                                  "--cuda-gpu-arch=sm_70",
                                  "--cuda-path=/nonexistent",
                                  "-nocudainc",
                                  "-nocudalib",
                                  "-Xclang",
                                  "-target-sdk-version=11.5",
                                  "-Wno-c++11-narrowing",
                                  "-Wno-register",
                                  "-Wno-static-float-init",
                                  "-Wno-unknown-cuda-version",
                                  "-Wno-unused-command-line-argument",
                                  "-Wno-unknown-warning-option",
                                  "-Wno-unknown-pragmas",
                                  "-Wno-pass-failed",
                                  "-Wno-reserved-user-defined-literal",      /* "%"PRIu64 */
                                  "-Wno-unused-value",
                                  "-Wno-format" };
    for (size_t k = 0; k < sizeof first / sizeof *first; k++)
        words_add(&w, first[k]);
    words_add(&w, "-Xclang");
    words_add(&w, words_print("-cuid=%08x", s->id));
    words_add(&w, words_print("-std=%s", n->standard));
    words_add(&w, "-isystem");
    words_add(&w, words_print("%s/include/cuda_wrappers", here.resource));
    words_add(&w, "-isystem");
    words_add(&w, words_print("%s/include", here.folder));
    words_add(&w, "-include");
    words_add(&w, "heddle_program.h");
    if (nvcc_is_module(n)) {
        words_add(&w, "-include");
        words_add(&w, "heddle_module.h");
    }
    if (s->own_warp_size)
        words_add(&w, "-DHEDDLE_OWN_WARP_SIZE");
    if (n->separate) words_add(&w, "-D__CUDACC_RDC__");
    if (s->code) words_add(&w, words_print("-DHEDDLE_DEVICE_CODE=%s", s->code));
    words_all(&w, &n->cpp);
    if (s->overlay) {
        words_add(&w, "-ivfsoverlay");
        words_add(&w, s->overlay);
    }
    if (n->openmp) {          /* its pragmas are ignored in CUDA sources; its functions are gcc's */
        words_add(&w, "-idirafter");
        words_add(&w, words_print("/usr/lib/gcc/x86_64-linux-gnu/%d/include", __GNUC__));
    }
    return w;
}

static int make_ptx(const struct nvcc *n, const struct cuda_source *s, const char *ptx)
{
    struct words w = clang_cuda(n, "--cuda-device-only", s);
    for (const char *const *flag = cuda_flags; *flag; flag++)
        words_add(&w, *flag);
    words_all(&w, &n->device);
    if (n->arch != 70) {      /* clang makes the same code of the same source */
        words_add(&w, "-Wno-builtin-macro-redefined");
        words_add(&w, "-U__CUDA_ARCH__");
        words_add(&w, words_print("-D__CUDA_ARCH__=%u0", n->arch));
    }
    words_add(&w, n->preprocess ? "-E" : "-S");
    words_add(&w, s->path);
    words_add(&w, "-o");
    words_add(&w, ptx);
    return command(n, &w, s->path);
}

/* Kernels that cannot run are said now; the others can. */
static void check(const char *source, const char *ptx)
{
    static const struct cc_options defaults;
    struct hd_err err = { 0 };
    char *refused = NULL;
    struct hd_image *img = hd_compile_some("device code", ptx, &defaults, &refused, &err);
    if (!img)
        fprintf(stderr, "%s: warning: its kernels cannot run: %s\n", source, err.text);
    for (const char *p = refused; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
        size_t name = strcspn(p, "\t"), n = strcspn(p, "\n");
        char line[3000], plain[3000];
        snprintf(line, sizeof line, "`%.*s` cannot run: %.*s", (int)name, p, (int)(n - name) - 1,
                 p + name + 1);
        names_plain(line, plain, sizeof plain);
        fprintf(stderr, "%s: warning: %s\n", source, plain);
    }
    hd_image_free(img);
    free(refused);
}

static int make_fatbin(const struct nvcc *n, const char *source, const char *ptx,
                       const char *fatbin)
{
    struct hd_err err = { 0 };
    size_t len = 0;
    if (n->dry_run)
        return 0;
    char *text = cc_read(ptx, &len, &err);
    FILE *f = text ? fopen(fatbin, "wb") : NULL;
    bool ok = f && fatbin_write(f, text, len, n->arch, n->separate);
    ok = f && !fclose(f) && ok;
    if (ok && !n->separate)
        check(source, text);
    if (!ok)
        fprintf(stderr, "heddle nvcc: %s cannot be written: %s\n", fatbin,
                err.status ? err.text : strerror(errno));
    free(text);
    return ok ? 0 : 2;
}

static int compile_cuda(const struct nvcc *n, const char *source, unsigned k, const char *object)
{
    struct cuda_source s = { .path = source, .id = 5381 };
    for (const char *p = source; *p; p++)
        s.id = s.id * 33 + (unsigned char)*p;
    if (n->separate && (n->compile_only || n->library))
        s.code = nvcc_code_symbol(source, object);
    if (!nvcc_brackets(n, &s, between)) {
        fprintf(stderr, "heddle nvcc: %s cannot be written: %s\n", here.work, strerror(errno));
        return 2;
    }
    char *ptx = between(source, k, ".ptx"), *fatbin = between(source, k, ".fatbin");
    if (n->ptx_only || n->preprocess)
        return make_ptx(n, &s, object);
    int status = n->depends_only ? 0 : make_ptx(n, &s, ptx);
    if (status && s.lacks_thrust)
        fprintf(stderr, "heddle nvcc: thrust and CUB are not part of Heddle: `make deps` installs "
                "Debian's, and -I names those of an SDK\n");
    if (!status && !n->depends_only)
        status = make_fatbin(n, source, ptx, n->fatbin_only ? object : fatbin);
    if (status || n->fatbin_only)
        return status;
    struct words w = clang_cuda(n, "--cuda-host-only", &s);
    if (!n->depends_only) {
        words_add(&w, "-Xclang");
        words_add(&w, "-fcuda-include-gpubinary");
        words_add(&w, "-Xclang");
        words_add(&w, fatbin);
        words_add(&w, "-c");
    }
    words_all(&w, &n->host);
    words_all(&w, &n->depends);
    words_add(&w, source);
    words_add(&w, "-o");
    words_add(&w, object);
    return command(n, &w, source);
}

static const char *host_compiler(const struct nvcc *n) { return n->ccbin ? n->ccbin : "g++"; }

static bool ends(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n > m && !strcmp(s + n - m, suffix);
}

static int compile_host(const struct nvcc *n, const char *source, const char *object)
{
    struct words w = { 0 };
    words_add(&w, ends(source, ".c") && !n->ccbin ? "gcc" : host_compiler(n));
    if (!ends(source, ".c"))
        words_add(&w, words_print("-std=%s", n->standard));
    words_all(&w, &n->cpp);
    words_add(&w, "-isystem");
    words_add(&w, words_print("%s/include", here.folder));
    words_all(&w, &n->host);
    if (n->openmp)
        words_add(&w, "-fopenmp");
    words_all(&w, &n->depends);
    if (!n->depends_only)
        words_add(&w, n->preprocess ? "-E" : "-c");
    words_add(&w, source);
    words_add(&w, "-o");
    words_add(&w, object);
    return command(n, &w, NULL);
}

static bool is_host_source(const char *s)
{
    return ends(s, ".c") || ends(s, ".cc") || ends(s, ".cpp") || ends(s, ".cxx") || ends(s, ".C");
}

static int link_all(const struct nvcc *n, const struct words *objects)
{
    struct words w = { 0 };
    words_add(&w, host_compiler(n));
    words_add(&w, "-o");
    words_add(&w, n->output ? n->output : "a.out");
    words_add(&w, words_print("-L%s", here.folder));    /* before those of an SDK */
    words_all(&w, objects);
    struct words code = { 0 };
    nvcc_archived_code(n, &code);
    for (size_t k = 0; k < code.n; k++)
        words_add(&w, words_print("-Wl,-u,%s", code.word[k]));
    words_all(&w, &n->host);
    words_all(&w, &n->link);
    if (n->shared)
        words_add(&w, "-shared");
    if (n->openmp)
        words_add(&w, "-fopenmp");
    words_add(&w, words_print("-Wl,-rpath,%s", here.folder));
    words_add(&w, words_print("-Wl,-rpath,%s/cuda", here.folder));   /* dlopen("libcuda.so.1") */
    words_add(&w, "-lheddle_cudart");
    words_add(&w, "-rdynamic");      /* so that reports name the function that allocated a buffer */
    return command(n, &w, NULL);
}

/* A file for each source, and no program. */
static bool one_each(const struct nvcc *n)
{
    return n->compile_only || n->ptx_only || n->fatbin_only || n->preprocess ||
           n->depends_only;
}

/* The name of a source's object: beside us, not beside the source. */
static const char *object_name(const struct nvcc *n, const char *source, unsigned k)
{
    if (!one_each(n))
        return between(source, k, ".o");
    if (n->output)
        return n->output;
    if (n->preprocess || n->depends_only)
        return "-";
    char *copy = words_print("%s", source), *name = basename(copy), *dot = strrchr(name, '.');
    const int length = (int)(dot ? dot - name : (long)strlen(name));
    const char *folder = n->folder ? n->folder : ".";
    return words_print("%s/%.*s.%s", folder, length, name,
                       n->ptx_only ? "ptx" : n->fatbin_only ? n->module : "o");
}

/* What makefiles link after -dlink: it asks for the device code of archives, and has none. */
static int device_link(const struct nvcc *n)
{
    struct words code = { 0 };
    nvcc_archived_code(n, &code);
    char *source = between("dlink", 0, ".c");
    FILE *f = fopen(source, "w");
    for (size_t k = 0; f && k < code.n; k++)
        fprintf(f, "extern const char %s;\nstatic const char *const asks_%zu "
                "__attribute__((used)) = &%s;\n", code.word[k], k, code.word[k]);
    if (!f || fclose(f)) {
        fprintf(stderr, "heddle nvcc: %s cannot be written: %s\n", source, strerror(errno));
        return 2;
    }
    struct words w = { 0 };
    const char *const words[] = { "gcc", "-fPIC", "-c", source, "-o",
                                  n->output ? n->output : "a_dlink.o" };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        words_add(&w, words[k]);
    return command(n, &w, NULL);
}

static int archive(const struct nvcc *n, const struct words *objects)
{
    struct words w = { 0 };
    const char *path = n->output ? n->output : "a.a";
    const char *const words[] = { "ar", "rcs", path };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        words_add(&w, words[k]);
    words_all(&w, objects);
    if (!n->dry_run)
        remove(path);                       /* what it had before does not stay */
    return command(n, &w, NULL);
}

int nvcc_main(int argc, char **argv)
{
    struct nvcc n;
    struct words objects = { 0 };
    int status = nvcc_options(&n, argc, argv);
    if (status >= 0)
        return status;
    if (!find_places() || !is_whole() || !find_clang())
        return 2;
    if (n.verbose)
        nvcc_say_places(&n, host_compiler(&n), here.folder);
    if (n.device_link)
        return device_link(&n) ? 2 : 0;
    bool parts = one_each(&n);
    if (parts && n.output && n.inputs.n > 1) {
        fprintf(stderr, "heddle nvcc: -o with several files needs a link\n");
        return 2;
    }
    for (unsigned k = 0; k < n.inputs.n; k++) {
        const char *in = n.inputs.word[k], *object = object_name(&n, in, k);
        bool cuda = ends(in, ".cu") || (n.all_cuda && is_host_source(in));
        if (!cuda && !is_host_source(in)) {
            words_add(&objects, in);
            continue;
        }
        if (access(in, R_OK)) {
            fprintf(stderr, "heddle nvcc: %s: %s\n", in, strerror(errno));
            return 2;
        }
        status = cuda ? compile_cuda(&n, in, k, object) : compile_host(&n, in, object);
        if (status)
            return status == 1 ? 2 : status;
        words_add(&objects, object);
    }
    status = parts ? 0 : n.library ? archive(&n, &objects) : link_all(&n, &objects);
    return status > 0 ? 2 : status;
}
