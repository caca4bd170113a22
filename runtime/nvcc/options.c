/* The options of nvcc that programs' makefiles use.  SPDX-License-Identifier: Apache-2.0
 *
 * One that changes only how fast a GPU is is accepted and does nothing; one that we do not know is
 * refused. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "runtime/nvcc/nvcc.h"

void words_add(struct words *w, const char *word)
{
    w->word = realloc(w->word, (w->n + 2) * sizeof *w->word);
    if (!w->word)
        exit(4);
    w->word[w->n++] = (char *)(size_t)word;
    w->word[w->n] = NULL;
}

void words_all(struct words *to, const struct words *from)
{
    for (size_t k = 0; k < from->n; k++)
        words_add(to, from->word[k]);
}

char *words_print(const char *fmt, ...)
{
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) < 0)
        exit(4);
    va_end(ap);
    return text;
}

/* Each of the words that commas separate. */
static void split(struct words *to, const char *list)
{
    char *copy = words_print("%s", list);
    for (char *w = strtok(copy, ","); w; w = strtok(NULL, ","))
        words_add(to, w);
}

static void host_words(struct nvcc *n, const char *list)
{
    struct words w = { 0 };
    split(&w, list);
    for (size_t k = 0; k < w.n; k++)
        if (!strcmp(w.word[k], "-fopenmp"))
            n->openmp = true;
        else if (!strncmp(w.word[k], "-Wl", 3) || !strncmp(w.word[k], "-l", 2) ||
                 !strcmp(w.word[k], "-pthread"))
            words_add(&n->link, w.word[k]);
        else
            words_add(&n->host, w.word[k]);
}

enum what { FLAG, TAKES };                  /* TAKES: a value, after = or as the next word */
enum id { IGNORE, OUTPUT, COMPILE, SEPARATE, RDC, DEVICE_LINK, PTX, FATBIN, PREPROCESS, HOST, LINK,
          STANDARD, CCBIN, FAST_MATH, FTZ, FMAD, DEBUG, SHARED, LANGUAGE, DRY, VERBOSE, HELP,
          VERSION, ARCH, CPP, DEVICE_CLANG };
static const struct { const char *name; enum what what; enum id id; } known[] = {
    { "-o", TAKES, OUTPUT },
    { "--output-file", TAKES, OUTPUT },
    { "-c", FLAG, COMPILE },
    { "--compile", FLAG, COMPILE },
    { "-dc", FLAG, SEPARATE },
    { "--device-c", FLAG, SEPARATE },
    { "-rdc", TAKES, RDC }, { "-dlink", FLAG, DEVICE_LINK }, { "--device-link", FLAG, DEVICE_LINK },
    { "--relocatable-device-code", TAKES, RDC },
    { "-ptx", FLAG, PTX },
    { "--ptx", FLAG, PTX },
    /* a module for cuModuleLoad, which holds PTX in either case */
    { "-fatbin", FLAG, FATBIN }, { "--fatbin", FLAG, FATBIN },
    { "-cubin", FLAG, FATBIN }, { "--cubin", FLAG, FATBIN },
    { "-E", FLAG, PREPROCESS },
    { "-Xcompiler", TAKES, HOST },
    { "--compiler-options", TAKES, HOST },
    { "-Xlinker", TAKES, LINK },
    { "--linker-options", TAKES, LINK },
    { "-std", TAKES, STANDARD },
    { "--std", TAKES, STANDARD },
    { "-ccbin", TAKES, CCBIN },
    { "--compiler-bindir", TAKES, CCBIN },
    { "-use_fast_math", FLAG, FAST_MATH },
    { "--use_fast_math", FLAG, FAST_MATH },
    { "-ftz", TAKES, FTZ },
    { "--ftz", TAKES, FTZ },
    { "-fmad", TAKES, FMAD },
    { "--fmad", TAKES, FMAD },
    { "-g", FLAG, DEBUG },
    { "-G", FLAG, IGNORE },
    { "-shared", FLAG, SHARED },
    { "--shared", FLAG, SHARED },
    { "-x", TAKES, LANGUAGE },
    { "--dryrun", FLAG, DRY },
    { "-dryrun", FLAG, DRY },
    { "-v", FLAG, VERBOSE },
    { "--verbose", FLAG, VERBOSE },
    { "--help", FLAG, HELP },
    { "-h", FLAG, HELP },
    { "--version", FLAG, VERSION },
    { "-V", FLAG, VERSION },
    { "-arch", TAKES, ARCH },
    { "--gpu-architecture", TAKES, ARCH },
    { "-gencode", TAKES, ARCH },
    { "--generate-code", TAKES, ARCH },
    { "-code", TAKES, ARCH },
    { "--gpu-code", TAKES, ARCH },
    { "-include", TAKES, CPP },
    { "-isystem", TAKES, CPP },
    { "-Xclang", TAKES, DEVICE_CLANG },
    /* nothing here that they could change */
    { "-Xptxas", TAKES, IGNORE },
    { "--ptxas-options", TAKES, IGNORE },
    { "-Xcudafe", TAKES, IGNORE },
    { "-Xnvlink", TAKES, IGNORE },
    { "-Xfatbin", TAKES, IGNORE },
    { "-diag-suppress", TAKES, IGNORE },
    { "--diag-suppress", TAKES, IGNORE },
    { "-maxrregcount", TAKES, IGNORE },
    { "--maxrregcount", TAKES, IGNORE },
    { "-cudart", TAKES, IGNORE },
    { "--cudart", TAKES, IGNORE },
    { "-prec-div", TAKES, IGNORE },
    { "--prec-div", TAKES, IGNORE },
    { "-prec-sqrt", TAKES, IGNORE },
    { "--prec-sqrt", TAKES, IGNORE },
    { "--default-stream", TAKES, IGNORE },
    { "-default-stream", TAKES, IGNORE },
    { "-t", TAKES, IGNORE },
    { "--threads", TAKES, IGNORE },
    { "-lineinfo", FLAG, IGNORE },
    { "--generate-line-info", FLAG, IGNORE },
    { "--expt-relaxed-constexpr", FLAG, IGNORE },
    { "-expt-relaxed-constexpr", FLAG, IGNORE },
    { "--expt-extended-lambda", FLAG, IGNORE },
    { "-expt-extended-lambda", FLAG, IGNORE },
    { "--extended-lambda", FLAG, IGNORE },
    { "-extended-lambda", FLAG, IGNORE },
    { "-w", FLAG, IGNORE },
    { "--disable-warnings", FLAG, IGNORE },
    { "-m64", FLAG, IGNORE },
    { "--restrict", FLAG, IGNORE },
    { "-restrict", FLAG, IGNORE },
    { "--keep", FLAG, IGNORE },
    { "-keep", FLAG, IGNORE },
    { "-dlto", FLAG, IGNORE },
    { "--source-in-ptx", FLAG, IGNORE },
    { "-src-in-ptx", FLAG, IGNORE },
    { "--resource-usage", FLAG, IGNORE },
    { "-res-usage", FLAG, IGNORE },
    { "--extra-device-vectorization", FLAG, IGNORE },
    { "-allow-unsupported-compiler", FLAG, IGNORE },
    { "--allow-unsupported-compiler", FLAG, IGNORE },
    { "-Wno-deprecated-gpu-targets", FLAG, IGNORE },
    { "--Wno-deprecated-gpu-targets", FLAG, IGNORE },
};
enum { KNOWN = sizeof known / sizeof *known };

static const char usage[] =
    "usage: heddle nvcc [OPTION ...] FILE ...\n\n"
    "Builds a CUDA program whose kernels run on Heddle (docs/programs.md).  Takes nvcc's options:\n"
    "  -o FILE  -c  -dc  -rdc=true  -dlink  -ptx  -fatbin  -cubin  -E  -shared  -x cu\n"
    "  -I -isystem -D -U -include  -O0..-O3 -g -std=STD\n"
    "  -Xcompiler LIST  -Xlinker LIST  -l -L  -ccbin CXX  -use_fast_math  -ftz=  -fmad=  -v  "
    "--dryrun\n"
    "-arch and -gencode choose __CUDA_ARCH__, and the compute capability that the device shows; \n"
    "options of the assembler and warnings (-Xptxas ...) change nothing.\n";

/* The newest machine that is named: sm_80, arch=compute_90a,code=..., but none before sm_70. */
static void architecture(struct nvcc *n, const char *v)
{
    for (const char *p = v; (p = strchr(p, '_')); p++) {
        unsigned long arch = strtoul(p + 1, NULL, 10);
        if (arch > n->arch && arch < 1000)
            n->arch = (unsigned)arch;
    }
}

static bool yes(const char *v) { return !strcmp(v, "true") || !strcmp(v, "1"); }

static int apply(struct nvcc *n, enum id id, const char *name, const char *v)
{
    switch (id) {
    case IGNORE: break;
    case ARCH: architecture(n, v); break;
    case OUTPUT: n->output = v; break;
    case COMPILE: n->compile_only = true; break;
    case SEPARATE: n->compile_only = n->separate = true; break;
    case RDC: n->separate = yes(v); break;
    case DEVICE_LINK: n->device_link = true; break;
    case PTX: n->ptx_only = true; break;
    case FATBIN:
        n->fatbin_only = true;
        n->module = name + strspn(name, "-");
        break;
    case PREPROCESS: n->preprocess = true; break;
    case HOST: host_words(n, v); break;
    case LINK: words_add(&n->link, "-Xlinker"); words_add(&n->link, v); break;
    case STANDARD: n->standard = v; break;
    case CCBIN: n->ccbin = v; break;
    case FAST_MATH:
        for (const char *const *w =
                 (const char *const[]){
                     "-Xclang", "-fcuda-approx-transcendentals", "-fcuda-flush-denormals-to-zero",
                     "-mllvm", "-nvptx-prec-divf32=0", "-mllvm", "-nvptx-prec-sqrtf32=0", NULL };
             *w; w++)
            words_add(&n->device, *w);
        break;
    case FTZ: if (yes(v)) words_add(&n->device, "-fcuda-flush-denormals-to-zero"); break;
    case FMAD:
        if (yes(v)) break;
        words_add(&n->device, "-Xclang"), words_add(&n->device, "-ffp-contract=off");
        break;
    case DEBUG: n->debug = true; words_add(&n->host, "-g"); break;
    case SHARED: n->shared = true; break;
    case LANGUAGE: n->all_cuda = !strcmp(v, "cu"); break;
    case DRY: n->dry_run = n->verbose = true; break;
    case VERBOSE: n->verbose = true; break;
    case CPP: words_add(&n->cpp, name); words_add(&n->cpp, v); break;
    case DEVICE_CLANG: words_add(&n->device, "-Xclang"); words_add(&n->device, v); break;
    case HELP: fputs(usage, stdout); return 0;
    case VERSION: puts("heddle nvcc: takes the options of nvcc, release 12.0, V12.0.0"); return 0;
    }
    return -1;
}

/* What -l names and needs no library: it is in our run time, or in a header. */
static bool is_inside(const char *library)
{
    static const char *const names[] = { "cuda", "cudadevrt", "culibos", "nvToolsExt" };
    bool found = !strncmp(library, "cudart", 6);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        found = found || !strcmp(library, names[k]);
    return found;
}

/* -I -D -U -L -l -O, with or without a blank before the value. */
static int short_option(struct nvcc *n, const char *w, const char *next, int *k)
{
    const char *value = w + 2;
    struct words *to = strchr("IDU", w[1]) ? &n->cpp : w[1] == 'O' ? &n->host : &n->link;
    if (!*value && w[1] != 'O') {
        if (!next)
            return 2;
        value = next;
        ++*k;
    }
    if (w[1] == 'l' && is_inside(value))
        return -1;
    if (w[1] == 'l' && !strncmp(value, "cublasLt", 8))
        value = "cublas";
    /* Ours are shared ones. */
    const size_t length = strlen(value), end = sizeof "_static" - 1;
    const bool is_static = w[1] == 'l' && !strncmp(value, "cu", 2) && length > end &&
                           !strcmp(value + length - end, "_static");
    words_add(to, words_print("-%c%.*s", w[1], (int)(is_static ? length - end : length), value));
    return -1;
}

/* Options of the environment, as nvcc takes them: words between blanks. */
static void add_environment(struct words *to, const char *name)
{
    const char *value = getenv(name);
    char *copy = words_print("%s", value ? value : "");
    for (char *w = strtok(copy, " \t\n"); w; w = strtok(NULL, " \t\n"))
        words_add(to, w);
}

int nvcc_options(struct nvcc *n, int argc, char **argv)
{
    struct words all = { 0 };
    *n = (struct nvcc){ .standard = "c++17", .arch = 70 };
    add_environment(&all, "NVCC_PREPEND_FLAGS");
    for (int k = 1; k < argc; k++)
        words_add(&all, argv[k]);
    add_environment(&all, "NVCC_APPEND_FLAGS");
    for (int k = 0; k < (int)all.n; k++) {
        const char *w = all.word[k], *next = all.word[k + 1];
        size_t len = strcspn(w, "="), i = 0;
        int status = -1;
        while (i < KNOWN && (strlen(known[i].name) != len || strncmp(known[i].name, w, len) ||
                             (known[i].what == FLAG && w[len])))
            i++;
        if (i < KNOWN) {
            const char *v = known[i].what == FLAG ? NULL : w[len] ? w + len + 1 : next;
            k += known[i].what == TAKES && !w[len];
            status = known[i].what == TAKES && !v ? 2 : apply(n, known[i].id, known[i].name, v);
        } else if (w[0] != '-')
            words_add(&n->inputs, w);
        else if (w[1] && strchr("IDULlO", w[1]))
            status = short_option(n, w, next, &k);
        else if (!strcmp(w, "-fopenmp"))
            n->openmp = true;
        else if (!strcmp(w, "-pthread") || !strcmp(w, "-fPIC") || !strncmp(w, "-W", 2) ||
                 !strncmp(w, "-f", 2) || !strncmp(w, "-m", 2))
            words_add(&n->host, w);
        else {
            fprintf(stderr, "heddle nvcc: unknown option `%s` (heddle nvcc --help)\n", w);
            return 2;
        }
        if (status == 2)
            fprintf(stderr, "heddle nvcc: %s needs a value\n", w);
        if (status >= 0)
            return status;
    }
    if (n->inputs.n)
        return -1;
    fprintf(stderr, "heddle nvcc: no input files\n%s", usage);
    return 2;
}
