/* CUDA C to PTX: runs clang with our header in front of the source.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The flags are those whose PTX a GPU's own assembler accepts too, so one file runs on both.
 * clang's messages go to standard error as they are.  The headers, and empty stand-ins for those
 * of the SDK, live in a directory of their own for the time of the run.
 *
 * Requires: clang, found by PATH.
 * Ensures:  PTX text that the caller frees; or a status other than 0, and err says why. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmodel/base/infile.h"
#include "cmodel/base/scratch.h"
#include "compiler/all.h"
#include "compiler/clang.h"

static const char header[] =
#include "heddle_cuda.inc"
;
static const char predict_h[] =
#include "simt_predict.inc"
;
static const char assert_h[] =
    "#undef assert\n#ifdef NDEBUG\n#define assert(c) ((void)0)\n#else\n"
    "#define assert(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, "
    "__PRETTY_FUNCTION__))\n#endif\n";
static const char *const stand_ins[] = { "cuda_runtime.h",     "cuda.h",
                                         "cuda_runtime_api.h", "device_launch_parameters.h",
                                         "device_functions.h", "math_functions.h",
                                         "vector_types.h" };
enum { STAND_INS = sizeof stand_ins / sizeof *stand_ins };

/* The directory, and what is in it: the headers, and the PTX that clang prints. */
enum { HEADERS = 3, PTX = HEADERS + STAND_INS, FILES };
struct work { char dir[200], file[FILES][260]; int fd; };

static bool write_file(struct work *w, int k, const char *name, const char *text)
{
    FILE *f;
    /* not straight into *w: gcc 12 takes both for one object where it sanitises (-Wrestrict) */
    char path[sizeof w->file[k]] = "";
    snprintf(path, sizeof path, "%s/%s", w->dir, name);
    memcpy(w->file[k], path, sizeof path);
    if (!scratch_add(w->file[k]) || !(f = fopen(w->file[k], "w"))) return false;
    bool ok = fputs(text, f) >= 0;
    return !fclose(f) && ok;
}

static bool work_open(struct work *w)
{
    const char *tmp = getenv("TMPDIR");
    *w = (struct work){ .fd = -1 };
    snprintf(w->dir, sizeof w->dir, "%s/heddle-XXXXXX", tmp && strlen(tmp) < 150 ? tmp : "/tmp");
    if (!scratch_folder(w->dir)) return false;
    bool ok = write_file(w, 0, "heddle_cuda.h", header) &&
              write_file(w, 1, "simt_predict.h", predict_h) &&
              write_file(w, 2, "assert.h", assert_h) &&
              write_file(w, PTX, "k.ptx", "");
    for (int k = 0; k < STAND_INS; k++) ok = ok && write_file(w, HEADERS + k, stand_ins[k], "");
    return ok && (w->fd = open(w->file[PTX], O_WRONLY | O_CLOEXEC)) >= 0;
}

static void work_close(struct work *w)
{
    if (w->fd >= 0) close(w->fd);
    for (int k = 0; k < FILES; k++)
        if (w->file[k][0]) scratch_remove(w->file[k]);
    scratch_remove(w->dir);
}

/* The same for `heddle cc', `heddle nvcc' and NVRTC. */
const char *const cuda_flags[] = {
    "-Xclang", "-target-feature", "-Xclang", "+ptx64", "-O2", "-fno-unroll-loops",
    "-fno-finite-loops",                               /* a loop without an end stays */
    "-fcheck-new",                                     /* new gives 0 where the heap is full */
    "-mllvm", "-simplifycfg-sink-common=false", "-gline-tables-only",
    /* quotients and conversions of 128 bits are code: for calls LLVM has no name here, and ends */
    "-mllvm", "-expand-div-rem-bits=64", "-mllvm", "-expand-fp-convert-bits=64",
    "-mllvm", "-trap-unreachable",      /* or a switch whose cases are all gets a way to an exit */
    "-fcomplex-arithmetic=improved",    /* for products and quotients there is no library here */
    "-fno-crash-diagnostics",           /* no files of its own in the temporary folder */
    "-Xclang", "-no-enable-noundef-analysis",         /* shuffled values may be set in one lane */
    "-Xclang", "-ffp-contract=fast-honor-pragmas",     /* but not what __fmul_rn and such return */
    NULL };

/* It makes no files of its own: the PTX is what it prints. */
static int run_clang(const char *cu, const struct work *w, const struct cc_options *opt,
                     struct hd_err *err)
{
    char map[300];
    /* the same source, the same image */
    snprintf(map, sizeof map, "-fdebug-prefix-map=%s=/heddle", w->dir);
    const char *const fixed[] = { cuda_clang,
                                  "-x",
                                  "cuda",
                                  "--cuda-device-only",
                                  "--cuda-gpu-arch=sm_70",
                                  "--cuda-path=/nonexistent",
                                  "-nocudainc",
                                  "-nocudalib",
                                  map,
                                  "-include",
                                  w->file[0],
                                  "-isystem",
                                  w->dir,
                                  "-S",
                                  cu,
                                  "-o",
                                  "-" };
    int n = sizeof fixed / sizeof *fixed, extra = opt ? opt->ncpp : 0, more = 0;
    while (cuda_flags[more]) more++;
    const char **argv = calloc((size_t)(n + more + extra + 1), sizeof *argv);
    if (!argv) return hd_err_set(err, 4, "%s: no memory", cu), 4;
    memcpy(argv, fixed, sizeof fixed);
    for (int k = 0; k < more; k++) argv[n + k] = cuda_flags[k];
    for (int k = 0; k < extra; k++) argv[n + more + k] = opt->cpp[k];
    int status = clang_run(argv, w->fd, cu, err);
    free(argv);
    return status;
}

/* A file as the compiler reads it; the caller frees it. */
char *cc_read(const char *path, size_t *len, struct hd_err *err)
{
    FILE *f = infile_open(path, err);
    struct stat st;
    if (!f) return NULL;
    bool whole = !fstat(fileno(f), &st) && S_ISREG(st.st_mode);
    char *text = whole ? malloc((size_t)st.st_size + 1) : NULL;
    if (text) text[*len = fread(text, 1, (size_t)st.st_size, f)] = 0;
    else hd_err_set(err, 2, "%s: cannot be read: %s", path, whole ? "no memory" : "it is no file");
    fclose(f);
    return text;
}

/* A whole program, whose host side clang does not find declared here. */
static bool has_host_code(const char *cu)
{
    struct hd_err unseen = { 0 };
    size_t len = 0;
    char *text = cc_read(cu, &len, &unseen);
    if (!text) return false;
    bool has = strstr(text, "<<<") || strstr(text, "cudaMalloc") || strstr(text, "cudaLaunch");
    free(text);
    return has;
}

int cuda_to_ptx(const char *cu, const struct cc_options *opt, char **ptx, size_t *len,
                struct hd_err *err)
{
    struct work w;
    int status = 0;
    *ptx = NULL;
    FILE *in = infile_open(cu, err);
    if (!in) return -1;
    fclose(in);
    if (!work_open(&w)) {
        hd_err_set(err, 2, "%s: cannot be written: %s", w.dir, strerror(errno));
        work_close(&w);
        return -1;
    }
    status = run_clang(cu, &w, opt, err);
    if (err->status) status = err->status;
    else if (status && has_host_code(cu))
        hd_err_set(
            err, 2,
            "%s: has host code, which is not for this command: `heddle nvcc %s -o PROGRAM` builds "
            "a "
            "program (cuda/docs/programs.md)",
            cu, cu);
    else if (status) hd_err_set(err, 2, "%s: clang does not accept it", cu);
    else *ptx = cc_read(w.file[PTX], len, err);
    work_close(&w);
    return *ptx ? 0 : -1;
}
