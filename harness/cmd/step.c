/* `heddle lockstep --step`: the prompt.  RTL and model stop between two commits, and what it shows
 * is the state there.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cmd/step.h"
#include "cmodel/base/counted.h"
#include "harness/process/stop.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "step [N]           the next N commits (1) of the warp chosen, else of any warp\n"
    "next               to the next commit at which lanes part\n"
    "continue           to the next breakpoint, or the end\n"
    "until CYCLE        to the first commit in that cycle or later\n"
    "break PLACE        FILE:LINE, LINE or pc N: stops when a warp has come there; "
    "alone: lists them\n"
    "delete [N]         that breakpoint, or all\n"
    "warp B.W | any     step and show warp W of block B; any: the warp of the newest commit\n"
    "where [all]        every group of lanes: where it is, and why it waits; of all warps\n"
    "print WHAT         R3 of all lanes (print/d, print/f: as numbers), P0, B2, masks, barriers, "
    "stack, lanes\n"
    "help, quit         the first letter of a command is enough; "
    "an empty line repeats the last one\n";

/* ---- breakpoints ---- */

static bool line_of(const struct hd_image *img, uint32_t pc, const char *file, unsigned *line)
{
    const char *is = "";
    hd_image_line(img, pc, &is, line);
    size_t n = strlen(is), m = strlen(file);
    return *line && n >= m && !strcmp(is + n - m, file) &&
           (n == m || m == 0 || is[n - m - 1] == '/');
}

/* Marks the instructions of a place; how many.  0: `next` is the next line with any, 0 where none
 * follows. */
static unsigned mark(struct step *t, const char *place, unsigned number, unsigned *next)
{
    const struct hd_image *img = t->s->image;
    char file[128] = "", after;
    unsigned want, line, found = 0, pc;
    *next = 0;
    if (sscanf(place, "pc%*[ :]%i%c", (int *)&pc, &after) == 1) {
        if (pc % HD_INSN_BYTES || pc >= img->text_size)
            return 0;
        t->stop_at[pc / HD_INSN_BYTES] = (uint8_t)number;
        return 1;
    }
    if (sscanf(place, "%u%c", &want, &after) != 1 &&
        sscanf(place, "%127[^:]:%u%c", file, &want, &after) != 2)
        return 0;
    for (pc = 0; pc < img->text_size; pc += HD_INSN_BYTES) {
        if (!line_of(img, pc, file, &line))
            continue;
        if (line == want) {
            t->stop_at[pc / HD_INSN_BYTES] = (uint8_t)number;
            found++;
        } else if (line > want && (!*next || line < *next))
            *next = line;
    }
    return found;
}

static void mark_all(struct step *t)
{
    unsigned next;
    memset(t->stop_at, 0, t->s->image->text_size / HD_INSN_BYTES);
    for (unsigned i = 0; i < t->nstops; i++)
        mark(t, t->stop[i].place, i + 1, &next);
}

static void add_break(struct step *t, const char *place)
{
    unsigned next, n;
    for (unsigned i = 0; !*place && i < t->nstops; i++)
        printf("%u: %s\n", i + 1, t->stop[i].place);
    if (!*place)
        return;
    if (t->nstops == STEP_BREAKS) {
        printf("%d breakpoints are all there can be\n", STEP_BREAKS);
        return;
    }
    n = mark(t, place, t->nstops + 1, &next);
    if (!n && next)
        printf("no instruction is of %s; the next line with any is %u\n", place, next);
    else if (!n)
        printf("no instruction is at `%s': FILE:LINE, LINE or pc N\n", place);
    else if ((t->stop[t->nstops].place = strdup(place)))
        printf("%u: %s, %u %s\n", ++t->nstops, place, COUNTED(n, "instruction"));
}

static void delete(struct step *t, const char *which)
{
    unsigned n = (unsigned)strtoul(which, NULL, 10);
    if (*which && (!n || n > t->nstops)) {
        printf("there is no breakpoint `%s'\n", which);
        return;
    }
    for (unsigned i = t->nstops; i-- > 0;)
        if (!*which || i == n - 1) {
            free(t->stop[i].place);
            memmove(&t->stop[i], &t->stop[i + 1], (t->nstops - i - 1) * sizeof *t->stop);
            t->nstops--;
        }
    mark_all(t);
}

/* ---- commands: true, where the launch goes on ---- */

static bool go(struct step *t, int until, uint64_t left)
{
    if (t->ended) {
        printf("the launch has ended\n");
        return false;
    }
    t->until = until;
    t->left = left;
    return true;
}

static bool go_number(struct step *t, int until, const char *arg, uint64_t otherwise)
{
    struct hd_err err = { 0 };
    uint64_t n = otherwise;
    if (*arg && (!args_number(arg, &n, &err) || (until == STEP_COUNT && !n))) {
        printf("`%s' is no number\n", arg);
        return false;
    }
    return go(t, until, n);
}

static void choose(struct step *t, const char *arg)
{
    char after;
    uint32_t block;
    unsigned warp;
    if (!strcmp(arg, "any"))
        t->chosen = false;
    else if (sscanf(arg, "%u.%u%c", &block, &warp, &after) == 2 && warp < STEP_SLOTS) {
        t->chosen = true;
        t->block = block;
        t->number = (uint16_t)warp;
        step_slot(t);
    } else
        printf("`%s' is not BLOCK.WARP or any\n", arg);
}

static void print(struct step *t, const char *arg, char format)
{
    if (!step_print(t, arg, format))
        printf("there is no `%s': R0 to R%u, P0 to P6, B0 to B15, masks, barriers, stack, lanes\n",
               arg, t->s->kernel->regs - 1);
}

/* The word is the beginning of the command's name. */
static bool is(const char *word, const char *name)
{
    return *word && !strncmp(word, name, strlen(word));
}

static bool command(struct step *t, char *word, const char *arg)
{
    char *slash = strchr(word, '/'), format = slash ? slash[1] : 'x';
    if (slash && (!strcmp(slash, "/d") || !strcmp(slash, "/f")))
        *slash = 0;
    if (is(word, "step"))
        return go_number(t, STEP_COUNT, arg, 1);
    if (is(word, "next"))
        return go(t, STEP_DIVERGENCE, 0);
    if (is(word, "continue"))
        return go(t, STEP_END, 0);
    if (is(word, "until"))
        return *arg ? go_number(t, STEP_CYCLE, arg, 0) : (printf("until which cycle?\n"), false);
    if (is(word, "quit"))
        return t->quit = true;
    if (is(word, "break"))
        add_break(t, arg);
    else if (is(word, "delete"))
        delete(t, arg);
    else if (is(word, "where"))
        step_where(t, !strcmp(arg, "all"));
    else if (is(word, "warp"))
        choose(t, arg);
    else if (is(word, "print"))
        print(t, arg, format);
    else if (is(word, "help"))
        fputs(help, stdout);
    else
        printf("`%s' is no command: help lists them\n", word);
    return false;
}

/* Asks until the launch goes on, or nothing more is asked. */
static void prompt(struct step *t)
{
    char line[128], word[128], arg[128];
    do {
        printf("(heddle) ");
        fflush(stdout);                              /* in order with what goes to standard error */
        if (!fgets(line, sizeof line, stdin)) {
            printf("\n");
            fflush(stdout);
            t->quit = true;
            return;
        }
        line[strcspn(line, "\r\n")] = 0;
        if (!t->terminal)
            printf("%s\n", line), fflush(stdout);
        if (line[strspn(line, " \t")])
            memcpy(t->again, line, sizeof line);
        word[0] = arg[0] = 0;
        sscanf(t->again, "%127s %127[^\n]", word, arg);
    } while (!*word || !command(t, word, arg));
}

/* ---- the launch ---- */

bool step_begin(struct step *t, struct session *s)
{
    *t = (struct step){ .s = s, .terminal = isatty(STDIN_FILENO) };
    t->stop_at = calloc(s->image->text_size / HD_INSN_BYTES + 1, 1);
    if (!t->stop_at)
        return false;
    printf("RTL and model, step by step; help lists the commands.\n");
    prompt(t);
    return true;
}

/* The warp has come to a breakpoint: its commit before was not of the same one. */
static unsigned arrived(const struct step *t, const struct hd_commit *c, bool fresh,
                        uint32_t before)
{
    unsigned n = c->pc < t->s->image->text_size ? t->stop_at[c->pc / HD_INSN_BYTES] : 0;
    return n && (fresh || before >= t->s->image->text_size ||
                 t->stop_at[before / HD_INSN_BYTES] != n || c->pc <= before)
               ? n
               : 0;
}

static bool is_time(struct step *t, const struct hd_commit *c)
{
    bool mine = !t->chosen || (c->block == t->block && c->warp == t->number);
    return t->until == STEP_COUNT ? mine && --t->left == 0
         : t->until == STEP_DIVERGENCE ? mine && t->events & LANES_DIVERGE
         : t->until == STEP_CYCLE && c->cycle >= t->left;
}

bool step_commit(void *user, const struct hd_commit *c)
{
    struct step *t = user;
    struct lanes *w = &t->warp[c->slot % STEP_SLOTS];
    bool fresh = !w->used || w->block != c->block || w->warp != c->warp;
    uint32_t before = w->pc;
    char text[300];
    t->events = lanes_commit(w, c);
    t->last = *c;
    t->seen++;
    unsigned at = arrived(t, c, fresh, before);
    bool stop = is_time(t, c);
    if (t->quit || (!stop && !at))
        return !t->quit;
    progress_end(&t->s->progress);
    if (at)
        printf("breakpoint %u, %s\n", at, t->stop[at - 1].place);
    hd_show_commit(t->s->dev, c, stdout);
    lanes_event_text(w, t->events, text, sizeof text);
    if (text[0])
        printf("  %s\n", text);
    prompt(t);
    return !t->quit;
}

void step_end(struct step *t, enum hd_status st)
{
    struct hd_mismatch m;
    t->ended = true;
    if (hd_get_mismatch(t->s->dev, &m) && m.trouble == HD_TROUBLE_FIELD) {
        t->last = *m.rtl;
        t->seen++;
        t->differs = m.rtl->slot % STEP_SLOTS + 1;
        lanes_commit(&t->warp[t->differs - 1], m.rtl);
        hd_show_commit(t->s->dev, m.rtl, stdout);
    }
    printf(st == HD_OK ? "the launch has ended\n" : "the launch has ended: %s\n", hd_strerror(st));
    if (!t->quit && !stop_requested() && st != HD_OK && st <= HD_STOPPED)
        prompt(t);
}

void step_free(struct step *t)
{
    for (unsigned i = 0; i < STEP_SLOTS; i++)
        lanes_free(&t->warp[i]);
    for (unsigned i = 0; i < t->nstops; i++)
        free(t->stop[i].place);
    free(t->stop_at);
}
