/* Reads recorded states of the convergence unit.  SPDX-License-Identifier: Apache-2.0
 *
 * tests/silicon/record/record.c has the format.  A record names what has changed since the one
 * before. */
#include "harness/states/states.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LINE = 1024 };

static const struct { const char *name; enum unit_op op; bool arg; } names[] = {
    { "NOP", UNIT_NOP, false }, { "BRA", UNIT_BRA, true }, { "CALL", UNIT_CALL, true },
    { "BRX", UNIT_BRX, false }, { "RET", UNIT_RET, false }, { "BSSY", UNIT_BSSY, true },
    { "BSYNC", UNIT_BSYNC, true }, { "BREAK", UNIT_BREAK, true }, { "YIELD", UNIT_YIELD, false },
    { "EXIT", UNIT_EXIT, false }, { "WARPSYNC", UNIT_WARPSYNC, false }, { "BMOV", UNIT_BMOV, true },
    { "BMOV.CLEAR", UNIT_BMOV_CLEAR, true }, { "BAR", UNIT_BAR, false },
};

bool states_open(struct states_file *f, const char *path, struct hd_err *err)
{
    *f = (struct states_file){ .gz = gzopen(path, "rb"), .path = path };
    return f->gz || (hd_err_set(err, 2, "%s: cannot be read", path), false);
}

void states_close(struct states_file *f)
{
    gzclose(f->gz);
}

static bool wrong(const struct states_file *f, const char *what, struct hd_err *err)
{
    return hd_err_set(err, 2, "%s:%u: %s", f->path, f->line, what), false;
}

static bool next_line(struct states_file *f, char line[LINE])
{
    f->line++;
    if (!gzgets(f->gz, line, LINE))
        return false;
    line[strcspn(line, "\n")] = 0;
    return true;
}

static bool parse_insn(struct unit_program *p, char *s)
{
    struct unit_insn *i = &p->insn[p->n < UNIT_INSNS ? p->n : 0];
    char name[16], *words = strchr(s, ':');
    *i = (struct unit_insn){ .dense = *s == '^' };
    s += i->dense;
    i->guard = *s == '@';
    if (p->n == UNIT_INSNS ||
        sscanf(s + i->guard, "%15s %u", name, &i->arg) < 1)
        return false;
    size_t k = 0;
    while (k < sizeof names / sizeof *names && strcmp(names[k].name, name))
        k++;
    if (k == sizeof names / sizeof *names || i->arg >= UNIT_INSNS)
        return false;
    i->op = names[k].op;
    if (names[k].arg && i->op > UNIT_RET && i->arg >= UNIT_BARRIERS)
        return false;
    bool to = i->op == UNIT_BRX || i->op == UNIT_RET;
    for (char *end; words && i->words < UNIT_WORDS; words = end) {
        uint32_t v = (uint32_t)strtoul(words + 1, &end, to ? 10 : 16);
        if (end == words + 1)
            break;
        if (to && v >= UNIT_INSNS)
            return false;
        i->word[i->words++] = v;
    }
    p->n++;
    return (!to || i->words == UNIT_WORDS) &&
           (i->words || (i->op != UNIT_WARPSYNC && i->op != UNIT_BMOV));
}

/* `KEY=VALUE`: one letter, a barrier's number for k and m. */
static bool parse_field(struct unit_state *s, const char *field)
{
    char *end, key = *field;
    unsigned b = (unsigned)strtoul(field + 1, &end, 10);
    if (*end != '=' || b >= UNIT_BARRIERS || (key == 'm' && b >= 8))
        return false;
    const char *value = end + 1;
    uint32_t v = (uint32_t)strtoul(value, &end, key == 'p' || key == 'n' ? 10 : 16);
    switch (key) {
    case 'r': s->ready = v; break;
    case 'y': s->yielded = v; break;
    case 'w': s->waiting = v; break;
    case 'a': s->alt = v; break;
    case 'k': s->blocked[b] = v; break;
    case 'm': s->members[b] = v; break;
    case 'n': s->pointer = (uint8_t)v; break;
    case 'p': break;                    /* the place of `a`, in words of the recorded code */
    case 's':
        s->depth = 0;
        for (const char *at = value; *at && *at != '-' && s->depth < 5; at = end + (*end == ',')) {
            s->stack[s->depth++] = (uint8_t)strtoul(at, &end, 10);
            if (end == at)
                return false;
        }
        return true;
    default: return false;
    }
    return end != value && !*end;
}

static bool parse_state(struct unit_state *s, char *line, unsigned insns)
{
    char *save, *word = strtok_r(line, " ", &save), *active = strtok_r(NULL, " ", &save);
    if (!word || !active)
        return false;
    s->insn = (unsigned)strtoul(word, NULL, 10);
    s->active = (uint32_t)strtoul(active, NULL, 16);
    while ((word = strtok_r(NULL, " ", &save)))
        if (!parse_field(s, word))
            return false;
    return s->insn < insns && s->active;
}

bool states_read(struct states_file *f, struct unit_program *p, struct unit_state *s, unsigned *n,
                 unsigned max, struct hd_err *err)
{
    char line[LINE];
    struct unit_state now = { 0 };
    *n = p->n = 0;
    if (!next_line(f, line))
        return false;
    if (sscanf(line, "program %63s %u", p->name, &p->lanes) != 2 || p->lanes < 1 ||
        p->lanes > UNIT_LANES)
        return wrong(f, "`program NAME LANES` is expected", err);
    while (next_line(f, line) && strcmp(line, "states"))
        if (!parse_insn(p, line))
            return wrong(f, "is no instruction", err);
    while (next_line(f, line)) {
        if (!strcmp(line, "end"))
            return *n ? true : wrong(f, "the program has no states", err);
        if (*n == max || !parse_state(&now, line, p->n))
            return wrong(f, "is no state", err);
        s[(*n)++] = now;
    }
    return wrong(f, "the file is cut off", err);
}
