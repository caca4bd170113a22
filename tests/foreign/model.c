/* A model of shuttle.v, as a stranger would write one: it follows the core by three functions.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The core chooses which warp issues; all else is computed here: which lanes run, and where, what
 * they write, and where they access memory.  SHUTTLE_PROGRAM names the program, as $writememh
 * writes it.  -DWRONG_JOIN: a model that is wrong, to see that it is found.  SHUTTLE_EXCUSE=R: what
 * goes into register R counts as the same. */
#include "stream/heddle_model.h"

enum { LANES = 4, WARPS = 4, REGS = 16, DEPTH = 8, WORDS = 256 };
enum { ADDI, ADD, SLT, MUL, LW, SW, LANE, WARP, JUMP, BEQZ, SPLIT, JOIN, TMC, SPAWN, BAR };
struct token { uint32_t waits, back, pc; bool both; };
struct warp {
    uint32_t run, pc, reg[REGS][LANES];
    struct token stack[DEPTH];
    unsigned depth;
};
struct shuttle { uint32_t code[WORDS], data[WORDS]; struct warp warp[WARPS]; };

static bool load_program(struct shuttle *s, char why[HS_ERROR])
{
    const char *path = getenv("SHUTTLE_PROGRAM");
    FILE *f = path ? fopen(path, "r") : NULL;
    unsigned n = 0, word;
    char text[64];
    while (f && n < WORDS && fgets(text, sizeof text, f))
        if (sscanf(text, "%x", &word) == 1)                      /* else it is a comment */
            s->code[n++] = word;
    if (f)
        fclose(f);
    if (n < WORDS)
        snprintf(why, HS_ERROR, "SHUTTLE_PROGRAM=%s holds no program", path ? path : "");
    return n == WORDS;
}

void *hs_model_start(void *state, const struct hs_header *h, char why[HS_ERROR])
{
    free(state);
    if (!h)
        return NULL;
    struct shuttle *s = calloc(1, sizeof *s);
    if (!s || strcmp(h->core, "shuttle") || h->lanes != LANES || !load_program(s, why)) {
        if (!*why)
            snprintf(why, HS_ERROR, "it is no shuttle");
        free(s);
        return NULL;
    }
    s->warp[0].run = 1;
    return s;
}

static void control(struct shuttle *s, struct warp *w, uint32_t ins, uint32_t zero,
                    const uint32_t *a)
{
    const uint32_t act = w->run, target = ins & 0x3ff, first = act ? a[__builtin_ctz(act)] : 0;
    struct token *top = &w->stack[(w->depth - 1) % DEPTH], *next = &w->stack[w->depth % DEPTH];
    switch (ins >> 26) {
    case JUMP: w->pc = target; break;
    case BEQZ: if (!first) w->pc = target; break;
    case SPLIT: {
        const bool parts = (act & zero) && (act & ~zero);
        *next = (struct token){ parts ? act & zero : 0, 0, target, !parts };
        w->depth++;
        if (parts) w->run = act & ~zero;
        else if (act & zero) w->pc = target;
        break;
    }
    case JOIN:
        if (top->both) {
            w->run |= top->back;
#ifdef WRONG_JOIN
            w->run &= ~1u;
#endif
            w->depth--;
        } else {
            w->run = top->waits;
            top->back = act;
            top->both = true;
            w->pc = top->pc;
        }
        break;
    case TMC: w->run = first & 15; break;
    case SPAWN:
        for (uint32_t k = 1; k < WARPS && k < first; k++)
            if (!s->warp[k].run) {
                s->warp[k].run = 1;
                s->warp[k].pc = target;
                s->warp[k].depth = 0;
            }
        break;
    default: break;
    }
}

/* A register, or what a lane accesses, under the mask of the lanes that run. */
static void result(struct shuttle *s, struct warp *w, uint32_t ins, uint32_t act, hs_say_fn *say,
                   void *to)
{
    static struct hs_event e;
    const unsigned op = ins >> 26, rd = ins >> 22 & 15;
    const uint32_t imm = (ins & 0x3fff) | (ins & 0x2000 ? 0xffffc000u : 0);
    const uint32_t *a = w->reg[ins >> 18 & 15], *b = w->reg[ins >> 14 & 15];
    e = (struct hs_event){ .kind = HS_MEM, .mask = act, .op = op == SW ? 2 : 1, .space = 1 };
    e.size = e.data = 4;
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t at = a[l] + imm, word = at >> 2 & 0xff;
        e.addr[l] = at;
        if (op == SW && act >> l & 1) s->data[word] = b[l];
        e.val[l] = op == SW ? b[l]
                 : op == LW ? s->data[word]
                 : op == ADDI ? at
                 : op == ADD ? a[l] + b[l]
                 : op == SLT ? (uint32_t)((int32_t)a[l] < (int32_t)b[l])
                 : op == MUL ? a[l] * b[l]
                 : op == LANE ? l : (uint32_t)(w - s->warp);
    }
    if (op == LW || op == SW) say(to, &e);
    if (op == SW) return;
    e.kind = HS_WRITE;
    e.reg = rd;
    say(to, &e);
    for (unsigned l = 0; l < LANES; l++)
        if (act >> l & 1) w->reg[rd][l] = (uint32_t)e.val[l];
}

bool hs_model_step(void *state, const struct hs_event *core, hs_say_fn *say, void *to,
                   char why[HS_ERROR])
{
    static struct hs_event e;
    struct shuttle *s = state;
    if (core->kind != HS_ISSUE)
        return true;
    struct warp *w = &s->warp[core->warp % WARPS];
    const uint32_t ins = s->code[w->pc >> 2 & 0xff], act = w->run, *a = w->reg[ins >> 18 & 15];
    if (ins >> 26 > BAR)
        return snprintf(why, HS_ERROR, "no instruction %08x", ins), false;
    e = (struct hs_event){ .kind = HS_ISSUE, .pc = w->pc, .active = act, .exec = act };
    say(to, &e);
    w->pc = (w->pc + 4) & 0x3ff;
    uint32_t zero = 0;
    for (unsigned l = 0; l < LANES; l++)
        zero |= (uint32_t)!a[l] << l;
    if (ins >> 26 >= JUMP)
        control(s, w, ins, zero, a);
    else
        result(s, w, ins, act, say, to);
    return true;
}

/* What a model cannot know, as a clock that is read, would be excused here. */
bool hs_model_compare(void *state, const struct hs_event *core, const struct hs_event *model)
{
    (void)state;
    const char *excused = getenv("SHUTTLE_EXCUSE");
    return excused && core && model && core->kind == HS_WRITE && model->kind == HS_WRITE &&
           core->reg == (unsigned)atoi(excused);
}
