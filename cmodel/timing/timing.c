/* Timing profiles: reading them, and what a commit record costs.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/timing/timing.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "timing_text.h"

/* The profiles are part of the program. */
#define PROFILES(X) X(kepler) X(maxwell) X(hopper) X(core)

static const struct { const char *name, *text; } profiles[] = {
#define X(name) { #name, timing_##name##_text },
    PROFILES(X)
#undef X
};

const char timing_names[] = "unit"
#define X(name) ", " #name
    PROFILES(X);
#undef X

static const char *const unit_names[UNIT_COUNT] = {
    [UNIT_ALU] = "ALU", [UNIT_MUL] = "MUL", [UNIT_FPU] = "FPU", [UNIT_SFU] = "SFU",
    [UNIT_LSU] = "LSU", [UNIT_CTL] = "CTL", [UNIT_F64] = "F64",
};

static const char *const event_names[TIMING_EVENT_COUNT] = {
#define X(name, what) #name,
    TIMING_EVENTS(X)
#undef X
};

/* ---- reading --------------------------------------------------------------------------------- */

/* `insn`, a unit or a mnemonic: later lines are more special, so they win. */
static bool set_instructions(struct timing *t, const char *key, uint32_t next, uint32_t result)
{
    bool any = false;
    for (unsigned op = 0; op < OP_COUNT; op++)
        if (!strcmp(key, "insn") || !strcmp(key, unit_names[hd_ops[op].unit]) ||
            !strcmp(key, hd_ops[op].mnemonic)) {
            t->next[op] = next;
            t->result[op] = result;
            any = true;
        }
    return any;
}

/* `busy.` and a unit or mnemonic; `busy.sector` has two numbers. */
static bool set_busy(struct timing *t, const char *key, uint32_t cycles, bool pair, uint32_t stored)
{
    bool any = false;
    if (!strcmp(key, "sector") && pair) {
        t->busy_sector[0] = cycles;
        t->busy_sector[1] = stored;
        return true;
    }
    for (unsigned op = 0; !pair && op < OP_COUNT; op++)
        if (!strcmp(key, unit_names[hd_ops[op].unit]) || !strcmp(key, hd_ops[op].mnemonic)) {
            t->busy[op] = cycles;
            any = true;
        }
    return any;
}

static const struct { const char *name; uint32_t most; } core_keys[CORE_COUNT] = {
#define X(name, most, what) { #name, most },
    CORE_PARAMETERS(X)
#undef X
};

static bool set_core(struct timing *t, const char *key, uint32_t number)
{
    for (unsigned k = 0; k < CORE_COUNT; k++)
        if (!strcmp(key, core_keys[k].name)) {
            t->core[k] = number;
            return true;
        }
    return false;
}

static bool set_event(struct timing *t, const char *key, uint32_t cycles)
{
    for (unsigned e = 0; e < TIMING_EVENT_COUNT; e++)
        if (!strcmp(key, event_names[e])) {
            t->event[e] = cycles;
            return true;
        }
    return false;
}

static bool read_line(struct timing *t, const char *name, unsigned line, const char *text,
                      struct hd_err *err)
{
    char key[32];
    uint32_t next, result;
    int used = 0, more = 0;
    text += strspn(text, " \t");
    if (!*text || *text == '#')
        return true;
    if (sscanf(text, "%31[A-Za-z0-9._] = %9u%n", key, &next, &used) != 2) {
        hd_err_set(err, 2, "%s:%u: `%s` is not `KEY = CYCLES # source`", name, line, text);
        return false;
    }
    bool pair = sscanf(text + used, " %9u%n", &result, &more) == 1;
    const char *rest = text + used + (pair ? more : 0);
    rest += strspn(rest, " \t");
    if (*rest != '#' || !rest[strspn(rest, "# \t")]) {
        hd_err_set(err, 2, "%s:%u: %s: where the number comes from is missing; write it after a #",
                   name, line, key);
        return false;
    }
    if (!strcmp(key, "port") && !pair)
        t->port = next;
    else if (!strncmp(key, "busy.", 5) && set_busy(t, key + 5, next, pair, pair ? result : 0))
        return true;
    else if (!strncmp(key, "core.", 5) && !pair && set_core(t, key + 5, next))
        return true;
    else if ((pair || !set_event(t, key, next))
             && !set_instructions(t, key, next, pair ? result : 0)) {
        hd_err_set(err, 2, "%s:%u: `%s` is no event, unit or mnemonic%s", name, line, key,
                   pair ? " that takes two numbers" : "");
        return false;
    }
    return true;
}

/* All of `core.` are there or none, and not too large. */
static bool core_is_sound(const struct timing *t, const char *name, struct hd_err *err)
{
    bool any = false;
    for (unsigned k = 0; k < CORE_COUNT; k++)
        any |= t->core[k] != 0;
    for (unsigned k = 0; any && k < CORE_COUNT; k++) {
        const uint32_t n = t->core[k];
        const bool cache = k == CORE_icache || k == CORE_constants;
        const bool power = cache || k == CORE_targets;
        if (!n || n > core_keys[k].most || (cache && n < 64) || (power && (n & (n - 1)))) {
            hd_err_set(err, 2, "%s: core.%s is %s; a profile has all of core. or none", name,
                       core_keys[k].name, n ? "out of range" : "missing");
            return false;
        }
    }
    return true;
}

static struct timing *read_profile(const char *name, const char *text, struct hd_err *err)
{
    struct timing *t = calloc(1, sizeof *t);
    if (!t)
        hd_err_set(err, 4, "no memory");
    else
        t->port = 1;
    for (unsigned line = 1; t && *text; line++) {
        size_t n = strcspn(text, "\n");
        char *copy = strndup(text, n);
        if (!copy || !read_line(t, name, line, copy, err)) {
            free(t);
            t = NULL;
        }
        free(copy);
        text += n + (text[n] == '\n');
    }
    for (unsigned op = 0; t && op < OP_COUNT; op++)
        if (!t->next[op]) {
            hd_err_set(err, 2, "%s: no cycles for %s; `insn` gives them for all", name,
                       hd_ops[op].mnemonic);
            free(t);
            t = NULL;
        }
    if (t && !core_is_sound(t, name, err)) {
        free(t);
        t = NULL;
    }
    return t;
}

static struct timing *read_file(const char *name, struct hd_err *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = fopen(name, "r");
    struct timing *t = NULL;
    if (!f || getdelim(&text, &size, 0, f) < 0)
        hd_err_set(err, 2, "%s: cannot be read", name);
    else
        t = read_profile(name, text, err);
    if (f)
        fclose(f);
    free(text);
    return t;
}

struct timing *timing_open(const char *name, struct hd_err *err)
{
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++)
        if (!strcmp(name, profiles[i].name))
            return read_profile(name, profiles[i].text, err);
    if (strpbrk(name, "./"))
        return read_file(name, err);
    hd_err_set(err, 2, "timing profile `%s` is not known; there are: %s, or a file (./mine.ini)",
               name, timing_names);
    return NULL;
}

/* ---- what a record costs --------------------------------------------------------------------- */

/* Pieces of 32 bytes in global or local memory. */
static uint32_t sectors(const struct hd_commit *rec)
{
    uint64_t seen[HD_LANES];
    uint32_t n = 0;
    if (!rec->mem || rec->space == SPACE_SHARED || rec->space == SPACE_CONST)
        return 0;
    for (unsigned l = 0; l < HD_LANES; l++) {
        uint64_t piece = rec->addr[l] / 32;
        uint32_t i = 0;
        if (!(rec->exec >> l & 1))
            continue;
        while (i < n && seen[i] != piece)
            i++;
        if (i == n)
            seen[n++] = piece;
    }
    return n;
}

void timing_events(const struct hd_commit *rec, uint32_t count[TIMING_EVENT_COUNT])
{
    const uint32_t after = rec->pc + HD_INSN_BYTES, stay = rec->active & rec->live & ~rec->released;
    uint32_t n = sectors(rec);
    uint32_t first = rec->next_active ? rec->npc[__builtin_ctz(rec->next_active)] : after;
    uint32_t waits = 0, moved = 0, at = stay ? rec->npc[__builtin_ctz(stay)] : 0;
    for (uint32_t left = stay; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        waits |= (uint32_t)(rec->wait[l] >= HD_WAIT_BARRIER) << l;
        moved |= rec->npc[l] != at;
    }
    count[TIMING_taken] = first != after && rec->next_active == rec->active;
    count[TIMING_diverge] = moved || (rec->pushed && (rec->push.pc_kind & 15) == HD_TOKEN_DIV);
    count[TIMING_wait] = waits && rec->next_active;
    count[TIMING_push] = rec->pushed;
    count[TIMING_pop] = rec->popped;
    count[TIMING_spill] = rec->spilled != 0;
    count[TIMING_fill] = rec->filled != 0;
    count[TIMING_line] = 0;                 /* not in the record: run_timed.c */
    count[TIMING_sector] = n ? n - 1 : 0;
}

uint32_t timing_cost(const struct timing *t, unsigned op, const struct hd_commit *rec)
{
    uint32_t count[TIMING_EVENT_COUNT], sum = rec->unwind ? 0 : t->next[op];
    timing_events(rec, count);
    for (unsigned e = 0; e < TIMING_EVENT_COUNT; e++)
        sum += count[e] * t->event[e];
    return sum;
}
