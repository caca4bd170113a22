/* Two streams of one program: where each warp differs first.  SPDX-License-Identifier: Apache-2.0
 *
 * A warp is known by its run, its block and its number there, wherever it was placed; its
 * instructions are compared in the order in which they issue, whatever the order among warps.  Of
 * events that only one stream reports nothing is compared.  The stream that is less far ahead is
 * read next, so what is remembered is what one core is ahead of the other.
 *
 * A model that follows a core is the other stream: it says what it does when the core says which
 * warp issues; where warps start, and when an instruction has ended, is the core's. */
#include "stream/difference.h"
#include "stream/heddle_model.h"

enum { KINDS = 4 };
static const uint8_t compared[KINDS] = { HS_ISSUE, HS_WRITE, HS_K_pred, HS_MEM };

/* Some of an instruction's events: the issue, and results, whose parts are joined. */
struct part {
    struct part *next;
    size_t bytes;
    uint64_t cycle;
    uint8_t data[];
};
struct insn {
    struct insn *next;
    struct part *part;
    uint64_t n, cycle, pc;
    uint32_t warp;
    bool done;
};
struct queue {
    struct insn *first, **last;
    uint64_t taken;
};
/* A warp of a run, as both streams have it. */
struct pair {
    struct pair *next;
    uint64_t run, block, index;
    struct queue q[2];
    bool differs;
    uint64_t before[BEFORE]; /* PCs of the last instructions that both have */
};
struct side {
    struct hs_reader *r;
    const struct hs_header *h;
    struct pair *of[HS_WARPS];
    uint64_t run, ahead;
    bool ended;
};
struct diff {
    struct side s[2];
    struct pair *hash[4096];
    bool both[HS_KINDS];
    const struct hs_model *model; /* the other side is one */
    void *state;
    const struct hs_event *now; /* what the core said, which the model answers */
    bool said, full;            /* the model has said an issue; there was no memory */
    unsigned word_bytes, most, shown;
    const char **name;
    FILE *out;
    struct hs_diff *sum;
    struct hs_event e, o;
    uint8_t packed[HS_ALONE];
};

static struct pair *pair_of(struct diff *d, uint64_t run, uint64_t block, uint64_t index)
{
    struct pair **p = &d->hash[(run * 31 + block * 1031 + index) & 4095];
    while (*p && ((*p)->run != run || (*p)->block != block || (*p)->index != index))
        p = &(*p)->next;
    if (!*p && (*p = calloc(1, sizeof **p))) {
        (*p)->run = run;
        (*p)->block = block;
        (*p)->index = index;
        d->sum->warps++;
        for (int k = 0; k < 2; k++)
            (*p)->q[k].last = &(*p)->q[k].first;
    }
    return *p;
}

static void free_insn(struct insn *i)
{
    for (struct part *p = i->part, *next; p; p = next) {
        next = p->next;
        free(p);
    }
    free(i);
}

static bool same_result(const struct hs_event *a, const struct hs_event *b)
{
    return a->kind == b->kind && a->reg == b->reg && a->op == b->op && a->space == b->space &&
           a->size == b->size && a->data == b->data;
}

/* Puts an event at its place among the parts, which are in order of kind and register; one that is
 * there already takes the new lanes in. */
static bool add_part(struct diff *d, struct insn *i, struct hs_event *e)
{
    struct part **at = &i->part;
    for (; *at; at = &(*at)->next) {
        hs_unpack((*at)->data, (*at)->bytes, &d->o, d->word_bytes);
        if (d->o.kind > e->kind || (d->o.kind == e->kind && d->o.reg > e->reg))
            break;
        if (e->kind == HS_ISSUE || !same_result(&d->o, e))
            continue;
        for (unsigned l = 0; l < HS_LANES; l++)
            if (d->o.mask >> l & 1) {
                e->addr[l] = d->o.addr[l];
                e->val[l] = d->o.val[l];
                e->high[l] = d->o.high[l];
            }
        e->mask |= d->o.mask;
        e->bits |= d->o.bits;
        struct part *gone = *at;
        *at = gone->next;
        free(gone);
        break;
    }
    const uint64_t cycle = e->cycle;
    const size_t n = hs_pack(e, d->packed, d->word_bytes);
    struct part *p = malloc(sizeof *p + n);
    if (!p)
        return false;
    p->next = *at;
    p->bytes = n;
    p->cycle = cycle;
    memcpy(p->data, d->packed, n);
    *at = p;
    return true;
}

/* Whether two events say the same, as far as both say it. */
static bool alike(struct diff *d, const struct part *a, const struct part *b)
{
    if (a->bytes == b->bytes && !memcmp(a->data, b->data, a->bytes))
        return true;
    hs_unpack(a->data, a->bytes, &d->e, d->word_bytes);
    hs_unpack(b->data, b->bytes, &d->o, d->word_bytes);
    if (d->e.kind != HS_MEM || d->o.kind != HS_MEM || !d->e.data == !d->o.data)
        return false;
    d->e.data = d->o.data = 0; /* data that one of them does not have */
    uint8_t other[HS_ALONE];
    const size_t n = hs_pack(&d->e, d->packed, d->word_bytes);
    return n == hs_pack(&d->o, other, d->word_bytes) && !memcmp(d->packed, other, n);
}

/* The same, or the model says that it means the same.  NULL: that side says nothing. */
static bool agree(struct diff *d, const struct part *a, const struct part *b)
{
    if (a && b && alike(d, a, b))
        return true;
    if (a)
        hs_unpack(a->data, a->bytes, &d->e, d->word_bytes);
    if (b)
        hs_unpack(b->data, b->bytes, &d->o, d->word_bytes);
    return d->model && d->model->compare &&
           d->model->compare(d->state, a ? &d->e : NULL, b ? &d->o : NULL);
}

/* Which of two parts comes first; 0: they are about the same. */
static int in_order(struct diff *d, const struct part *a, const struct part *b)
{
    if (!a || !b)
        return a ? -1 : 1;
    hs_unpack(a->data, a->bytes, &d->e, d->word_bytes);
    hs_unpack(b->data, b->bytes, &d->o, d->word_bytes);
    return d->e.kind != d->o.kind ? (d->e.kind < d->o.kind ? -1 : 1)
         : d->e.reg != d->o.reg   ? (d->e.reg < d->o.reg ? -1 : 1)
                                  : 0;
}

/* ` (FILE:LINE)' after a PC. */
static void say_line(const struct diff *d, uint64_t pc)
{
    const char *where = d->sum->where ? d->sum->where(d->sum->user, pc) : NULL;
    if (where)
        fprintf(d->out, " (%s)", where);
}

static void say(struct diff *d, const struct pair *p, const struct insn *i[2],
                const struct part *part[2])
{
    const unsigned n = p->q[0].taken < BEFORE ? (unsigned)p->q[0].taken - 1 : BEFORE - 1;
    fprintf(d->out, "run %llu, block %llu, warp %llu: its instruction %llu differs, at",
            (unsigned long long)p->run, (unsigned long long)p->block, (unsigned long long)p->index,
            (unsigned long long)p->q[0].taken);
    for (int k = 0; k < 2; k++) {
        fprintf(d->out, "%s %llx", k ? " and" : "", (unsigned long long)i[k]->pc);
        say_line(d, i[k]->pc);
        fprintf(d->out, " in cycle %llu of %s", (unsigned long long)i[k]->cycle, d->name[k]);
    }
    fputc('\n', d->out);
    struct hs_header h = *d->s[0].h;
    h.word_bytes = d->word_bytes;
    for (int k = 0; k < 2; k++) {
        struct hs_event *e = k ? &d->o : &d->e;
        if (!part[k])
            continue;
        hs_unpack(part[k]->data, part[k]->bytes, e, d->word_bytes);
        e->cycle = part[k]->cycle; /* these are not compared, and so not packed */
        e->warp = i[k]->warp;
        e->n = i[k]->n;
    }
    hs_say_difference(&h, part[0] ? &d->e : NULL, part[1] ? &d->o : NULL, d->name, d->out);
    if (n)
        fprintf(d->out, "    before it:");
    for (unsigned k = n; k; k--) {
        const uint64_t pc = p->before[(p->q[0].taken - 1 - k) % BEFORE];
        fprintf(d->out, " %llx", (unsigned long long)pc);
        say_line(d, pc);
        fputs(k > 1 ? "" : "\n", d->out);
    }
}

static bool same_insn(struct diff *d, struct pair *p, const struct insn *a, const struct insn *b)
{
    const struct part *at[2] = { a->part, b->part };
    while (at[0] || at[1]) {
        const int order = in_order(d, at[0], at[1]);
        const struct part *x[2] = { order <= 0 ? at[0] : NULL, order >= 0 ? at[1] : NULL };
        if (!agree(d, x[0], x[1])) {
            if (d->shown++ < d->most)
                say(d, p, (const struct insn *[2]){ a, b }, x);
            return false;
        }
        for (int k = 0; k < 2; k++)
            at[k] = x[k] ? at[k]->next : at[k];
    }
    p->before[(p->q[0].taken - 1) % BEFORE] = a->pc;
    return true;
}

static struct insn *take(struct side *s, struct queue *q)
{
    struct insn *i = q->first;
    if (!(q->first = i->next))
        q->last = &q->first;
    q->taken++;
    s->ahead--;
    return i;
}

static void drop(struct side *s, struct queue *q)
{
    while (q->first)
        free_insn(take(s, q));
}

/* Compares what both sides have of a warp. */
static void meet(struct diff *d, struct pair *p)
{
    while (p->q[0].first && p->q[1].first && p->q[0].first->done && p->q[1].first->done) {
        struct insn *a = take(&d->s[0], &p->q[0]), *b = take(&d->s[1], &p->q[1]);
        const bool same = p->differs || same_insn(d, p, a, b);
        d->sum->instructions++;
        free_insn(a);
        free_insn(b);
        if (same)
            continue;
        p->differs = true;
        d->sum->differ++;
    }
    for (int k = 0; p->differs && k < 2; k++) { /* nothing more is asked of it */
        struct insn *i = p->q[k].first;
        while (i && i->done) {
            free_insn(take(&d->s[k], &p->q[k]));
            i = p->q[k].first;
        }
    }
}

static struct insn *insn_of(struct queue *q, uint64_t n)
{
    for (struct insn *i = q->first; i; i = i->next)
        if (!i->done && i->n == n)
            return i;
    return NULL;
}

/* Without retirement an instruction is whole when the next one issues. */
static void done_before(struct diff *d, int k, struct pair *p)
{
    for (struct insn *i = p->q[k].first; i; i = i->next)
        i->done = true;
    meet(d, p);
}

static bool issue(struct diff *d, int k, struct pair *p, struct hs_event *e)
{
    if (!*d->s[k].h->place[HS_RETIRE])
        done_before(d, k, p);
    struct insn *i = calloc(1, sizeof *i);
    if (!i)
        return false;
    *i = (struct insn){ .n = e->n, .cycle = e->cycle, .pc = e->pc, .warp = e->warp };
    *p->q[k].last = i;
    p->q[k].last = &i->next;
    d->s[k].ahead++;
    return add_part(d, i, e);
}

static bool add(struct diff *d, int k, struct hs_event *e)
{
    struct side *s = &d->s[k];
    struct pair *p = s->of[e->warp];
    if (e->kind == HS_RUN)
        return s->run++, true;
    if (e->kind == HS_START)
        return (s->of[e->warp] = pair_of(d, s->run, e->block, e->index)) != NULL;
    if (!p)
        return true;
    if (e->kind == HS_ISSUE)
        return issue(d, k, p, e);
    struct insn *i = insn_of(&p->q[k], e->n);
    if (i && e->kind == HS_RETIRE && e->last)
        return i->done = true, meet(d, p), true;
    if (i && e->kind == HS_K_fault)
        i->done = true;
    for (unsigned j = 1; i && j < KINDS; j++)
        if (e->kind == compared[j] && d->both[e->kind])
            return add_part(d, i, e);
    return true;
}

/* One side goes on where the other has ended. */
static void say_longer(const struct diff *d, const struct pair *p, int k)
{
    fprintf(d->out,
            "run %llu, block %llu, warp %llu: %s goes on after %llu instructions, at %llx",
            (unsigned long long)p->run, (unsigned long long)p->block, (unsigned long long)p->index,
            d->name[k], (unsigned long long)p->q[k].taken,
            (unsigned long long)p->q[k].first->pc);
    say_line(d, p->q[k].first->pc);
    fprintf(d->out, " in cycle %llu; %s does not\n", (unsigned long long)p->q[k].first->cycle,
            d->name[!k]);
}

static void left_over(struct diff *d, struct pair *p)
{
    for (int k = 0; k < 2; k++)
        done_before(d, k, p);
    for (int k = 0; k < 2; k++) {
        if (p->q[k].first && !p->differs) {
            p->differs = true;
            d->sum->differ++;
            if (d->shown++ < d->most)
                say_longer(d, p, k);
        }
        drop(&d->s[k], &p->q[k]);
    }
}

/* What only one of them reports is named once. */
static void say_missing(struct diff *d)
{
    for (unsigned j = 0; j < KINDS; j++) {
        const unsigned kind = compared[j];
        const bool a = *d->s[0].h->place[kind], b = *d->s[1].h->place[kind];
        d->both[kind] = a && b;
        if (a != b)
            fprintf(d->out, "not compared: %s, which %s does not report\n", hs_kind_name(kind),
                    d->name[a]);
        else if (!a && kind == HS_ISSUE)
            fprintf(d->out, "not compared: anything, as nothing issues\n");
    }
    d->word_bytes = d->s[0].h->word_bytes == d->s[1].h->word_bytes ? d->s[0].h->word_bytes : 0;
    if (d->s[0].h->word_bytes != d->s[1].h->word_bytes)
        fprintf(
            d->out,
            "not compared: the instructions' words, which have another size or are not reported\n");
}

/* What the model does, as the other side's. */
static void model_says(void *to, const struct hs_event *e)
{
    struct diff *d = to;
    static _Thread_local struct hs_event own;
    own = *e;
    own.cycle = d->now->cycle;
    own.warp = d->now->warp;
    own.n = d->now->n;
    d->said = d->said || e->kind == HS_ISSUE;
    d->full = !add(d, 1, &own) || d->full;
}

/* The model hears what the core says, after the core's own side has it. */
static bool model_hears(struct diff *d, struct hs_event *e, char error[HS_ERROR])
{
    const uint32_t kind = e->kind;
    char why[HS_ERROR] = "";
    if (kind == HS_RUN || !d->state) {               /* a core may run once, and not say so */
        void *state = d->model->start(d->state, d->s[0].h, why);
        d->state = state ? state : d->state;
        if (!state)
            return snprintf(error, HS_ERROR, "%.70s: cannot follow this core: %.190s", d->name[1],
                            why),
                   false;
    }
    d->now = e;
    d->said = false;
    if (!d->model->step(d->state, e, model_says, d, why))
        return snprintf(error, HS_ERROR, "%.70s: cannot go on: %.190s", d->name[1], why),
               false;
    if (kind == HS_ISSUE && !d->said)
        return snprintf(error, HS_ERROR, "%.70s: says no issue where the core has one, of warp %u",
                        d->name[1], e->warp),
               false;
    if (kind == HS_RUN || kind == HS_START || kind == HS_RETIRE || kind == HS_K_fault)
        d->full = !add(d, 1, e) || d->full;
    return !d->full || (snprintf(error, HS_ERROR, "out of memory"), false);
}

static int read_all(struct diff *d, char error[HS_ERROR])
{
    while ((!d->s[0].ended || !d->s[1].ended) && !(d->model && d->sum->differ)) {
        const int k = d->s[0].ended || (!d->s[1].ended && d->s[1].ahead < d->s[0].ahead);
        char why[HS_ERROR - 80];
        struct hs_event *e = &d->e;
        const int got = hs_read(d->s[k].r, e, error);
        if (got < 0 || (!got && !hs_ends(d->s[k].r, error))) {
            snprintf(why, sizeof why, "%s", error);
            snprintf(error, HS_ERROR, "%.70s: %s", d->name[k], why);
            return -1;
        }
        if (!got)
            d->s[k].ended = true;
        /* d->e is used to print and to join, too; and what is added is packed in place */
        static _Thread_local struct hs_event own, heard;
        if (got)
            own = heard = *e;
        if (got && !add(d, k, &own))
            return snprintf(error, HS_ERROR, "out of memory"), -1;
        if (got && d->model && !d->sum->differ && !model_hears(d, &heard, error))
            return -1;
    }
    return 0;
}

static int compare_all(struct diff *d, const char *name[2], unsigned most, FILE *out,
                       struct hs_diff *sum, char error[HS_ERROR])
{
    *sum = (struct hs_diff){ .where = sum->where, .user = sum->user };
    d->name = name;
    d->most = most;
    d->out = out;
    d->sum = sum;
    say_missing(d);
    int status = read_all(d, error);
    const bool whole = !status && !(d->model && sum->differ);
    for (unsigned k = 0; k < 4096; k++)
        for (struct pair *p = d->hash[k], *next; p; p = next) {
            next = p->next;
            if (whole)
                left_over(d, p);
            for (int j = 0; j < 2; j++)
                drop(&d->s[j], &p->q[j]);
            free(p);
        }
    return status ? status : sum->differ > INT32_MAX ? INT32_MAX : (int)sum->differ;
}

int hs_compare(struct hs_reader *a, struct hs_reader *b, const char *name[2], unsigned most,
               FILE *out, struct hs_diff *sum, char error[HS_ERROR])
{
    struct diff *d = calloc(1, sizeof *d);
    if (!d)
        return snprintf(error, HS_ERROR, "out of memory"), -1;
    d->s[0] = (struct side){ .r = a, .h = hs_header_of(a) };
    d->s[1] = (struct side){ .r = b, .h = hs_header_of(b) };
    const int status = compare_all(d, name, most, out, sum, error);
    free(d);
    return status;
}

int hs_follow(struct hs_reader *core, const struct hs_model *model, const char *name[2], FILE *out,
              struct hs_diff *sum, char error[HS_ERROR])
{
    struct diff *d = calloc(1, sizeof *d);
    char why[HS_ERROR];
    if (!d)
        return snprintf(error, HS_ERROR, "out of memory"), -1;
    d->s[0] = (struct side){ .r = core, .h = hs_header_of(core) };
    d->s[1] = (struct side){ .h = hs_header_of(core), .ended = true };
    d->model = model;
    const int status = compare_all(d, name, 1, out, sum, error);
    if (d->state)
        model->start(d->state, NULL, why);
    free(d);
    return status;
}
