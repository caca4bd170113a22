/* `heddle nvcc`: builds CUDA programs.  SPDX-License-Identifier: Apache-2.0 */
#ifndef NVCC_H
#define NVCC_H
#include <stdbool.h>
#include <stddef.h>

/* A growing list of words, ended by NULL; the words are not its own. */
struct words { char **word; size_t n; };
void words_add(struct words *w, const char *word);
void words_all(struct words *to, const struct words *from);
/* A new word; lives until the process ends. */
char *words_print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* What the command line asks for (options.c). */
struct nvcc {
    struct words inputs;         /* sources, objects, archives, in order */
    struct words cpp;            /* -I -D -U -include: for every compilation */
    struct words host;           /* -Xcompiler, -O, -g: of host code */
    struct words device;         /* of device code alone */
    struct words link;           /* -l -L -Xlinker */
    struct words depends;        /* -M, -MD ... */
    const char *output, *standard, *ccbin;
    bool compile_only, ptx_only, preprocess, all_cuda, shared, openmp, dry_run, verbose, debug;
    bool fatbin_only; const char *module;    /* -fatbin, -cubin, and which of them */
    bool depends_only;           /* -M: no object */
    bool library;                /* -lib: objects become an archive */
    const char *folder;          /* -odir: of objects that have no name; NULL: this one */
    bool forward;                /* options that are not known are of the host compiler */
    bool device_link;            /* -dlink: there is nothing left to do: the run time links */
    unsigned arch;               /* 80 for sm_80 */
    bool separate;               /* -dc: device functions of other files are called */
};
/* Returns -1 to go on, else the exit status. */
int nvcc_options(struct nvcc *n, int argc, char **argv);
/* toolkit.c: --version; machines that -arch takes, for scripts; the lines of -v that say where this
 * is; adds what an options file says, false if it cannot be read, which is said. */
void nvcc_version(void);
void nvcc_list_machines(const char *kind);
void nvcc_say_places(const struct nvcc *n, const char *linker, const char *folder);
/* The next word of a shell's line, without its quotes, written over the line; NULL: there is none.
 */
char *nvcc_next_word(char **line);
bool nvcc_options_file(struct words *to, const char *path);
/* archives.c: the symbol that an object of -dc defines; those that the archives of a link have. */
#define NVCC_DEVICE_CODE "heddle_device_code_"
char *nvcc_code_symbol(const char *source, const char *object);
void nvcc_archived_code(const struct nvcc *n, struct words *to);
/* brackets.c: joins `<< <` and `>> >` of launches in a text, at the same length; whether there were
 * any. */
bool nvcc_join_brackets(char *text);
/* After a comment, string or character constant that begins at p; p itself, where none does. */
const char *nvcc_skip(const char *text, const char *p);
/* warp_size.c: whether a text has a variable called warpSize at file scope. */
bool nvcc_own_warp_size(const char *text);
/* children.c: rewrites launches in device code.  The new text, to be freed; NULL: there are
 * none. */
char *nvcc_child_launches(const char *text);
/* It becomes a module: the host finds its variables by their names alone. */
static inline bool nvcc_is_module(const struct nvcc *n) { return n->ptx_only || n->fatbin_only; }
/* A source that is being compiled.  The id ties static variables of host and device together. */
struct cuda_source {
    const char *path;
    const char *overlay;         /* for clang's -ivfsoverlay; NULL: none is needed */
    bool own_warp_size;
    bool lacks_thrust;           /* it includes a header of thrust or CUB that is nowhere */
    unsigned id;
    char *code;                  /* the symbol that a link asks for; NULL: it needs none */
};
/* Both in a source and what it includes by quotes: the overlay, and own_warp_size.  `between` names
 * files that go when the process ends.  False: a copy cannot be written. */
bool nvcc_brackets(const struct nvcc *n, struct cuda_source *s,
                   char *(*between)(const char *name, unsigned k, const char *suffix));
int nvcc_main(int argc, char **argv);
#endif
