/* A case: its kernel's frame, copies, and the file that holds it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The file is a listing or a PTX text; lines `// fuzz: KEY VALUE` before it say everything else,
 * so that the other commands read the file too. */
#include "harness/fuzz/pairs.h"
#include "cmodel/image/asm.h"
#include "cmodel/base/outfile.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void fuzz_add_kernel(const struct fuzz_case *c, struct hd_image *img)
{
    struct hd_kernel *k = hd_image_add_kernel(img, "k");
    hd_image_add_sym(img, "k", HD_SEC_TEXT, true, 0, img->text_size);
    k->regs = fuzz_regs(c) == 256 ? 255 : fuzz_regs(c);
    k->barriers = HD_BARRIERS;
    k->shared = fuzz_block_room(c) * FUZZ_SHARED_SLOT;
    k->local = 64;
    hd_kernel_add_param(k, "in", "u64", 8, 0);
    hd_kernel_add_param(k, "out", "u64", 8, 8);
    hd_kernel_add_param(k, "sum", "u64", 8, 16);
    if (c->words)
        hd_kernel_add_param(k, "words", "b8", 4 * c->words, 24);
}

void fuzz_case_free(struct fuzz_case *c)
{
    free(c->ptx);
    free(c->prog);
    free(c->expect);
    free(c->notes);
    hd_image_free(c->img);
    *c = (struct fuzz_case){ 0 };
}

void fuzz_data(const struct fuzz_case *c, uint32_t in[FUZZ_IN / 4])
{
    struct rng r = { c->data_seed };
    for (unsigned k = 0; k < FUZZ_IN / 4; k++)
        in[k] = !c->data_seed ? 0 : c->words ? pair_value(&r) : args_mixed(&r.s);
}

bool fuzz_compile(struct fuzz_case *c, struct hd_err *err)
{
    struct cc_options cc = { .stack_mode = c->stack_mode, .maxregs = c->maxregs,
                             .no_ifconv = c->no_ifconv, .predict = c->predict,
                             .constant_loads = c->core.lacks & HD_CONSTANTS,
                             .deconflict = c->deconflict, .soft = c->soft };
    if (c->prog) {
        uint32_t in[FUZZ_IN / 4];
        free(c->ptx);
        c->ptx = prog_text(c->prog, c);
        if (!c->expect)
            c->expect = malloc(sizeof *c->expect);
        if (!c->expect)
            abort();
        fuzz_data(c, in);
        prog_eval(c->prog, c, in, c->expect);
    }
    hd_image_free(c->img);
    c->img = hd_compile_ptx("kernel", c->ptx, &cc, err);
    return c->img;
}

bool fuzz_placement(struct fuzz_case *c, unsigned k)
{
    static const struct { int predict, deconflict, soft; } way[FUZZ_WAYS] = {
        { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 1, 0, 8 }, { 1, 1, 3 }, { 2, 1, 0 } };
    if (k >= FUZZ_WAYS || (k && (c->stack_mode || !c->prog || !c->prog->predicts)))
        return false;
    if (k) {                                         /* what was compiled in another way goes */
        hd_image_free(c->img);
        c->img = NULL;
    }
    c->predict = way[k].predict;
    c->deconflict = way[k].deconflict;
    c->soft = way[k].soft;
    return true;
}

/* One line a thread, so that what is wrong can be seen. */
static void write_expect(FILE *f, const struct fuzz_case *c)
{
    unsigned threads = c->grid.x * c->grid.y * c->grid.z * c->block.x * c->block.y * c->block.z;
    uint32_t v;
    if (c->notes)
        threads = fuzz_room(c);
    for (unsigned t = 0; t <= threads; t++) {
        const uint8_t *p = t < threads ? c->expect->out + t * FUZZ_SLOT : c->expect->sum;
        fprintf(f, t < threads ? "// fuzz: want %u" : "// fuzz: sum %u", t < threads ? t : 0);
        for (unsigned k = 0; k < (t < threads ? FUZZ_SLOT : FUZZ_SUM); k += 4)
            memcpy(&v, p + k, 4), fprintf(f, " %08" PRIx32, v);
        fprintf(f, "\n");
    }
}

static bool read_expect(struct fuzz_case *c, const char *line)
{
    unsigned t;
    int at = 0;
    bool sum = sscanf(line, "// fuzz: sum %u%n", &t, &at) == 1;
    if (!sum && (sscanf(line, "// fuzz: want %u%n", &t, &at) != 1 || t >= FUZZ_MAX_THREADS))
        return false;
    if (!c->expect && !(c->expect = calloc(1, sizeof *c->expect)))
        abort();
    uint8_t *p = sum ? c->expect->sum : c->expect->out + t * FUZZ_SLOT;
    char *end;
    line += at;
    for (unsigned k = 0; k < (sum ? FUZZ_SUM : FUZZ_SLOT); k += 4, line = end) {
        uint32_t v = (uint32_t)strtoul(line, &end, 16);
        if (end == line)
            return false;
        memcpy(p + k, &v, 4);
    }
    return true;
}

/* The last line: without it a file that was cut off would be another kernel. */
static const char mark[] = "// fuzz: ", the_end[] = "// fuzz: end\n";

bool fuzz_save(const struct fuzz_case *c, const struct fuzz_result *r, const char *path,
               struct hd_err *err)
{
    struct outfile *out = outfile_open(path, err);
    if (!out)
        return false;
    FILE *f = outfile_stream(out);
    fprintf(f, "// fuzz: replay: heddle fuzz --replay %s\n", path);
    fprintf(f, "// fuzz: result %s\n", r->text);
    fprintf(f, "// fuzz: seed %" PRIu64 "\n", c->seed);
    fprintf(f, "// fuzz: level %s\n", c->ptx ? "ptx" : "machine");
    fprintf(f, "// fuzz: mode %s\n", c->stack_mode ? "stack" : "barrier");
    fprintf(f, "// fuzz: wild %u\n", c->wild);
    fprintf(f, "// fuzz: lanes %u\n// fuzz: stack-depth %u\n", c->lanes, c->stack_depth);
    if (c->cores > 1)
        fprintf(f, "// fuzz: cores %u\n", c->cores);
    fprintf(f, "// fuzz: mem-seed %" PRIu64 "\n", c->mem_seed);
    fprintf(f, "// fuzz: data-seed %" PRIu64 "\n", c->data_seed);
    fprintf(f, "// fuzz: bus-seed %" PRIu64 "\n", c->bus_seed);
    fprintf(f, "// fuzz: high-seed %" PRIu64 "\n", c->high_seed);
    fprintf(f, "// fuzz: grid %u,%u,%u\n", c->grid.x, c->grid.y, c->grid.z);
    fprintf(f, "// fuzz: block %u,%u,%u\n", c->block.x, c->block.y, c->block.z);
    if (c->stop)
        fprintf(f, "// fuzz: stop %u\n", c->stop);
    if (c->start_again)
        fprintf(f, "// fuzz: start-again %u\n", c->start_again);
    if (c->halt)
        fprintf(f, "// fuzz: halt %u\n", c->halt);
    for (unsigned i = 0; i < c->nbefore; i++)
        fprintf(f, "// fuzz: after %s\n", c->before[i].name);
    if (c->ptx)
        fprintf(f, "// fuzz: maxregs %d\n// fuzz: no-ifconv %d\n// fuzz: predict %d\n"
                "// fuzz: deconflict %d\n// fuzz: soft %d\n", c->maxregs, c->no_ifconv,
                c->predict, c->deconflict, c->soft);
    if (c->dynamic)
        fprintf(f, "// fuzz: dynamic %u\n", c->dynamic);
    if (c->words)
        fprintf(f, "// fuzz: words %u\n", c->words);
    if (c->expect)
        write_expect(f, c);
    if (c->ptx)
        fputs(c->ptx, f);
    else
        hd_dis_image(f, c->img);
    fprintf(f, "%s", the_end);
    return outfile_keep(out, err);
}

static bool read_key(struct fuzz_case *c, const char *line, bool *ptx)
{
    const struct { const char *format; void *to; } keys[] = {
        { "seed %" SCNu64, &c->seed }, { "mem-seed %" SCNu64, &c->mem_seed },
        { "bus-seed %" SCNu64, &c->bus_seed }, { "high-seed %" SCNu64, &c->high_seed },
        { "data-seed %" SCNu64, &c->data_seed }, { "lanes %u", &c->lanes },
        { "cores %u", &c->cores }, { "words %u", &c->words },
        { "dynamic %u", &c->dynamic },
        { "stack-depth %u", &c->stack_depth }, { "wild %u", &c->wild },
        { "stop %u", &c->stop }, { "start-again %u", &c->start_again },
        { "halt %u", &c->halt },
        { "predict %d", &c->predict }, { "deconflict %d", &c->deconflict },
        { "soft %d", &c->soft }, { "maxregs %d", &c->maxregs } };
    const struct { const char *format; struct hd_dim3 *to; } sizes[] = {
        { "grid %u,%u,%u", &c->grid }, { "block %u,%u,%u", &c->block } };
    const char *key = line + strlen(mark);
    char word[16] = "";
    int off = 0;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (sscanf(key, keys[k].format, keys[k].to) == 1)
            return true;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct hd_dim3 *d = sizes[k].to;
        if (sscanf(key, sizes[k].format, &d->x, &d->y, &d->z) == 3)
            return true;
    }
    if (read_expect(c, line))
        return true;
    if (sscanf(key, "no-ifconv %d", &off) == 1)
        return c->no_ifconv = off, true;
    if (sscanf(key, "level %15s", word) == 1)
        return *ptx = !strcmp(word, "ptx"), true;
    if (sscanf(key, "mode %15s", word) == 1)
        return c->stack_mode = !strcmp(word, "stack"), true;
    return !strncmp(key, "replay:", 7) || !strncmp(key, "result ", 7);
}

/* A line that names a case which runs before: its file lies beside this one. */
static bool read_before(struct fuzz_case *c, const char *path, const char *line, struct hd_err *err)
{
    char name[64], file[4200];
    const char *base = strrchr(path, '/');
    if (sscanf(line, "// fuzz: after %63s", name) != 1)
        return false;
    struct fuzz_case *more = realloc(c->before, (c->nbefore + 1) * sizeof *more);
    if (!more)
        abort();
    c->before = more;
    snprintf(file, sizeof file, "%.*s%s", base ? (int)(base + 1 - path) : 0, path, name);
    if (strchr(name, '/') || !fuzz_load(&more[c->nbefore], file, err)) {
        hd_err_set(err, 2, "%s: what comes before it, %s, cannot be read", path, name);
        return true;
    }
    snprintf(more[c->nbefore++].name, sizeof name, "%s", name);
    return true;
}

bool fuzz_load(struct fuzz_case *c, const char *path, struct hd_err *err)
{
    bool ptx = false;
    unsigned number = 1;
    char *text = session_text(path), *body = text;
    *c = (struct fuzz_case){ .lanes = 32, .stack_depth = 16, .cores = 1 };
    if (!text)
        return hd_err_set(err, 2, "%s: cannot be read", path), false;
    for (; !err->status && !strncmp(body, mark, sizeof mark - 1) && strcmp(body, the_end);
         number++) {
        if (read_before(c, path, body, err))
            ;
        else if (!err->status && !read_key(c, body, &ptx)) {
            hd_err_set(err, 2, "%s:%u: this line says nothing known", path, number);
            break;
        }
        body += strcspn(body, "\n");
        body += *body == '\n';
    }
    size_t size = strlen(body), end = sizeof the_end - 1;
    if (!err->status && (size < end || strcmp(body + size - end, the_end)))
        hd_err_set(err, 2, "%s: is no saved kernel, or cut off: its last line is not `%.*s`", path,
                   (int)end - 1, the_end);
    else if (!err->status)
        body[size - end] = 0;
    bool lanes = c->lanes && c->lanes <= HD_LANES && !(c->lanes & (c->lanes - 1));
    bool depth = c->stack_depth ? c->stack_depth >= 4 && c->stack_depth <= 64 : !c->stack_mode;
    if (!err->status && (c->wild >= WILD_THEMES || !lanes || !depth || c->cores - 1 >= 8 ||
                         c->words > 2 * (FUZZ_PARAMS - 3)))
        hd_err_set(err, 2, "%s: wild is below %d, lanes 1, 2, 4, 8, 16 or 32, cores 1 to 8, "
                   "stack-depth 4 to 64",
                   path, WILD_THEMES);
    uint64_t threads = (uint64_t)c->block.x * c->block.y * c->block.z;
    threads *= (uint64_t)c->grid.x * c->grid.y * c->grid.z;
    if (!err->status && (!threads || threads > FUZZ_MAX_THREADS))
        hd_err_set(err, 2, "%s: a case has grid and block lines, of 1 to %d threads in all", path,
                   FUZZ_MAX_THREADS);
    if (!err->status && ptx)
        c->ptx = strdup(body);                      /* fuzz_run compiles it, and judges a refusal */
    else if (!err->status)
        hd_asm(path, body, &c->img, err);
    free(text);
    if (err->status)
        fuzz_case_free(c);
    return !err->status;
}
