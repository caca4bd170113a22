/* Reads what `heddle profile --save` wrote.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whatever the file holds, the compiler gets blocks 0 .. nblocks - 1 and loops of such blocks;
 * whether they are the blocks of the source at hand, the compiler finds out. */
#include "harness/cli/branches.h"
#include "harness/cli/cli.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader { const char *path; struct hd_err *err; };

static bool wrong(const struct reader *r, const char *what)
{
    if (!r->err->status)
        hd_err_set(r->err, 2, "%s: %s; write it again (heddle profile --save)", r->path, what);
    return false;
}

static bool number(const struct reader *r, const cJSON *o, double most, uint64_t *out)
{
    if (!cJSON_IsNumber(o) || !(o->valuedouble >= 0) || o->valuedouble > most ||
        o->valuedouble != floor(o->valuedouble))
        return wrong(r, "a count is missing or is none");
    *out = (uint64_t)o->valuedouble;
    return true;
}

static bool field(const struct reader *r, const cJSON *o, const char *name, uint64_t *out)
{
    return number(r, cJSON_GetObjectItemCaseSensitive(o, name), 0x1p53, out);
}

static bool read_block(const struct reader *r, const cJSON *o, int k, struct prof_blk *b)
{
    uint64_t id;
    if (!field(r, o, "block", &id) || !field(r, o, "warps", &b->warps) ||
        !field(r, o, "lanes", &b->lanes) || !field(r, o, "divergent", &b->divergent) ||
        !field(r, o, "taken", &b->taken) || !field(r, o, "library", &b->library))
        return false;
    return id == (uint64_t)k || wrong(r, "its blocks are not in order");
}

static bool read_loop(const struct reader *r, const cJSON *o, int nblocks, struct prof_loop *l)
{
    const cJSON *trips = cJSON_GetObjectItemCaseSensitive(o, "trips"), *pair;
    uint64_t header;
    if (!field(r, o, "header", &header)) return false;
    if (header >= (uint64_t)nblocks || !cJSON_IsArray(trips))
        return wrong(r, "a loop is not a loop of its function");
    l->header = (int)header;
    l->trips = calloc((size_t)cJSON_GetArraySize(trips) + 1, sizeof *l->trips);
    if (!l->trips) return wrong(r, "no memory for it");
    cJSON_ArrayForEach(pair, trips) {
        uint64_t rounds, n;
        if (!number(r, cJSON_GetArrayItem(pair, 0), UINT32_MAX, &rounds) ||
            !number(r, cJSON_GetArrayItem(pair, 1), 0x1p53, &n))
            return false;
        l->trips[l->ntrips++] = (struct prof_trip){ (uint32_t)rounds, n };
    }
    return true;
}

static bool read_fn(const struct reader *r, const cJSON *o, struct prof_fn *f)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(o, "name"),
                *shape = cJSON_GetObjectItemCaseSensitive(o, "shape"),
                *blocks = cJSON_GetObjectItemCaseSensitive(o, "blocks"),
                *loops = cJSON_GetObjectItemCaseSensitive(o, "loops"), *item;
    unsigned long long key;
    if (!cJSON_IsString(name) || !cJSON_IsString(shape) ||
        sscanf(shape->valuestring, "%16llx", &key) != 1 || !cJSON_IsArray(blocks) ||
        !cJSON_IsArray(loops))
        return wrong(r, "a function lacks its name, shape, blocks or loops");
    f->name = strdup(name->valuestring);
    f->shape = key;
    f->blocks = calloc((size_t)cJSON_GetArraySize(blocks) + 1, sizeof *f->blocks);
    f->loops = calloc((size_t)cJSON_GetArraySize(loops) + 1, sizeof *f->loops);
    if (!f->name || !f->blocks || !f->loops) return wrong(r, "no memory for it");
    cJSON_ArrayForEach(item, blocks) {
        if (!read_block(r, item, f->nblocks, &f->blocks[f->nblocks])) return false;
        f->nblocks++;
    }
    cJSON_ArrayForEach(item, loops)
        if (!read_loop(r, item, f->nblocks, &f->loops[f->nloops++])) return false;
    return true;
}

bool profile_parse(const char *path, const char *text, struct cc_profile *out, struct hd_err *err)
{
    struct reader r = { path, err };
    char what[80];
    const char *end = NULL;
    *out = (struct cc_profile){ .path = path };
    cJSON *all = cJSON_ParseWithOpts(text, &end, 1);
    const cJSON *fns = cJSON_GetObjectItemCaseSensitive(all, "functions"), *item;
    uint64_t version = 0;
    bool ok = true;
    snprintf(what, sizeof what, "is not a whole profile: it ends, or is no JSON, at byte %ld",
             end ? (long)(end - text) : 0);
    if (!all) ok = wrong(&r, what);
    else if (!cJSON_IsArray(fns) || !field(&r, all, "heddle_profile", &version) || version != 1) {
        err->status = 0;
        ok = wrong(&r, "is no profile of this version of heddle");
    }
    if (ok) out->fns = calloc((size_t)cJSON_GetArraySize(fns) + 1, sizeof *out->fns);
    if (ok && !out->fns) ok = wrong(&r, "no memory for it");
    for (item = ok ? fns->child : NULL; item && ok; item = item->next)
        ok = read_fn(&r, item, &out->fns[out->nfns++]);
    cJSON_Delete(all);
    if (!ok) profile_free(out);
    return ok;
}

bool profile_read(const char *path, struct cc_profile *out, struct hd_err *err)
{
    char *text = session_text(path);
    bool ok = text && profile_parse(path, text, out, err);
    if (!text) {
        *out = (struct cc_profile){ .path = path };
        hd_err_set(err, 2, "%s: cannot be read", path);
    }
    free(text);
    return ok;
}

void profile_free(struct cc_profile *p)
{
    for (int k = 0; k < p->nfns; k++) {
        struct prof_fn *f = &p->fns[k];
        for (int l = 0; l < f->nloops; l++) free(f->loops[l].trips);
        free(f->loops);
        free(f->blocks);
        free(f->name);
    }
    free(p->fns);
    *p = (struct cc_profile){ 0 };
}
