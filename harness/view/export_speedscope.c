/* A profile for speedscope: stacks of line, instruction and cause, weighed by warp instructions, by
 * lost lane-slots and, on the core, by cycles of warps.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Frames: line, instruction and cause share one table, so their numbers follow each other: first
 * places' lines, then places' instructions, then causes. */
#include "harness/view/export.h"
#include <stdlib.h>

typedef unsigned long long u64;
enum what { INSNS, LOST, CYCLES };

static void frames(const struct profile *p, const struct profile_sums *s, FILE *out)
{
    char name[64];
    fputs("\"shared\": {\"frames\": [", out);
    for (size_t i = 0; i < s->nlines; i++) {
        fputs(i ? ",\n{\"name\": " : "\n{\"name\": ", out);
        profile_json_string(profile_line_name(s->line[i].file, s->line[i].line, name, sizeof name),
                            out);
        if (s->line[i].line) {
            fputs(", \"file\": ", out);
            profile_json_string(s->line[i].file, out);
            fprintf(out, ", \"line\": %u", s->line[i].line);
        }
        fputs("}", out);
    }
    for (size_t i = 0; i < p->nplaces; i++) {
        const struct timeline_insn *x = profile_insn(p, p->place[i].pc);
        char text[200];
        snprintf(text, sizeof text, "%05x %s", p->place[i].pc, x ? x->text : "?");
        fputs(",\n{\"name\": ", out);
        profile_json_string(text, out);
        fputs("}", out);
    }
    for (unsigned i = 0; i < LOST_COUNT; i++)
        fprintf(out, ",\n{\"name\": \"%s\"}", profile_lost_names[i].key);
    for (unsigned i = 0; i < CYCLE_COUNT; i++)
        fprintf(out, ",\n{\"name\": \"%s\"}", profile_cycle_names[i].key);
    fputs("]},\n", out);
}

/* The line's frame. */
static size_t line_of(const struct profile *p, const struct profile_sums *s,
                      const struct profile_place *x)
{
    return profile_sums_line(s, profile_insn(p, x->site));
}

static void profile(const struct profile *p, const struct profile_sums *s, enum what what,
                    const char *name, FILE *out)
{
    const unsigned causes = what == INSNS ? 1 : what == LOST ? LOST_COUNT : CYCLE_COUNT;
    const size_t first = s->nlines + p->nplaces + (what == CYCLES ? LOST_COUNT : 0);
    uint64_t sum = 0;
    for (unsigned weights = 0; weights < 2; weights++) {
        bool any = false;
        if (!weights)
            fprintf(out,
                    "{\"type\": \"sampled\", \"name\": \"%s\", \"unit\": \"none\", \"startValue\": "
                    "0, \"samples\": [",
                    name);
        else
            fputs("], \"weights\": [", out);
        for (size_t i = 0; i < p->nplaces; i++)
            for (unsigned c = 0; c < causes; c++) {
                const struct profile_count *k = &p->place[i].k;
                uint64_t n = what == INSNS ? k->insns : what == LOST ? k->lost[c] : k->cycles[c];
                if (!n)
                    continue;
                if (weights)
                    fprintf(out, "%s%llu", any ? "," : "", (u64)n);
                else if (what == INSNS)
                    fprintf(out, "%s[%zu,%zu]", any ? "," : "", line_of(p, s, &p->place[i]),
                            s->nlines + i);
                else
                    fprintf(out, "%s[%zu,%zu,%zu]", any ? "," : "", line_of(p, s, &p->place[i]),
                            s->nlines + i, first + c);
                any = true;
                sum += weights ? n : 0;
            }
    }
    fprintf(out, "], \"endValue\": %llu}", (u64)sum);
}

bool speedscope_write(const struct profile *p, const char *title, FILE *out)
{
    struct profile_sums s;
    bool ok = profile_sums(p, &s);
    if (ok) {
        fputs("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\", \"exporter\": "
              "\"heddle\", \"name\": ",
              out);
        profile_json_string(title, out);
        fputs(",\n", out);
        frames(p, &s, out);
        fputs("\"profiles\": [", out);
        profile(p, &s, INSNS, "warp instructions", out);
        fputs(",\n", out);
        profile(p, &s, LOST, "lost lane-slots", out);
        if (p->cycles) {
            fputs(",\n", out);
            profile(p, &s, CYCLES, "cycles of warps", out);
        }
        fputs("]}\n", out);
    }
    profile_sums_free(&s);
    return ok;
}
