/* CUDA C to PTX: runs clang with our header in front of the source.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The flags are those whose PTX a GPU's own assembler accepts too, so one file runs on both.
 * clang's messages go to standard error as they are.  The headers, and empty stand-ins for those
 * of the SDK, live in a directory of their own for the time of the run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "compiler/all.h"

static const char header[] =
#include "heddle_cuda.inc"
;
static const char predict_h[] =
#include "simt_predict.inc"
;
static const char assert_h[] = "#undef assert\n#define assert(c) ((c) ? (void)0 : __trap())\n";
static const char *const stand_ins[] = { "cuda_runtime.h",     "cuda.h",
                                         "cuda_runtime_api.h", "device_launch_parameters.h",
                                         "device_functions.h", "math_functions.h",
                                         "vector_types.h" };
enum { STAND_INS = sizeof stand_ins / sizeof *stand_ins };

static bool write_file(const char *dir, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    if (!f) return false;
    bool ok = fputs(text, f) >= 0;
    return !fclose(f) && ok;
}

static void remove_dir(const char *dir)
{
    char path[300];
    const char *const more[] = { "heddle_cuda.h", "simt_predict.h", "assert.h", "k.ptx" };
    const int n = sizeof more / sizeof *more;
    for (int k = 0; k < STAND_INS + n; k++) {
        snprintf(path, sizeof path, "%s/%s", dir,
                 k < STAND_INS ? stand_ins[k] : more[k - STAND_INS]);
        unlink(path);
    }
    rmdir(dir);
}

static bool fill_dir(const char *dir)
{
    bool ok = write_file(dir, "heddle_cuda.h", header) && write_file(dir, "simt_predict.h", predict_h) &&
              write_file(dir, "assert.h", assert_h);
    for (int k = 0; k < STAND_INS; k++) ok = ok && write_file(dir, stand_ins[k], "");
    return ok;
}

_Noreturn static void exec_clang(const char *cu, const char *dir, const struct cc_options *opt)
{
    char include[300], out[300], map[300];
    snprintf(include, sizeof include, "%s/heddle_cuda.h", dir);
    snprintf(out, sizeof out, "%s/k.ptx", dir);
    snprintf(map, sizeof map, "-fdebug-prefix-map=%s=/heddle", dir);     /* the same source, the same image */
    const char *const fixed[] = { "clang",
                                  "-x",
                                  "cuda",
                                  "--cuda-device-only",
                                  "--cuda-gpu-arch=sm_70",
                                  "--cuda-path=/nonexistent",
                                  "-nocudainc",
                                  "-nocudalib",
                                  "-Xclang",
                                  "-target-feature",
                                  "-Xclang",
                                  "+ptx64",
                                  "-O2",
                                  "-fno-unroll-loops",
                                  "-mllvm",
                                  "-simplifycfg-sink-common=false",
                                  "-gline-tables-only",
                                  map,
                                  "-include",
                                  include,
                                  "-isystem",
                                  dir,
                                  "-S",
                                  cu,
                                  "-o",
                                  out };
    int n = sizeof fixed / sizeof *fixed, extra = opt ? opt->ncpp : 0;
    char **argv = calloc((size_t)(n + extra + 1), sizeof *argv);
    if (!argv) _exit(127);
    for (int k = 0; k < n; k++) argv[k] = (char *)(uintptr_t)fixed[k];
    for (int k = 0; k < extra; k++) argv[n + k] = (char *)(uintptr_t)opt->cpp[k];
    execvp("clang-14", argv);
    execvp("clang", argv);
    _exit(127);
}

static char *read_all(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    struct stat st;
    if (fstat(fileno(f), &st) || !S_ISREG(st.st_mode)) {
        fclose(f);
        errno = EISDIR;
        return NULL;
    }
    char *text = malloc((size_t)st.st_size + 1);
    *len = text ? fread(text, 1, (size_t)st.st_size, f) : 0;
    fclose(f);
    return text;
}

/* A file as the compiler reads it; the caller frees it. */
char *cc_read(const char *path, size_t *len, struct hd_err *err)
{
    char *text = read_all(path, len);
    if (!text) hd_err_set(err, 2, "%s: %s", path, strerror(errno));
    return text;
}

int cuda_to_ptx(const char *cu, const struct cc_options *opt, char **ptx, size_t *len,
                struct hd_err *err)
{
    char dir[200], out[260];
    const char *tmp = getenv("TMPDIR");
    int status = 0;
    if (access(cu, R_OK)) {
        hd_err_set(err, 2, "%s: %s", cu, strerror(errno));
        return -1;
    }
    snprintf(dir, sizeof dir, "%s/heddle-XXXXXX", tmp && strlen(tmp) < 150 ? tmp : "/tmp");
    if (!mkdtemp(dir)) {
        hd_err_set(err, 2, "%s: %s", dir, strerror(errno));
        return -1;
    }
    pid_t pid = fill_dir(dir) ? fork() : -1;
    if (!pid) exec_clang(cu, dir, opt);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    snprintf(out, sizeof out, "%s/k.ptx", dir);
    *ptx = NULL;
    if (pid < 0) hd_err_set(err, 4, "%s: can't run clang: %s", cu, strerror(errno));
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        hd_err_set(err, 2,
                   "%s: CUDA C needs clang 14, which is not installed (apt-get install clang-14)",
                   cu);
    else if (status) hd_err_set(err, 2, "%s: clang does not accept it", cu);
    else *ptx = cc_read(out, len, err);
    remove_dir(dir);
    return *ptx ? 0 : -1;
}
