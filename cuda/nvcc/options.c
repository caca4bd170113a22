/* The options of nvcc that programs' makefiles use.  SPDX-License-Identifier: Apache-2.0
 *
 * One that changes only how fast a GPU is is accepted and does nothing; one that we do not know is
 * refused. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/nvcc/nvcc.h"

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

/* The first of the parts that commas separate, if `comma', written over the list: nvcc's values are
 * lists, in which a backslash keeps a comma.  *list is then at the next part; NULL: there is none.
 */
static char *next_part(char **list, bool comma)
{
    char *from = *list, *to = from, *part = from;
    for (; *from && !(comma && *from == ','); from++) {
        if (from[0] == '\\' && from[1] == ',')
            from++;
        *to++ = *from;
    }
    *list = *from ? from + 1 : NULL;
    *to = 0;
    return part;
}

/* Each of the words that commas separate, or blanks: nvcc's own commands go through a shell. */
static void split(struct words *to, const char *list)
{
    for (char *parts = words_print("%s", list); parts;)
        for (char *rest = next_part(&parts, true), *w; (w = nvcc_next_word(&rest));)
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
          VERSION, ARCH, CPP, DEVICE_CLANG, DEPENDS, DEPENDS_ONLY, DEPENDS_WORD, FORWARD,
          LIBRARY, FOLDER, MACHINES };
static const struct { const char *name; enum what what; enum id id; } known[] = {
    { "-o", TAKES, OUTPUT },
    { "-c", FLAG, COMPILE },
    { "-dc", FLAG, SEPARATE },
    { "-rdc", TAKES, RDC },
    { "-dlink", FLAG, DEVICE_LINK },
    { "-ptx", FLAG, PTX },
    /* a module for cuModuleLoad, which holds PTX in either case */
    { "-fatbin", FLAG, FATBIN },
    { "-cubin", FLAG, FATBIN },
    { "-E", FLAG, PREPROCESS },
    { "-lib", FLAG, LIBRARY },
    { "-odir", TAKES, FOLDER },
    { "-list-gpu-arch", FLAG, MACHINES },
    { "-list-gpu-code", FLAG, MACHINES },
    /* what a source includes, for make */
    { "-M", FLAG, DEPENDS_ONLY },
    { "-MM", FLAG, DEPENDS_ONLY },
    { "-MD", FLAG, DEPENDS },
    { "-MMD", FLAG, DEPENDS },
    { "-MP", FLAG, DEPENDS },
    { "-MF", TAKES, DEPENDS_WORD },
    { "-MT", TAKES, DEPENDS_WORD },
    { "-Xcompiler", TAKES, HOST },
    { "-Xlinker", TAKES, LINK },
    { "-forward-unknown-to-host-compiler", FLAG, FORWARD },
    { "-forward-unknown-opts", FLAG, FORWARD },
    { "-std", TAKES, STANDARD },
    { "-ccbin", TAKES, CCBIN },
    { "-use_fast_math", FLAG, FAST_MATH },
    { "-ftz", TAKES, FTZ },
    { "-fmad", TAKES, FMAD },
    { "-g", FLAG, DEBUG },
    { "-G", FLAG, IGNORE },
    { "-shared", FLAG, SHARED },
    { "-x", TAKES, LANGUAGE },
    { "-dryrun", FLAG, DRY },
    { "-v", FLAG, VERBOSE },
    { "-h", FLAG, HELP },
    { "-V", FLAG, VERSION },
    { "-arch", TAKES, ARCH },
    { "-gencode", TAKES, ARCH },
    { "-code", TAKES, ARCH },
    { "-include", TAKES, CPP },
    { "-isystem", TAKES, CPP },
    { "-Xclang", TAKES, DEVICE_CLANG },
    /* nothing here that they could change */
    { "-Xptxas", TAKES, IGNORE },
    { "-Xcudafe", TAKES, IGNORE },
    { "-Xnvlink", TAKES, IGNORE },
    { "-Xfatbin", TAKES, IGNORE },
    { "-diag-suppress", TAKES, IGNORE },
    { "-maxrregcount", TAKES, IGNORE },
    { "-cudart", TAKES, IGNORE },
    { "-prec-div", TAKES, IGNORE },
    { "-prec-sqrt", TAKES, IGNORE },
    { "-default-stream", TAKES, IGNORE },
    { "-t", TAKES, IGNORE },
    { "-split-compile", TAKES, IGNORE },
    { "-cudadevrt", TAKES, IGNORE },
    { "-diag-error", TAKES, IGNORE },
    { "-diag-warn", TAKES, IGNORE },
    { "-err-no", FLAG, IGNORE },
    { "-keep-dir", TAKES, IGNORE },
    { "-lineinfo", FLAG, IGNORE },
    { "-expt-relaxed-constexpr", FLAG, IGNORE },
    { "-expt-extended-lambda", FLAG, IGNORE },
    { "-extended-lambda", FLAG, IGNORE },
    { "-w", FLAG, IGNORE },
    { "-m", TAKES, IGNORE },
    { "-m64", FLAG, IGNORE },
    { "-restrict", FLAG, IGNORE },
    { "-keep", FLAG, IGNORE },
    { "-dlto", FLAG, IGNORE },
    { "-src-in-ptx", FLAG, IGNORE },
    { "-res-usage", FLAG, IGNORE },
    { "-extra-device-vectorization", FLAG, IGNORE },
    { "-allow-unsupported-compiler", FLAG, IGNORE },
    { "-Wno-deprecated-gpu-targets", FLAG, IGNORE },
};
enum { KNOWN = sizeof known / sizeof *known };

/* Long names that are not the short one with a second dash. */
static const struct { const char *name, *is; } long_names[] = {
    { "--output-file", "-o" },
    { "--compile", "-c" },
    { "--device-c", "-dc" },
    { "--relocatable-device-code", "-rdc" },
    { "--device-link", "-dlink" },
    { "--preprocess", "-E" },
    { "--output-directory", "-odir" },
    { "--display-error-number", "-err-no" },
    { "--generate-dependencies", "-M" },
    { "--generate-nonsystem-dependencies", "-MM" },
    { "--generate-dependencies-with-compile", "-MD" },
    { "--generate-nonsystem-dependencies-with-compile", "-MMD" },
    { "--generate-dependency-targets", "-MP" },
    { "--dependency-output", "-MF" },
    { "--dependency-target-name", "-MT" },
    { "--compiler-options", "-Xcompiler" },
    { "--linker-options", "-Xlinker" },
    { "--compiler-bindir", "-ccbin" },
    { "--debug", "-g" },
    { "--device-debug", "-G" },
    { "--verbose", "-v" },
    { "--help", "-h" },
    { "--version", "-V" },
    { "--gpu-architecture", "-arch" },
    { "--generate-code", "-gencode" },
    { "--gpu-code", "-code" },
    { "--pre-include", "-include" },
    { "--system-include", "-isystem" },
    { "--include-path", "-I" },
    { "--define-macro", "-D" },
    { "--undefine-macro", "-U" },
    { "--library-path", "-L" },
    { "--library", "-l" },
    { "--optimize", "-O" },
    { "--options-file", "-optf" },
    { "--ptxas-options", "-Xptxas" },
    { "--threads", "-t" },
    { "--generate-line-info", "-lineinfo" },
    { "--disable-warnings", "-w" },
    { "--machine", "-m" },
    { "--source-in-ptx", "-src-in-ptx" },
    { "--resource-usage", "-res-usage" },
};

/* The row of a word, which may have a value behind =; KNOWN: there is none. */
static size_t find_known(const char *w)
{
    const size_t len = strcspn(w, "=");
    size_t i = 0;
    while (i < KNOWN && (strlen(known[i].name) != len || strncmp(known[i].name, w, len) ||
                         (known[i].what == FLAG && w[len])))
        i++;
    return i;
}

/* A word under its short name; that word itself, where it has no other. */
static const char *short_name(const char *w)
{
    const size_t len = strcspn(w, "=");
    if (strncmp(w, "--", 2))
        return w;
    for (size_t k = 0; k < sizeof long_names / sizeof *long_names; k++) {
        const char *is = long_names[k].is;
        if (strlen(long_names[k].name) != len || strncmp(long_names[k].name, w, len))
            continue;
        /* -I and its like are followed by their value */
        const bool letter = w[len] && strchr("IDULlOm", is[1]) && !is[2];
        return words_print("%s%s", is, w + len + letter);
    }
    return find_known(w + 1) < KNOWN ? w + 1 : w;
}

static const char usage[] =
    "usage: heddle nvcc [OPTION ...] FILE ...\n\n"
    "Builds a CUDA program whose kernels run on Heddle (cuda/docs/programs.md).\n"
    "Takes nvcc's options:\n"
    "  -o FILE  -c  -dc  -rdc=true  -dlink  -ptx  -fatbin  -cubin  -E  -shared  -lib  -x cu\n"
    "  -odir FOLDER  --list-gpu-arch\n"
    "  -I -isystem -D -U -include  -O0..-O3 -g -std=STD\n"
    "  -M -MM -MD -MMD -MP -MF -MT  -Xcompiler LIST  -Xlinker LIST  -l -L  -ccbin CXX\n"
    "  -forward-unknown-to-host-compiler  --options-file FILE  -use_fast_math  -ftz=  -fmad=  -v  "
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
    case COMPILE: n->compile_only = true; n->device_link = false; break;
    case SEPARATE: n->compile_only = n->separate = true; n->device_link = false; break;
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
    case DEPENDS: words_add(&n->depends, name); break;
    case DEPENDS_ONLY: n->depends_only = true; words_add(&n->depends, name); break;
    case DEPENDS_WORD: words_add(&n->depends, name); words_add(&n->depends, v); break;
    case FORWARD: n->forward = true; break;
    case LIBRARY: n->library = true; break;
    case FOLDER: n->folder = v; break;
    case MACHINES: nvcc_list_machines(strstr(name, "arch") ? "compute" : "sm"); return 0;
    case VERSION: nvcc_version(); return 0;
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
    if (!*value && (w[1] != 'O' || (next && *next && strchr("0123", *next) && !next[1]))) {
        if (!next)
            return 2;
        value = next;
        ++*k;
    }
    char *list = words_print("%s", value);
    value = next_part(&list, false);
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

/* All words of the command line and of the environment; those of options files in their place.
 * False: a file cannot be read, which is said. */
static bool all_words(struct words *all, int argc, char **argv)
{
    struct words given = { 0 };
    add_environment(&given, "NVCC_PREPEND_FLAGS");
    for (int k = 1; k < argc; k++)
        words_add(&given, argv[k]);
    add_environment(&given, "NVCC_APPEND_FLAGS");
    for (size_t k = 0; k < given.n; k++) {
        const char *w = short_name(given.word[k]);
        if (strncmp(w, "-optf", 5) || (w[5] && w[5] != '='))
            words_add(all, given.word[k]);
        else if ((w[5] || given.word[k + 1]) &&
                 !nvcc_options_file(all, w[5] ? w + 6 : given.word[++k]))
            return false;
    }
    return true;
}

int nvcc_options(struct nvcc *n, int argc, char **argv)
{
    struct words all = { 0 }, unknown = { 0 };
    *n = (struct nvcc){ .standard = "c++17", .arch = 70 };
    if (!all_words(&all, argc, argv))
        return 2;
    for (int k = 0; k < (int)all.n; k++) {
        const char *w = short_name(all.word[k]), *next = all.word[k + 1];
        const size_t len = strcspn(w, "="), i = find_known(w);
        int status = -1;
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
        else if (!strcmp(w, "-Werror") && next && next[0] != '-' && !strchr(next, '.'))
            k++;               /* nvcc's names a kind, the host compiler's none */
        else if (!strcmp(w, "-pthread") || !strcmp(w, "-fPIC") || !strncmp(w, "-W", 2) ||
                 !strncmp(w, "-f", 2) || !strncmp(w, "-m", 2))
            words_add(&n->host, w);
        else
            words_add(&unknown, all.word[k]);
        if (status == 2)
            fprintf(stderr, "heddle nvcc: %s needs a value\n", w);
        if (status >= 0)
            return status;
    }
    if (unknown.n && !n->forward) {
        fprintf(stderr, "heddle nvcc: unknown option `%s` (heddle nvcc --help)\n",
                unknown.word[0]);
        return 2;
    }
    words_all(&n->host, &unknown);
    if (n->inputs.n)
        return -1;
    fprintf(stderr, "heddle nvcc: no input files\n%s", usage);
    return 2;
}
