/* Runs clang.  SPDX-License-Identifier: Apache-2.0
 *
 * What clang says goes on to standard error, but for the report of a crash: its stack dump is for
 * clang's authors, and hides the cause, which the user needs.
 *
 * Requires: a command of clang, found by PATH.
 * Ensures:  its exit status, 127: it cannot be run; or a status of ours, and err says why. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "compiler/all.h"
#include "compiler/clang.h"
#include "cmodel/base/can.h"

/* CLANG_VERSION is the makefile's: no other version, which would make other code. */
#define NAME(version) "clang-" #version
#define NAME_OF(version) NAME(version)
const char cuda_clang[] = NAME_OF(CLANG_VERSION);

/* Causes that are the source's, in its words. */
static const struct { const char *says, *means; } causes[] = {
    { "Circular dependency found in global variable set",
      "the initial values of __device__ variables hold each other's addresses, or their own, in a "
      "circle, which PTX cannot say: store one of the addresses in a kernel, or by "
      "cudaMemcpyToSymbol" },
    { "No space left on device", "No space left on device, for its output or in TMPDIR" },
};

/* It ends with its parent. */
_Noreturn static void exec_clang(const char *const *argv, int out, int said, bool colour,
                                 pid_t parent)
{
    size_t n = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || (out >= 0 && dup2(out, STDOUT_FILENO) < 0) ||
        dup2(said, STDERR_FILENO) < 0)
        _exit(1);
    while (argv[n]) n++;
    char **with = calloc(n + 2, sizeof *with);
    if (!with || setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 1)) _exit(127);   /* it leaves files */
    for (size_t k = 0; k < n; k++) with[k] = (char *)(uintptr_t)argv[k];
    if (colour) with[n] = (char *)(uintptr_t)"-fcolor-diagnostics";
    execvp(with[0], with);
    _exit(127);
}

/* All that comes; the caller frees it. */
static char *read_all(int fd)
{
    char *text = NULL, part[4096];
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    for (ssize_t n; f && (n = read(fd, part, sizeof part)) != 0;)
        if (n > 0) fwrite(part, 1, (size_t)n, f);
        else if (errno != EINTR) break;
    if (f) fclose(f);
    return text;
}

/* The start of the line in which `word` is; NULL: it is nowhere. */
static char *line_of(char *text, const char *word)
{
    char *at = strstr(text, word);
    while (at && at > text && at[-1] != '\n') at--;
    return at;
}

/* Takes the report of a crash off what was said.  False: there is none. */
static bool take_crash(char *text, int status, const char *source, struct hd_err *err)
{
    static const char in_backend[] = "error in backend: ";
    char *dump = line_of(text, "PLEASE submit a bug report");
    char *cause = strstr(text, in_backend), *line = line_of(text, in_backend);
    if (!dump) dump = line_of(text, "Stack dump:");
    if (!dump && !WIFSIGNALED(status)) return false;
    if (dump) *dump = 0;
    if (dump && cause && cause < dump) {
        cause += strlen(in_backend);
        cause[strcspn(cause, "\n")] = 0;
        for (size_t k = 0; k < sizeof causes / sizeof *causes; k++)
            if (strstr(cause, causes[k].says)) cause = (char *)(uintptr_t)causes[k].means;
        hd_err_set(err, 2, "%s: %s cannot compile it: %s", source, cuda_clang, cause);
        *line = 0;
    } else
        hd_err_set(err, 2, "%s: %s crashed on it (%s %d)", source, cuda_clang,
                   WIFSIGNALED(status) ? "signal" : "exit status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return true;
}

int clang_run(const char *const *argv, int out, const char *source, struct hd_err *err)
{
    int said[2], status = 0;
    const bool colour = isatty(STDERR_FILENO);
    if (!can.processes) {
        hd_err_set(err, 2, "%s: CUDA C needs %s, which does not run here: give the PTX that it "
                   "writes", source, cuda_clang);
        return 2;
    }
    if (pipe2(said, O_CLOEXEC)) {
        hd_err_set(err, 4, "%s: can't run clang: %s", source, strerror(errno));
        return 4;
    }
    pid_t parent = getpid(), pid = fork();
    if (!pid) exec_clang(argv, out, said[1], colour, parent);
    close(said[1]);
    char *text = pid > 0 ? read_all(said[0]) : NULL;
    close(said[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (pid < 0) hd_err_set(err, 4, "%s: can't run clang: %s", source, strerror(errno));
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        hd_err_set(err, 2, "%s: CUDA C needs %s, which is not installed (apt-get install %s)",
                   source, cuda_clang, cuda_clang);
    else if (status && text) take_crash(text, status, source, err);
    if (text) fputs(text, stderr);
    free(text);
    return err->status ? err->status : WEXITSTATUS(status);
}
