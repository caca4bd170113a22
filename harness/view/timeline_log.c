/* Reads a saved commit log (`heddle trace --json`) for the timeline: a JSON object a line.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/view/timeline.h"
#include "cmodel/isa/compare.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A whole number that the field can hold. */
static bool fits(const cJSON *v, unsigned bytes)
{
    const double end = bytes == 8 ? 0x1p64 : (double)(1ull << 8 * bytes);
    return cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < end &&
           v->valuedouble == floor(v->valuedouble);
}

/* Fields that a log leaves out are zero.  False: a field that is no number of its size, or too
 * many. */
static bool fill(const cJSON *o, struct hd_commit *c)
{
    memset(c, 0, sizeof *c);
    for (const struct commit_field *f = commit_fields; f < commit_fields + commit_nfields; f++) {
        const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, f->name), *e = NULL;
        unsigned i = 0;
        if (!v)
            continue;
        if (f->count == 1 && fits(v, f->width))
            commit_set(c, f, 0, (uint64_t)v->valuedouble);
        else if (f->count > 1 && cJSON_IsArray(v)) {
            cJSON_ArrayForEach(e, v)
                if (i >= f->count || !fits(e, f->width))
                    return false;
                else
                    commit_set(c, f, i++, (uint64_t)e->valuedouble);
        } else
            return false;
    }
    return true;
}

static const char *word(const cJSON *o, const char *name)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, name);
    return cJSON_IsString(v) ? v->valuestring : "";
}

/* The instruction of this record, if it is new. */
static bool learn(struct timeline_page *p, size_t *room, const cJSON *o, uint32_t pc)
{
    struct timeline_insn *x = timeline_learn(p, room, pc);
    if (!x || x->text)
        return x;
    const cJSON *line = cJSON_GetObjectItemCaseSensitive(o, "line");
    x->line = cJSON_IsNumber(line) ? (uint32_t)line->valuedouble : 0;
    x->text = strdup(word(o, "text"));
    x->file = strdup(word(o, "file"));
    x->function = strdup(word(o, "function"));
    return x->text && x->file && x->function;
}

bool timeline_log(FILE *in, const char *path, struct timeline_page *p, timeline_take *take,
                  void *user, struct hd_err *err)
{
    enum { PC_MOST = 1 << 23 };                      /* bytes of code that an image may have */
    char *text = NULL;
    size_t room = 0, insns = 0, number = 0;
    while (!err->status && getline(&text, &room, in) >= 0) {
        struct hd_commit c;
        struct view_commit v;
        number++;
        cJSON *o = cJSON_Parse(text);
        if (!cJSON_IsObject(o) || !cJSON_GetObjectItemCaseSensitive(o, "pc") || !fill(o, &c) ||
            c.pc >= PC_MOST || c.warp >= HD_LANES)
            hd_err_set(err, 2, "%s:%zu: this line is no commit of `heddle trace --json`", path,
                       number);
        else {
            view_of(&v, &c);
            if (!learn(p, &insns, o, c.pc) || !take(user, &v))
                hd_err_set(err, 4, "out of memory");
        }
        cJSON_Delete(o);
    }
    free(text);
    if (!err->status && !p->ninsns)
        hd_err_set(err, 2, "%s: no commit in it", path);
    timeline_sort(p);
    return !err->status;
}
