/* NVRTC: device code that is compiled while the program runs, by the `heddle nvcc` beside us.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A program is a folder for a moment: its source, its headers by their names, the PTX and what the
 * compiler said.  What NVRTC knows by itself, assert and printf, stands before the source.  A cubin
 * is the same PTX, which is what our driver API loads.  The lowered name of an expression is what
 * clang puts into a variable that holds its address; that variable's line is taken out of the PTX
 * again. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cuda/include/nvrtc.h"

#define HOLDS "__heddle_rtc_name_"
struct text { char *name, *value; };
struct _nvrtcProgram {
    char *source, *name, *ptx, *log;
    struct text *headers, *lowered;      /* by name; by expression, NULL before compilation */
    int nheaders, nlowered;
    bool compiled;
};

const char *nvrtcGetErrorString(nvrtcResult e)
{
    static const char *const names[] = {
        "NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
        "NVRTC_ERROR_INVALID_INPUT", "NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION",
        "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION", "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
        "NVRTC_ERROR_INTERNAL_ERROR" };
    return (size_t)e < sizeof names / sizeof *names ? names[e] : "NVRTC_ERROR unknown";
}
nvrtcResult nvrtcVersion(int *major, int *minor)
{
    *major = 12, *minor = 0;
    return NVRTC_SUCCESS;
}
static const int archs[] = { 70, 72, 75, 80, 86, 87, 89, 90 };
nvrtcResult nvrtcGetNumSupportedArchs(int *n)
{
    *n = sizeof archs / sizeof *archs;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int *to)
{
    memcpy(to, archs, sizeof archs);
    return NVRTC_SUCCESS;
}

static char *copy(const char *s)
{
    char *c = strdup(s ? s : "");
    if (!c)
        abort();
    return c;
}
static struct text *add(struct text **list, int *n, const char *name, char *value)
{
    *list = realloc(*list, (size_t)(*n + 1) * sizeof **list);
    if (!*list)
        abort();
    (*list)[*n] = (struct text){ copy(name), value };
    return &(*list)[(*n)++];
}
static void drop(struct text *list, int n)
{
    for (int k = 0; k < n; k++)
        free(list[k].name), free(list[k].value);
    free(list);
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *source, const char *name, int n,
                               const char *const *headers, const char *const *names)
{
    if (!prog || !source || n < 0 || (n && (!headers || !names)))
        return NVRTC_ERROR_INVALID_INPUT;
    struct _nvrtcProgram *p = *prog = calloc(1, sizeof *p);
    if (!p)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    p->source = copy(source);
    p->name = copy(name ? name : "default_program");
    p->log = copy("");
    for (int k = 0; k < n; k++)
        add(&p->headers, &p->nheaders, names[k], copy(headers[k]));
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog)
{
    if (!prog || !*prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    drop((*prog)->headers, (*prog)->nheaders);
    drop((*prog)->lowered, (*prog)->nlowered);
    free((*prog)->source), free((*prog)->name), free((*prog)->ptx), free((*prog)->log);
    free(*prog);
    *prog = NULL;
    return NVRTC_SUCCESS;
}

/* ---- the folder ------------------------------------------------------------------------------ */

static char *print(const char *fmt, const char *a, const char *b)
{
    char *s;
    if (asprintf(&s, fmt, a, b) < 0)
        abort();
    return s;
}
static bool put(const char *folder, const char *name, const char *before, const char *text)
{
    char *path = print("%s/%s", folder, name);
    for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')); p++)
        *p = 0, mkdir(path, 0700), *p = '/';
    FILE *f = fopen(path, "w");
    bool ok = f && fputs(before, f) >= 0 && fputs(text, f) >= 0;
    ok = f && !fclose(f) && ok;
    free(path);
    return ok;
}
static char *get(const char *folder, const char *name)
{
    char *path = print("%s/%s", folder, name), *text = NULL;
    size_t n = 0;
    FILE *f = fopen(path, "r"), *to = f ? open_memstream(&text, &n) : NULL;
    for (int c; to && (c = getc(f)) != EOF;)
        putc(c, to);
    if (to)
        fclose(to);
    if (f)
        fclose(f);
    free(path);
    return text;
}

static const char *value_of(const char *option, const char *name)
{
    size_t n = strlen(name);
    return !strncmp(option, name, n) ? option + n : NULL;
}

/* Runs it with its output in `log` of the folder.  Its exit status. */
static int run(char *const *words, const char *folder)
{
    int status = 0;
    char *log = print("%s/%s", folder, "log");
    pid_t pid = fork();
    if (!pid) {
        int f = open(log, O_WRONLY | O_CREAT, 0600);
        dup2(f, 1), dup2(f, 2);
        execv(words[0], words);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    free(log);
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

/* Its source, and after it a variable for each expression. */
static bool write_all(const struct _nvrtcProgram *p, const char *folder, bool all_device)
{
    char *names = NULL;
    size_t n;
    FILE *f = open_memstream(&names, &n);
    if (!f)
        return false;
    fprintf(f, "\n");
    if (all_device)
        fprintf(f, "#pragma clang force_cuda_host_device end\n");
    for (int k = 0; k < p->nlowered; k++)
        fprintf(f, "extern \"C\" __device__ const void *const " HOLDS "%d\n"
                "    __attribute__((used)) = (const void *)(%s);\n",
                k, p->lowered[k].name);
    fclose(f);
    char *text = print("%s%s", p->source, names);
    char *begin = print("#include <assert.h>\n#include <stdio.h>\n%s#line 1 \"%s\"\n",
                        all_device ? "#pragma clang force_cuda_host_device begin\n" : "", p->name);
    bool ok = put(folder, "source.cu", begin, text);
    free(begin);
    for (int k = 0; ok && k < p->nheaders; k++)
        ok = put(folder, p->headers[k].name, "", p->headers[k].value);
    free(text), free(names);
    return ok;
}

/* Takes the variables out: `.visible .global .align 8 .u64 __heddle_rtc_name_0 = NAME;`. */
static void take_names(struct _nvrtcProgram *p)
{
    for (char *at; (at = strstr(p->ptx, HOLDS));) {
        char *line = at, *end = strchr(at, '\n'), *is = strstr(at, "= ");
        int k = atoi(at + strlen(HOLDS));
        while (line > p->ptx && line[-1] != '\n')
            line--;
        if (!end)
            end = at + strlen(at);
        if (is && is < end && k >= 0 && k < p->nlowered && !p->lowered[k].value) {
            is += 2;
            if (!strncmp(is, "generic(", 8))
                is += 8;
            p->lowered[k].value = strndup(is, strcspn(is, ";) \n"));
        }
        memmove(line, end, strlen(end) + 1);
    }
}

static nvrtcResult compile(struct _nvrtcProgram *p, int n, const char *const *options,
                           const char *nvcc, const char *folder)
{
    char **words = calloc((size_t)n + 16, sizeof *words), **w = words;
    const char *v;
    bool all_device = false;
    if (!words)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    *w++ = copy(nvcc), *w++ = copy("-ptx");
    *w++ = copy("-std=c++17"), *w++ = print("-I%s%s", folder, "");
    for (int k = 0; k < n; k++) {
        const char *o = options[k];
        if (!strcmp(o, "-default-device") || !strcmp(o, "--device-as-default-execution-space"))
            all_device = true;
        else if ((v = value_of(o, "--include-path=")))
            *w++ = print("-I%s%s", v, "");
        else if ((v = value_of(o, "--define-macro=")))
            *w++ = print("-D%s%s", v, "");
        else if ((v = value_of(o, "--undefine-macro=")))
            *w++ = print("-U%s%s", v, "");
        else
            *w++ = copy(o);
    }
    char *name = copy(p->name);                          /* headers beside the source, last */
    *w++ = print("-I%s%s", dirname(name), "");
    free(name);
    *w++ = print("%s/%s", folder, "source.cu"), *w++ = copy("-o");
    *w++ = print("%s/%s", folder, "ptx");
    int status = write_all(p, folder, all_device) ? run(words, folder) : 127;
    free(p->log), free(p->ptx);
    p->log = get(folder, "log"), p->ptx = status ? NULL : get(folder, "ptx");
    if (!p->log)
        p->log = copy("");
    if (p->ptx)
        take_names(p);
    while (w > words)
        free(*--w);
    free(words);
    return p->ptx ? NVRTC_SUCCESS : status == 2 && strstr(p->log, "unknown option")
        ? NVRTC_ERROR_INVALID_OPTION : NVRTC_ERROR_COMPILATION;
}

static void remove_folder(const char *folder)
{
    char *const words[] = { (char[]){ "/bin/rm" }, (char[]){ "-rf" }, (char *)folder, NULL };
    pid_t pid = fork();
    if (!pid) {
        execv(words[0], words);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int n, const char *const *options)
{
    char folder[] = "/tmp/heddle-rtc-XXXXXX";
    Dl_info us;
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!dladdr(archs, &us) || !mkdtemp(folder))
        return NVRTC_ERROR_INTERNAL_ERROR;
    char *path = copy(us.dli_fname), *nvcc = print("%s/%s", dirname(path), "heddle-nvcc");
    nvrtcResult e = compile(p, n, options, nvcc, folder);
    p->compiled = true;
    remove_folder(folder);
    free(path), free(nvcc);
    return e;
}

/* ---- what came of it ------------------------------------------------------------------------- */

static nvrtcResult size_of(const char *text, size_t *bytes)
{
    if (!text || !bytes)
        return bytes ? NVRTC_ERROR_INVALID_PROGRAM : NVRTC_ERROR_INVALID_INPUT;
    *bytes = strlen(text) + 1;
    return NVRTC_SUCCESS;
}
static nvrtcResult copy_out(const char *text, char *to)
{
    if (!text || !to)
        return to ? NVRTC_ERROR_INVALID_PROGRAM : NVRTC_ERROR_INVALID_INPUT;
    strcpy(to, text);
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *n) { return size_of(p ? p->ptx : NULL, n); }
nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *to) { return copy_out(p ? p->ptx : NULL, to); }
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *n) { return nvrtcGetPTXSize(p, n); }
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *to) { return nvrtcGetPTX(p, to); }
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *n)
{
    return size_of(p ? p->log : NULL, n);
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *to) { return copy_out(p ? p->log : NULL, to); }

nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression)
{
    if (!p || !expression)
        return p ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    if (p->compiled)
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    add(&p->lowered, &p->nlowered, expression, NULL);
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression, const char **name)
{
    if (!p || !expression || !name)
        return p ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    if (!p->compiled)
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (int k = 0; k < p->nlowered; k++)
        if (!strcmp(p->lowered[k].name, expression) && p->lowered[k].value) {
            *name = p->lowered[k].value;
            return NVRTC_SUCCESS;
        }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
