/* Memory, errors and the small routines that every pass uses.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/all.h"

/* An arena is a chain of chunks; nothing is freed before all of it. */
struct chunk { struct chunk *next; size_t used, size; char mem[]; };
struct arena { struct chunk *top; };
enum { CHUNK = 1 << 16, ALIGN = 16 };

static struct chunk *chunk_new(size_t size, struct chunk *next)
{
    struct chunk *c = calloc(1, sizeof *c + size);
    if (!c) {
        fputs("heddle: out of memory\n", stderr);
        exit(4);
    }
    c->next = next;
    c->size = size;
    return c;
}

struct arena *arena_new(void)
{
    struct chunk *c = chunk_new(CHUNK, NULL);
    struct arena *a = (struct arena *)c->mem;    /* lives in its own first chunk */
    c->used = ALIGN;
    a->top = c;
    return a;
}

void arena_free(struct arena *a)
{
    struct chunk *next;
    if (!a) return;
    for (struct chunk *c = a->top; c; c = next) {
        next = c->next;
        free(c);
    }
}

void *arena_alloc(struct arena *a, size_t n)
{
    n = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (a->top->size - a->top->used < n)
        a->top = chunk_new(n > CHUNK / 4 ? n + CHUNK : CHUNK, a->top);
    void *p = a->top->mem + a->top->used;
    a->top->used += n;
    return p;
}

void *arena_grow(struct arena *a, void *old, size_t used, size_t want)
{
    void *p = arena_alloc(a, want);
    if (used) memcpy(p, old, used);
    return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    char *heap;
    va_start(ap, fmt);
    int n = vasprintf(&heap, fmt, ap);
    va_end(ap);
    if (n < 0) abort();     /* out of memory: the formats are ours */
    char *s = arena_grow(a, heap, (size_t)n, (size_t)n + 1);
    free(heap);
    return s;
}

/* ---- errors ------------------------------------------------------------------------------- */

static const char *line_start(const struct module *m, int line)
{
    const char *p = m->text, *end = m->text + m->len;
    while (line > 1 && p < end)
        if (*p++ == '\n') line--;
    return p;
}

bool cc_is_cuda(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && !strcmp(path + n - 3, ".cu");
}

/* Does `.file N "name"` say that a file is the source itself?  No message should point to a line of
 * a header. */
static bool is_source(const struct module *m, long file)
{
    char want[32];
    const char *p = m->text, *end = m->text + m->len, *line, *slash = strrchr(m->path, '/');
    const char *name = slash ? slash + 1 : m->path;
    int n = snprintf(want, sizeof want, ".file\t%ld ", file);
    while ((line = memmem(p, (size_t)(end - p), want, (size_t)n))) {
        const char *stop = memchr(line, '\n', (size_t)(end - line)), *at;
        p = stop ? stop : end;
        at = memmem(line, (size_t)(p - line), name, strlen(name));
        if (at && (at[-1] == '/' || at[-1] == '"') && at[strlen(name)] == '"') return true;
    }
    return false;
}

/* The CUDA line that a line of its PTX came from: that of the source's last `.loc` before it in the
 * function; 0: unknown. */
static long cuda_line(const struct module *m, int line)
{
    const char *p = line_start(m, line);
    while (p > m->text) {
        const char *stop = p;
        long file, number;
        for (p--; p > m->text && p[-1] != '\n'; p--) ;
        if (*p == '{') return 0;
        char text[64] = "";
        memcpy(text, p,
               (size_t)(stop - p) < sizeof text - 1 ? (size_t)(stop - p) : sizeof text - 1);
        if (sscanf(text, " .loc %ld %ld", &file, &number) == 2 && number > 0 && is_source(m, file))
            return number;
    }
    return 0;
}

void cc_error(struct hd_err *e, const struct module *m, struct srcloc loc, const char *fmt, ...)
{
    char what[400], source[161], caret[161];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    const char *p = line_start(m, loc.line), *end = m->text + m->len;
    int n = 0;
    for (; n < 160 && p + n < end && p[n] != '\n'; n++) {
        unsigned char c = (unsigned char)p[n];
        source[n] = c == '\t' || (c >= 32 && c < 127) ? (char)c : '?';
    }
    source[n] = 0;
    int k = 0;
    for (; k < loc.col - 1 && k < n; k++) caret[k] = source[k] == '\t' ? '\t' : ' ';
    caret[k] = 0;
    long cuda = cc_is_cuda(m->path) && loc.line > 0 ? cuda_line(m, loc.line) : 0;
    if (e && !e->status) e->line = loc.line;
    if (loc.line <= 0) hd_err_set(e, 2, "%s: %s", m->path, what);
    else if (cuda)
        hd_err_set(e, 2, "%s:%ld: %s; in its PTX:\n%s\n%s^", m->path, cuda, what, source, caret);
    else if (cc_is_cuda(m->path))
        hd_err_set(e, 2, "%s (its PTX):%d:%d: %s\n%s\n%s^", m->path, loc.line, loc.col, what,
                   source, caret);
    else hd_err_set(e, 2, "%s:%d:%d: %s\n%s\n%s^", m->path, loc.line, loc.col, what, source, caret);
}

const char *ins_name(const struct module *m, const struct ins *i)
{
    const char *p = line_start(m, i->loc.line), *end = m->text + m->len;
    int n = 0;
    if (i->loc.line <= 0) return "instruction";
    p += i->loc.col - 1;
    while (p + n < end && p[n] != ';' && p[n] > ' ') n++;
    return arena_printf(m->arena, "%.*s", n, p);
}

/* ---- instructions ------------------------------------------------------------------------- */

struct ins *ins_new(struct module *m, enum pop op)
{
    struct ins *i = arena_alloc(m->arena, sizeof *i);
    i->op = op;
    i->guard = i->vb = i->carry = -1;
    for (int k = 0; k < 6; k++) i->o[k].reg = i->o[k].reg2 = -1;
    return i;
}

void ins_before(struct blk *b, struct ins *at, struct ins *i)
{
    i->next = at;
    i->prev = at ? at->prev : b->last;
    if (i->prev) i->prev->next = i; else b->first = i;
    if (at) at->prev = i; else b->last = i;
}

void ins_append(struct blk *b, struct ins *i) { ins_before(b, NULL, i); }

void ins_remove(struct blk *b, struct ins *i)
{
    if (i->prev) i->prev->next = i->next; else b->first = i->next;
    if (i->next) i->next->prev = i->prev; else b->last = i->prev;
    i->prev = i->next = NULL;
}

int reg_new(struct fn *f, enum ptype t)
{
    int cap = f->nregs;
    if ((cap & (cap - 1)) == 0)     /* full at every power of two: that is how it grows */
        f->regs = arena_grow(f->m->arena, f->regs, (size_t)cap * sizeof *f->regs,
                             (size_t)(cap ? 2 * cap : 1) * sizeof *f->regs);
    f->regs[f->nregs] = (struct vreg){ t, NULL };
    return f->nregs++;
}

int type_size(enum ptype t)
{
    static const unsigned char size[] = { 0, 0, 1, 1, 1, 2, 2, 2, 2, 4, 4,
                                          4, 4, 8, 8, 8, 8, 2, 4, 4, 4 };
    return size[t];
}

bool type_float(enum ptype t) { return t == T_F16 || t == T_F32 || t >= T_F64; }
bool type_packed(enum ptype t) { return t == T_F16X2 || t == T_BF16X2; }
bool type_bf16(enum ptype t) { return t == T_BF16 || t == T_BF16X2; }
bool type_half(enum ptype t) { return t == T_F16 || t == T_BF16 || type_packed(t); }
bool type_signed(enum ptype t) { return t == T_S8 || t == T_S16 || t == T_S32 || t == T_S64; }

/* ---- registers of an instruction ------------------------------------------------------------ */

static int opd_regs(const struct opd *o, int *out, int n)
{
    if ((o->kind == O_REG || o->kind == O_ADDR) && o->reg >= 0) out[n++] = o->reg;
    for (int k = 0; o->kind == O_VEC && k < o->nvec; k++)
        if (o->vec[k].kind == O_REG) out[n++] = o->vec[k].reg;
    return n;
}

bool ins_has_dest(const struct ins *i)
{
    switch (i->op) {
    case P_ST:
    case P_RED:
    case P_MEMBAR:
    case P_FENCE:
    case P_PREFETCH:
    case P_BAR:
    case P_BARWARP:
    case P_BRA:
    case P_BRX:
    case P_CALL:
    case P_RET:
    case P_EXIT:
    case P_TRAP:
    case P_BRKPT:
    case P_PRAGMA:
    case P_NANOSLEEP:
    case P_NOP:
    case P_BSSY:
    case P_BSYNC:
    case P_BREAK:
    case P_BEND:
    case P_BMOV_LOAD:
    case P_YIELD:
    case P_WARPSYNC: return false;
    default:
        return i->nops > 0;
    }
}

int ins_dests(const struct ins *i, int out[MAX_INS_REGS])
{
    int n = 0;
    for (int k = 0; i->op == P_CALL && k < i->nrets && n < MAX_INS_REGS; k++)
        if (i->args[k].kind == O_REG) out[n++] = i->args[k].reg;
    if (!ins_has_dest(i)) return n;
    n = opd_regs(&i->o[0], out, n);
    if (i->o[0].reg2 >= 0) out[n++] = i->o[0].reg2;
    if (i->cc) out[n++] = i->carry;
    return n;
}

static bool reads_carry(const struct ins *i)
{
    return i->op == P_ADDC || i->op == P_SUBC || i->op == P_MADC;
}

int ins_sources(const struct ins *i, int out[MAX_INS_REGS])
{
    int n = 0;
    if (i->guard >= 0) out[n++] = i->guard;
    if (reads_carry(i)) out[n++] = i->carry;
    for (int k = ins_has_dest(i) ? 1 : 0; k < i->nops; k++) n = opd_regs(&i->o[k], out, n);
    for (int k = 0; i->op == P_CALL && k < i->nargs && n < MAX_INS_REGS; k++)
        if (i->args[i->nrets + k].kind == O_REG) out[n++] = i->args[i->nrets + k].reg;
    return n;
}

bool ins_unread(const struct fn *f, const struct ins *at)
{
    int d[MAX_INS_REGS], s[MAX_INS_REGS], nd = ins_dests(at, d);
    for (int b = 0; b < f->nblocks; b++)
        for (const struct ins *i = f->blocks[b]->first; i; i = i->next)
            for (int n = ins_sources(i, s), k = 0; k < n; k++)
                for (int j = 0; j < nd; j++)
                    if (s[k] == d[j]) return false;
    return true;
}

/* A block by its number and the label that the text gives it. */
void show_block(FILE *out, const struct blk *b)
{
    if (!b) fputs("exit", out);
    else if (b->label) fprintf(out, "B%d(%s)", b->id, b->label);
    else fprintf(out, "B%d", b->id);
}
