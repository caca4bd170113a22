/* Events and headers as text, and back; what of an event is legal.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A line is the event's name and its members, NAME=VALUE with a blank between them, in any order;
 * what is left out is 0.  Masks, addresses, words and values are hexadecimal, all else is decimal.
 * Values of lanes are those of the lanes of `mask', from the lowest, with commas between; one value
 * alone is that of all of them. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include "stream/stream.h"

static const struct {
    const char *name, *sentence;
} kinds[HS_KINDS] = {
#define E(name, sentence) [HS_K_##name] = { #name, sentence },
#define F(event, member)
    HS_EVENTS(E, F)
#undef E
#undef F
};
static const struct {
    const char *name, *sentence;
    enum hs_form form;
} member[HS_MEMBER_COUNT] = {
#define FORM_DEC HS_DEC
#define FORM_DELTA HS_DELTA
#define FORM_NEXT HS_NEXT
#define FORM_PC HS_PC
#define FORM_MASK HS_MASK
#define FORM_BITS HS_BITS
#define FORM_WORD HS_WORDS
#define FORM_LANES HS_LANE
#define FORM_SET HS_SET
#define FORM_TEXT HS_TEXT
#define M(name, form, sentence) [HS_M_##name] = { #name, sentence, FORM_##form },
    HS_MEMBERS(M)
#undef M
};

const char *hs_kind_name(unsigned kind)
{
    return kind && kind < HS_KINDS ? kinds[kind].name : "none";
}
const char *hs_member_name(unsigned m) { return member[m].name; }
enum hs_form hs_form_of(unsigned m) { return member[m].form; }

static bool fail(char error[HS_ERROR], const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(error, HS_ERROR, fmt, ap);
    va_end(ap);
    return false;
}

/* N of each member that is one number. */
#define NUMBER_DEC(name) N(name)
#define NUMBER_DELTA(name) N(name)
#define NUMBER_NEXT(name) N(name)
#define NUMBER_PC(name) N(name)
#define NUMBER_MASK(name) N(name)
#define NUMBER_BITS(name) N(name)
#define NUMBER_WORD(name)
#define NUMBER_LANES(name)
#define NUMBER_SET(name)
#define NUMBER_TEXT(name)
#define M(name, form, sentence) NUMBER_##form(name)

void hs_store(struct hs_event *e, unsigned m, uint64_t v)
{
    switch (m) {
#define N(name) \
    case HS_M_##name: \
        e->name = sizeof e->name == 4 && v > UINT32_MAX ? (__typeof__(e->name))UINT32_MAX \
                                                        : (__typeof__(e->name))v; \
        break;
        HS_MEMBERS(M)
#undef N
    default: break;
    }
}
uint64_t hs_load(const struct hs_event *e, unsigned m)
{
    switch (m) {
#define N(name) \
    case HS_M_##name: return e->name;
        HS_MEMBERS(M)
#undef N
    default: return 0;
    }
}
#undef M
uint64_t *hs_lanes_of(const struct hs_event *e, unsigned m)
{
    return (uint64_t *)(m == HS_M_addr ? e->addr : m == HS_M_val ? e->val : e->high);
}

void hs_print_contract(FILE *out)
{
    fprintf(out, "| event | what it says | members |\n| --- | --- | --- |\n");
    for (unsigned k = 1; k < HS_KINDS; k++) {
        fprintf(out, "| `%s` | %s |", kinds[k].name, kinds[k].sentence);
        for (const uint8_t *f = hs_fields(k); *f != HS_MEMBER_COUNT; f++)
            fprintf(out, " `%s`", member[*f].name);
        fprintf(out, " |\n");
    }
    fprintf(out, "\n| member | as text | what it is |\n| --- | --- | --- |\n");
    for (unsigned m = 0; m < HS_MEMBER_COUNT; m++) {
        static const char *const forms[] = {
            [HS_DEC] = "decimal",         [HS_DELTA] = "decimal",
            [HS_NEXT] = "decimal",        [HS_PC] = "hexadecimal",
            [HS_MASK] = "hexadecimal",    [HS_BITS] = "hexadecimal",
            [HS_WORDS] = "bytes",         [HS_LANE] = "a list, hexadecimal",
            [HS_SET] = "a list, decimal", [HS_TEXT] = "to the end of the line"
        };
        fprintf(out, "| `%s` | %s | %s |\n", member[m].name, forms[member[m].form],
                member[m].sentence);
    }
}

void hs_print_header(const struct hs_header *h, FILE *out)
{
    fprintf(out, "heddle-stream %d\n", HS_VERSION);
    if (*h->core)
        fprintf(out, "core %s\n", h->core);
    if (*h->isa)
        fprintf(out, "isa %s\n", h->isa);
    fprintf(out, "lanes %u\nwarps %u\n", h->lanes, h->warps);
    const struct {
        const char *name;
        unsigned v;
    } numbers[] = { { "beat", h->beat },
                    { "step", h->step },
                    { "word", h->word_bytes },
                    { "pc", h->pc_bits },
                    { "registers", h->register_bits } };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (numbers[k].v)
            fprintf(out, "%s %u\n", numbers[k].name, numbers[k].v);
    if (h->ordered_memory)
        fprintf(out, "memory ordered\n");
    if (h->schedule)
        fprintf(out, "choice schedule\n");
    if (h->placement)
        fprintf(out, "choice placement\n");
    if (h->clock)
        fprintf(out, "choice clock\n");
    for (unsigned k = 1; k < HS_KINDS; k++)
        if (*h->place[k])
            fprintf(out, "reports %s %s\n", kinds[k].name, h->place[k]);
    fprintf(out, "begin\n");
}

static bool words(char *to, const char *from, char error[HS_ERROR])
{
    if (strlen(from) >= HS_NAME)
        return fail(error, "more than %d characters: %.40s...", HS_NAME - 1, from);
    for (const char *s = from; *s; s++)
        if ((unsigned char)*s < ' ')
            return fail(error, "a control character in the header");
    strcpy(to, from);
    return true;
}

bool hs_parse_header(struct hs_header *h, const char *line, char error[HS_ERROR])
{
    const struct {
        const char *name;
        unsigned *to, least, most;
    } numbers[] = {
        { "lanes", &h->lanes, 1, HS_LANES },       { "warps", &h->warps, 1, HS_WARPS },
        { "beat", &h->beat, 1, HS_LANES },         { "step", &h->step, 1, HS_WORD },
        { "word", &h->word_bytes, 1, HS_WORD },    { "pc", &h->pc_bits, 1, 64 },
        { "registers", &h->register_bits, 1, 64 },
    };
    char key[32], kind[32];
    int at = 0;
    if (sscanf(line, "%31s %n", key, &at) < 1 || !line[at])
        return fail(error, "a header's line without a value: %.60s", line);
    const char *rest = line + at;
    char *name = !strcmp(key, "core") ? h->core : !strcmp(key, "isa") ? h->isa : NULL;
    if (name)
        return *name ? fail(error, "%s is said twice", key) : words(name, rest, error);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (strcmp(key, numbers[k].name))
            continue;
        char *end;
        unsigned long v = strtoul(rest, &end, 10);
        if (*numbers[k].to)
            return fail(error, "%s is said twice", key);
        if (!isdigit((unsigned char)*rest) || *end || v < numbers[k].least || v > numbers[k].most)
            return fail(error, "%s %.40s: expected a number from %u to %u", key, rest,
                        numbers[k].least, numbers[k].most);
        *numbers[k].to = (unsigned)v;
        return true;
    }
    if (!strcmp(key, "memory") && !strcmp(rest, "ordered"))
        return h->ordered_memory = true;
    if (!strcmp(key, "choice") && !strcmp(rest, "schedule"))
        return h->schedule = true;
    if (!strcmp(key, "choice") && !strcmp(rest, "placement"))
        return h->placement = true;
    if (!strcmp(key, "choice") && !strcmp(rest, "clock"))
        return h->clock = true;
    if (strcmp(key, "reports"))
        return fail(error, "unknown in a header: %.60s", line);
    at = 0;
    if (sscanf(rest, "%31s %n", kind, &at) < 1 || !rest[at])
        return fail(error,
                    "`reports' wants the kind of event, and where in the core it is taken: %.60s",
                    line);
    for (unsigned k = 1; k < HS_KINDS; k++)
        if (!strcmp(kind, kinds[k].name))
            return *h->place[k] ? fail(error, "reports %s is said twice", kind)
                                : words(h->place[k], rest + at, error);
    return fail(error, "there is no event `%s'", kind);
}

static void print_lanes(const uint64_t *v, uint64_t mask, FILE *out)
{
    bool same = true, first = true;
    unsigned lowest = 0;
    while (mask && !(mask >> lowest & 1))
        lowest++;
    for (unsigned l = 0; l < HS_LANES; l++)
        if (mask >> l & 1)
            same = same && v[l] == v[lowest];
    for (unsigned l = 0; l < HS_LANES && mask; l++) {
        if (!(mask >> l & 1) || (same && l != lowest))
            continue;
        fprintf(out, first ? "%llx" : ",%llx", (unsigned long long)v[l]);
        first = false;
    }
}

static void print_set(const struct hs_event *e, FILE *out)
{
    bool first = true;
    for (unsigned k = 0; k < HS_WARPS; k++)
        if (e->warps[k / 64] >> k % 64 & 1) {
            fprintf(out, first ? "%u" : ",%u", k);
            first = false;
        }
}

void hs_print(const struct hs_header *h, const struct hs_event *e, FILE *out)
{
    fputs(kinds[e->kind].name, out);
    for (const uint8_t *f = hs_fields(e->kind); *f != HS_MEMBER_COUNT; f++) {
        const unsigned long long v = hs_load(e, *f);
        if (hs_left_out(e, *f) || (*f == HS_M_word && !h->word_bytes) ||
            (member[*f].form == HS_LANE && !e->mask))
            continue;
        fprintf(out, " %s=", member[*f].name);
        switch (member[*f].form) {
        case HS_MASK:
        case HS_BITS: fprintf(out, "%0*llx", (int)(h->lanes + 3) / 4, v); break;
        case HS_PC: fprintf(out, "%llx", v); break;
        case HS_WORDS:
            for (unsigned k = 0; k < h->word_bytes; k++)
                fprintf(out, "%02x", e->word[k]);
            break;
        case HS_LANE:
            print_lanes(hs_lanes_of(e, *f), e->mask, out);
            break;
        case HS_SET: print_set(e, out); break;
        case HS_TEXT: fputs(e->name, out); break;
        default: fprintf(out, "%llu", v); break;
        }
    }
    fputc('\n', out);
}

/* A number at *s, which goes beyond it. */
static bool number(const char **s, int base, uint64_t *v)
{
    char *end;
    if (!isxdigit((unsigned char)**s))
        return false;
    errno = 0;
    *v = strtoull(*s, &end, base);
    if (errno || end == *s)
        return false;
    *s = end;
    return true;
}

static bool parse_lanes(const char *s, uint64_t *v, uint64_t mask)
{
    const char *all = s;
    if (!mask)
        return !*s;
    for (unsigned l = 0; l < HS_LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        if (s != all && *s++ != ',')
            return false;
        if (!number(&s, 16, &v[l]))
            return false;
        if (s != all && !*s && !strchr(all, ',')) { /* one for all */
            for (unsigned k = l; k < HS_LANES; k++)
                v[k] = v[l];
            return true;
        }
    }
    return !*s;
}

static bool parse_set(const char *s, struct hs_event *e)
{
    for (uint64_t k; *s; s += *s == ',') {
        if (!number(&s, 10, &k) || k >= HS_WARPS || (*s && *s != ','))
            return false;
        e->warps[k / 64] |= 1ull << k % 64;
    }
    return true;
}

static bool parse_word(const char *s, struct hs_event *e, unsigned bytes)
{
    if (strlen(s) != 2 * bytes)
        return false;
    for (unsigned k = 0; k < bytes; k++, s += 2) {
        char two[3] = { s[0], s[1], 0 };
        if (!isxdigit((unsigned char)s[0]) || !isxdigit((unsigned char)s[1]))
            return false;
        e->word[k] = (uint8_t)strtoul(two, NULL, 16);
    }
    return true;
}

static bool parse_member(const struct hs_header *h, struct hs_event *e, unsigned m,
                         const char *value, char error[HS_ERROR])
{
    const char *s = value;
    uint64_t v = 0;
    bool ok;
    switch (member[m].form) {
    case HS_LANE:
        ok = parse_lanes(s, hs_lanes_of(e, m), e->mask);
        break;
    case HS_SET: ok = parse_set(s, e); break;
    case HS_WORDS: ok = parse_word(s, e, h->word_bytes); break;
    case HS_TEXT: return words(e->name, value, error);
    default:
        ok = number(&s,
                    member[m].form == HS_MASK || member[m].form == HS_BITS ||
                            member[m].form == HS_PC
                        ? 16
                        : 10,
                    &v) &&
             !*s;
        if (ok)
            hs_store(e, m, v);
    }
    return ok || fail(error, "%s: `%.60s' is no value of it", member[m].name, value);
}

/* The value of NAME=VALUE in a line, up to the next blank; a text goes on to the line's end. */
static char *value_of(char *line, unsigned m, char **end)
{
    size_t n = strlen(member[m].name);
    for (char *s = line; (s = strstr(s, member[m].name)); s += n)
        if (s != line && s[-1] == ' ' && s[n] == '=') {
            *end = s + n + 1 + (m == HS_M_name ? strlen(s + n + 1) : strcspn(s + n + 1, " "));
            return s + n + 1;
        }
    return NULL;
}

bool hs_parse(const struct hs_header *h, char *line, struct hs_event *e, char error[HS_ERROR])
{
    line += strspn(line, " \t");
    size_t n = strcspn(line, " ");
    unsigned given = 0, taken = 0;
    memset(e, 0, sizeof *e);
    for (unsigned k = 1; k < HS_KINDS && !e->kind; k++)
        if (strlen(kinds[k].name) == n && !memcmp(line, kinds[k].name, n))
            e->kind = k;
    if (!e->kind)
        return fail(error, "there is no event `%.*s'", n < 40 ? (int)n : 40, line);
    for (const char *s = line + n; *s && e->kind != HS_RUN; s++)
        given += *s == '=';
    if (e->kind == HS_RUN)
        given = strstr(line, " name=") != NULL;
    for (const uint8_t *f = hs_fields(e->kind); *f != HS_MEMBER_COUNT; f++) {
        char *end, *value = value_of(line, *f, &end);
        if (!value)
            continue;
        taken++;
        char saved = *end;
        *end = 0;
        bool ok = parse_member(h, e, *f, value, error);
        *end = saved;
        if (!ok)
            return false;
    }
    return taken == given || fail(error, "%s: a member that it does not have, or has twice: %.80s",
                                  kinds[e->kind].name, line);
}

bool hs_legal(const struct hs_header *h, const struct hs_event *e, char error[HS_ERROR])
{
    const char *what = hs_kind_name(e->kind);
    const uint64_t all = h->lanes == 64 ? ~0ull : (1ull << h->lanes) - 1;
    if (!*h->place[e->kind])
        return fail(error, "`%s', which the header does not report", what);
    if (e->warp >= h->warps || e->by >= h->warps)
        return fail(error, "%s: warp %llu of %u", what,
                    (unsigned long long)(e->warp >= h->warps ? e->warp : e->by), h->warps);
    for (unsigned k = h->warps / 64; k < HS_WARPS / 64; k++) {
        const uint64_t beyond = e->warps[k] & (k == h->warps / 64 ? ~0ull << h->warps % 64 : ~0ull);
        if (beyond)
            return fail(error, "%s: warp %u of %u", what,
                        64 * k + (unsigned)__builtin_ctzll(beyond), h->warps);
    }
    if ((e->mask | e->active | e->exec | e->bits) & ~all)
        return fail(error, "%s: lanes beyond the %u that there are", what, h->lanes);
    if (h->pc_bits && h->pc_bits < 64 && e->pc >> h->pc_bits)
        return fail(error, "%s: PC %llx has more than %u bits", what, (unsigned long long)e->pc,
                    h->pc_bits);
    if (e->kind == HS_MEM) {
        if (!e->op || e->op > 3)
            return fail(error, "mem: there is no access %u", e->op);
        if (!e->size || e->size > 16 || (e->size & (e->size - 1)))
            return fail(error, "mem: an access of %u bytes", e->size);
        if (e->data && e->data != e->size)
            return fail(error, "mem: %u bytes of data for an access of %u", e->data, e->size);
    }
    return true;
}
