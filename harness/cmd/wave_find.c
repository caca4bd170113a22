/* `heddle wave --around`: where a launch comes to what is asked for.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cmd/wave_view.h"
#include <stdlib.h>
#include <string.h>

static bool counted(const char *text, const char *word, uint64_t least, uint64_t most, uint64_t *n)
{
    struct hd_err err = { 0 };
    size_t k = strlen(word);
    return !strncmp(text, word, k) && args_number(text + k, n, &err) && *n >= least && *n <= most;
}

static bool parse(const char *text, struct wave_place *p)
{
    if (counted(text, "pc:", 0, UINT32_MAX, &p->n))
        p->by = AT_PC;
    else if (counted(text, "cycle:", 0, UINT64_MAX, &p->n))
        p->by = AT_CYCLE;
    else if (counted(text, "divergence:", 1, UINT64_MAX, &p->n))
        p->by = AT_DIVERGENCE;
    else if (counted(text, "spill:", 1, UINT64_MAX, &p->n))
        p->by = AT_SPILL;
    else if (counted(text, "barrier:B", 0, HD_BARRIERS - 1, &p->n))
        p->by = AT_BARRIER;
    else if (counted(text, "bar:", 0, HD_BARRIERS - 1, &p->n))
        p->by = AT_BLOCK;
    else {
        const char *colon = strrchr(text, ':');
        uint64_t line;
        struct hd_err err = { 0 };
        size_t n = colon ? (size_t)(colon - text) : 0;
        if (!n || n >= sizeof p->file || !memchr(text, '.', n) ||
            !args_number(colon + 1, &line, &err) || !line || line > UINT32_MAX)
            return false;
        memcpy(p->file, text, n);
        p->file[n] = 0;
        p->line = (unsigned)line;
        p->by = AT_LINE;
    }
    return true;
}

bool wave_place_parse(struct cli *c, struct wave_place *p)
{
    char after;
    *p = (struct wave_place){ 0 };
    if (c->around && !parse(c->around, p)) {
        cli_usage(
            c,
            "--around: `%s` is not FILE:LINE, pc:N, cycle:N, divergence:N, spill:N, barrier:Bn or "
            "bar:N",
            c->around);
        return false;
    }
    p->of_warp = c->warp != NULL;
    if (c->warp && sscanf(c->warp, "%u.%u%c", &p->block, &p->warp, &after) != 2) {
        cli_usage(c, "--warp: `%s` is not BLOCK.WARP", c->warp);
        return false;
    }
    return true;
}

/* ---- the launch ---- */

enum { BARRIER_MOST = 2000,     /* cycles for which a barrier is followed */
       AFTER_END = HD_WAVE_AFTER };     /* and shown after the last instruction */

struct search {
    const struct wave_place *p;
    const struct hd_image *image;
    struct window *w;
    uint64_t counted;            /* divergences or spills */
    uint32_t waiting;            /* lanes that were the first at a block barrier */
    bool found, met;             /* what is asked for; the warp, if one is named */
    uint32_t block;              /* of what was found */
    uint64_t let_go;             /* another warp of it completed a block barrier */
    struct lanes lanes[HD_LANES];        /* of each warp slot */
};

static bool on_line(const struct search *s, uint32_t pc)
{
    const char *file = "";
    unsigned line = 0;
    hd_image_line(s->image, pc, &file, &line);
    size_t n = strlen(file), k = strlen(s->p->file);
    return line == s->p->line && n >= k && !strcmp(file + n - k, s->p->file) &&
           (n == k || file[n - k - 1] == '/');
}

static bool is_it(struct search *s, const struct hd_commit *c, const struct lanes *l,
                  unsigned events)
{
    switch (s->p->by) {
    case AT_PC: return c->pc == s->p->n;
    case AT_LINE: return on_line(s, c->pc);
    case AT_DIVERGENCE: return events & LANES_DIVERGE && ++s->counted == s->p->n;
    case AT_SPILL: return events & LANES_SPILL && ++s->counted == s->p->n;
    case AT_BARRIER:
        return events & LANES_BLOCK && l->blocked & lanes_arrived(l, (unsigned)s->p->n);
    case AT_BLOCK:
        return events & LANES_BLOCK &&
               l->blocked & lanes_waiting(l, HD_WAIT_BLOCK + (unsigned)s->p->n);
    case AT_CYCLE: return c->cycle >= s->p->n;
    default: return false;
    }
}

static bool look(void *user, const struct hd_commit *c)
{
    struct search *s = user;
    struct lanes *l = &s->lanes[c->slot % HD_LANES];
    unsigned events = lanes_commit(l, c);
    if (s->found && c->block == s->block && c->slot != s->w->slot && events & LANES_RELEASE)
        s->let_go = c->cycle;
    if (s->p->of_warp && (c->block != s->p->block || c->warp != s->p->warp))
        return true;
    s->met = true;
    if (s->found) {                           /* lanes wait at a barrier: until they are released */
        bool over = c->slot == s->w->slot &&
                    (s->p->by == AT_BLOCK
                         ? c->active & s->waiting
                         : events & LANES_RELEASE && l->released_from >> s->p->n & 1);
        s->w->until = over && s->p->by == AT_BLOCK && s->let_go ? s->let_go : c->cycle;
        s->w->released = over;
        return !over && c->cycle < s->w->event + BARRIER_MOST;
    }
    s->w->slot = c->slot;                            /* at the end: of the last one */
    s->w->event = c->cycle;
    s->found = is_it(s, c, l, events);
    s->waiting = l->blocked;
    s->block = c->block;
    return !s->found || s->p->by == AT_BARRIER || s->p->by == AT_BLOCK;
}

/* When all is over, a warp whose lanes live is why, not one that has exited since; and where they
 * wait at a block barrier, a view of that. */
static void left_waiting(struct cli *c, const struct search *s)
{
    struct window *w = s->w;
    unsigned slot = w->slot;
    const bool block = !c->view || !strcmp(c->view, "block");
    for (unsigned i = 0; i < HD_LANES && !s->p->of_warp && !s->lanes[slot].live; i++)
        slot = s->lanes[i].live ? i : slot;
    w->slot = slot;
    for (unsigned n = 0; n < HD_BARRIERS && block; n++)
        if (lanes_waiting(&s->lanes[slot], HD_WAIT_BLOCK + n)) {
            w->view = "block";
            w->barrier = n;
            return;
        }
}

static int missing(struct cli *c, const struct search *s, uint64_t cycles)
{
    const struct wave_place *p = s->p;
    if (p->of_warp && !s->met)
        return cli_usage(c, "--warp: no commit of block %u, warp %u", p->block, p->warp);
    if (p->by == AT_PC)
        return cli_usage(c, "no instruction at PC 0x%llx retired", (unsigned long long)p->n);
    if (p->by == AT_LINE)
        return cli_usage(c, "no instruction of %s:%u retired", p->file, p->line);
    if (p->by == AT_DIVERGENCE || p->by == AT_SPILL)
        return cli_usage(c, "--around: there are only %llu %s", (unsigned long long)s->counted,
                         p->by == AT_SPILL ? "spills" : "divergences");
    if (p->by == AT_BARRIER)
        return cli_usage(c, "no lane waited at B%llu", (unsigned long long)p->n);
    if (p->by == AT_BLOCK)
        return cli_usage(c, "no lane waited at block barrier %llu", (unsigned long long)p->n);
    /* At the end: the last thing that happened, which in a deadlock was long ago. */
    uint64_t last = s->met ? s->w->event : cycles;
    if (p->by == AT_END) {
        s->w->to = last + AFTER_END;
        s->w->from = s->w->to > c->window ? s->w->to - c->window : 0;
        left_waiting(c, s);
    }
    s->w->event = p->by == AT_CYCLE ? p->n : last;
    return -1;
}

int wave_place_find(struct cli *c, const struct wave_place *p, struct window *w)
{
    struct session s;
    static struct search f;
    f = (struct search){ .p = p, .w = w };
    if (p->by == AT_CYCLE && !p->of_warp) {          /* nothing to be looked for */
        w->event = p->n;
        return -1;
    }
    int status = session_open(&s, c, HD_LOCKSTEP);
    if (status < 0) {
        f.image = s.image;
        session_on_commit(&s, look, &f);
        enum hd_status st = session_launch(&s);
        struct hd_mismatch m;
        if (st > HD_STOPPED)
            status = session_error(&s, st);
        else if (!f.found)
            status = missing(c, &f, hd_get_counters(s.dev)->cycles);
        if (status < 0 && p->by == AT_END && hd_get_mismatch(s.dev, &m))
            *w = wave_window(s.dev);
        if (status < 0 && p->by == AT_CYCLE)
            w->event = p->n;
    }
    session_close(&s);
    for (unsigned i = 0; i < HD_LANES; i++)
        lanes_free(&f.lanes[i]);
    return status;
}
