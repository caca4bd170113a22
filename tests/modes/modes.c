/* `modes OUT [--model] [--page FILE] [--kernels FILE] KERNEL..`: compiles each
 * kernel for barriers and for the stack, runs both in lockstep on the same core, and compares.
 * `make compare-modes`.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of tests/silicon/kernels are launched as tests/silicon/README.md says, others by their
 * first RUN line.  Two processes share the work. */
#include "modes.h"
#include "cmodel/machine/launch.h"
#include <stdlib.h>
#include <string.h>

static const char silicon_words[] =
    "--grid 8 --block 32 in:u32[256]=@tests/silicon/input.u32 out:u32[256] cnt:u32[512] "
    "log:u32[1572864] n:u32=256";
enum { LIMIT = 50000000, MAX_WORDS = 64 };       /* cycles of a run; words of a launch */

static const struct command command = { "modes", "", "", OPT_CC | OPT_LAUNCH | OPT_DEVICE, NULL };

/* ---- one run ---- */

/* Barrier registers with participants, warp by warp. */
struct nest { uint16_t held[LAUNCH_WARPS]; unsigned most; };

static bool note(void *user, const struct hd_commit *c)
{
    struct nest *n = user;
    uint16_t *held = &n->held[c->slot % LAUNCH_WARPS];
    if (!c->conv)
        return true;
    *held = (uint16_t)(*held & ~(1u << c->bx)) | (uint16_t)((c->bafter != 0) << c->bx);
    unsigned now = (unsigned)__builtin_popcount(*held);
    n->most = now > n->most ? now : n->most;
    return true;
}

/* A hash of what the kernel left in its buffers; arrival order and clocks are in `log`. */
static uint64_t hash_memory(struct session *s)
{
    uint64_t h = 0;
    for (size_t i = 0; i < s->cli->launch.nargs; i++) {
        const struct arg *a = &s->cli->launch.args[i];
        size_t bytes = a->count * a->width;
        uint8_t *data = a->array && strcmp(a->name, "log") ? malloc(bytes) : NULL;
        if (data && hd_read(s->dev, a->addr, data, bytes) == HD_OK)
            for (size_t k = 0; k < bytes; k++)
                h = h * 1000003u ^ data[k];
        free(data);
    }
    return h;
}

static void run(const struct modes *m, struct row *r, enum mode mode, uint64_t *hash)
{
    char words[sizeof r->words],
        *argv[MAX_WORDS] = { "modes", r->path, "--mode", mode == MODE_STACK ? "stack" : "barrier" };
    int argc = 4;
    struct cli c;
    struct session s = { 0 };
    struct nest nest = { .most = 0 };
    strcpy(words, r->words);
    for (char *w = strtok(words, " "); w && argc < MAX_WORDS - 1; w = strtok(NULL, " "))
        argv[argc++] = w;
    if (cli_parse(&command, argc, argv, &c) < 0) {
        c.cfg.limit = c.cfg.limit ? c.cfg.limit : LIMIT;
        if (session_open(&s, &c, m->kind) < 0) {
            session_on_commit(&s, note, &nest);
            r->status[mode] = session_launch(&s);
            r->ran[mode] = true;
            r->count[mode] = *hd_get_counters(s.dev);
            r->nest[mode] = mode == MODE_STACK ? (unsigned)r->count[mode].deepest : nest.most;
            *hash = hash_memory(&s);
            if (r->status[mode] == HD_MISMATCH)
                hd_explain(s.dev, stderr);
        }
        session_close(&s);
    }
    cli_free(&c);
}

static void job(void *user, unsigned i)
{
    struct modes *m = user;
    struct row *r = &m->row[i];
    uint64_t hash[MODES] = { 0, 1 };
    for (int mode = 0; mode < MODES; mode++)
        run(m, r, (enum mode)mode, &hash[mode]);
    r->same = hash[0] == hash[1];
}

/* ---- the list ---- */

static bool first_run_line(const char *path, char *out, size_t size)
{
    static const char mark[] = "// RUN: ";
    FILE *f = fopen(path, "r");
    bool found = false;
    while (f && !found && fgets(out, (int)size, f))
        found = !strncmp(out, mark, sizeof mark - 1);
    out[strcspn(out, "\r\n")] = 0;
    if (found)
        memmove(out, out + sizeof mark - 1, strlen(out) - sizeof mark + 2);
    if (f)
        fclose(f);
    return found;
}

static bool add(struct modes *m, const char *path)
{
    struct row *r = &m->row[m->n];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool silicon = strstr(path, "silicon/kernels") != NULL;
    snprintf(r->path, sizeof r->path, "%s", path);
    snprintf(r->name, sizeof r->name, "%.*s", (int)strcspn(name, "."), name);
    r->family = !silicon ? FAMILY_TESTS : name[0] == 'r' ? FAMILY_RANDOM : FAMILY_PATTERN;
    if (silicon)
        strcpy(r->words, silicon_words);
    else if (!first_run_line(path, r->words, sizeof r->words)) {
        fprintf(stderr, "modes: %s: no line `// RUN:` says how to launch it\n", path);
        return false;
    }
    m->n++;
    return true;
}

/* Every kernel must end in both modes with the same memory, or be stuck in stack mode: it needs
 * lanes that run on their own. */
static bool judge(const struct modes *m)
{
    unsigned compared = 0, stuck = 0, wrong = 0;
    for (unsigned i = 0; i < m->n; i++) {
        const struct row *r = &m->row[i];
        compared += row_compares(r);
        stuck += row_hangs(r);
        if (row_hangs(r) || (row_compares(r) && r->same))
            continue;
        wrong++;
        printf("modes: %s: barriers: %s, stack: %s%s\n", r->name,
               r->ran[0] ? hd_strerror(r->status[0]) : "refused",
               r->ran[1] ? hd_strerror(r->status[1]) : "refused",
               row_compares(r) ? ", memory differs" : "");
    }
    printf("modes: kernels %u, compared %u, only with independent lanes %u, wrong %u\n", m->n,
           compared, stuck, wrong);
    return !wrong && compared;
}

static int usage(FILE *out, int status)
{
    fprintf(
        out,
        "usage: modes OUT.dat [--model] [--page FILE] [--kernels FILE] KERNEL..\n"
        "runs each kernel with barriers and with the stack, and writes a line of columns for each\n"
        "  --model        on the golden model alone: no cycles\n"
        "  --page FILE    also writes the summary as a page\n"
        "  --kernels FILE also writes the table of kernels as a page\n");
    return status;
}

int main(int argc, char **argv)
{
    struct modes m = { .kind = HD_LOCKSTEP };
    const char *page = NULL, *kernels = NULL;
    size_t bytes = sizeof *m.row * (size_t)argc;
    if (argc < 2 || !strcmp(argv[1], "--help"))
        return argc < 2 ? usage(stderr, EXIT_USAGE) : usage(stdout, EXIT_YES);
    m.row = shared_alloc(bytes);
    for (int i = 2; i < argc; i++) {
        if (!strcmp(argv[i], "--model"))
            m.kind = HD_MODEL;
        else if (!strcmp(argv[i], "--page") && i + 1 < argc)
            page = argv[++i];
        else if (!strcmp(argv[i], "--kernels") && i + 1 < argc)
            kernels = argv[++i];
        else if (argv[i][0] == '-')
            return usage(stderr, EXIT_USAGE);
        else if (!add(&m, argv[i]))
            return EXIT_USAGE;
    }
    jobs_run("modes", m.n, job, &m);
    const char *unwritten = !modes_table(&m, argv[1])                ? argv[1]
                            : page && !modes_page(&m, page)          ? page
                            : kernels && !modes_kernels(&m, kernels) ? kernels
                                                                     : NULL;
    if (unwritten) {
        fprintf(stderr, "modes: %s cannot be written\n", unwritten);
        return EXIT_USAGE;
    }
    bool ok = judge(&m);
    shared_free(m.row, bytes);
    return ok ? EXIT_YES : EXIT_NO;
}
