/* What a launch's end is about, as JSON: all that report.c and noprogress.c say, under the names of
 * docs/lockstep.schema.json.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Masks, addresses and PCs are numbers.  64-bit values, which a double does not hold, are strings
 * `0x...'. */
#include "harness/report/report.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static bool put(cJSON *o, FILE *out)
{
    char *text = o ? cJSON_PrintUnformatted(o) : NULL;
    bool ok = text && fputs(text, out) >= 0;
    cJSON_free(text);
    cJSON_Delete(o);
    return ok;
}

static void number(cJSON *o, const char *name, uint64_t v)
{
    char hex[20];
    if (v >> 53) {
        snprintf(hex, sizeof hex, "0x%llx", (unsigned long long)v);
        cJSON_AddStringToObject(o, name, hex);
    } else
        cJSON_AddNumberToObject(o, name, (double)v);
}

/* ---- places ---- */

static void add_source(const hd_device *d, uint32_t pc, cJSON *o)
{
    const char *file = "";
    unsigned line = 0;
    number(o, "pc", pc);
    hd_image_line(d->image, pc, &file, &line);
    if (!line)
        return;
    cJSON_AddStringToObject(o, "file", file);
    number(o, "line", line);
}

static void add_token(const struct hd_commit *c, cJSON *o)
{
    static const char *const kind[] = { "?", "SYNC", "DIV", "CALL" };
    const struct hd_token *t = c->pushed ? &c->push : &c->pop;
    if (!c->pushed && !c->popped)
        return;
    cJSON *token = cJSON_AddObjectToObject(o, c->pushed ? "push" : "pop");
    cJSON_AddStringToObject(token, "kind", kind[t->pc_kind & 3]);
    number(token, "pc", t->pc_kind & ~3u);
    number(token, "lanes", t->mask);
    number(o, "depth", c->depth);
    if (c->spilled || c->filled)
        number(o, c->spilled ? "spilled" : "filled", c->spilled ? c->spilled : c->filled);
}

/* A commit with its place: what a line of the text says. */
static cJSON *commit(const hd_device *d, const struct hd_commit *c)
{
    cJSON *o = cJSON_CreateObject();
    char text[160];
    report_text(c, text, sizeof text);
    number(o, "commit", c->seq);
    number(o, "cycle", c->cycle);
    number(o, "block", c->block);
    number(o, "warp", c->warp);
    number(o, "slot", c->slot);
    number(o, "lanes", c->exec);
    cJSON_AddStringToObject(o, "text", text);
    add_source(d, c->pc, o);
    add_token(c, o);
    return o;
}

static void add_last(const hd_device *d, const struct hd_commit *bad, cJSON *o)
{
    const struct hd_commit *last[REPORT_LAST];
    unsigned n = report_last(d, bad, last);
    cJSON *a = cJSON_AddArrayToObject(o, "last_commits");
    for (unsigned i = 0; i < n; i++)
        cJSON_AddItemToArray(a, commit(d, last[i]));
}

/* ---- differences ---- */

static void add_differences(const struct verdict *v, cJSON *o)
{
    enum { MOST = 1024 };
    struct difference *x = malloc(MOST * sizeof *x);
    unsigned n = x ? commit_differences(&v->rtl, &v->model, x, MOST) : 0;
    cJSON *a = cJSON_AddArrayToObject(o, "differences");
    for (unsigned i = 0; i < n && i < MOST; i++) {
        cJSON *e = cJSON_CreateObject();
        cJSON_AddStringToObject(e, "field", x[i].field->name);
        if (x[i].field->count > 1)
            number(e, x[i].field->count == HD_LANES ? "lane" : "element", x[i].lane);
        number(e, "rtl", x[i].rtl);
        number(e, "model", x[i].model);
        cJSON_AddItemToArray(a, e);
    }
    free(x);
}

static void add_lanes(const struct verdict *v, cJSON *o)
{
    cJSON *l = cJSON_AddObjectToObject(o, "lanes");
    number(l, "active", v->rtl.active);
    number(l, "exec", v->rtl.exec);
    number(l, "live", v->rtl.live);
    for (int side = 0; side < 2; side++) {
        const struct hd_commit *c = side ? &v->model : &v->rtl;
        char state[HD_LANES + 1] = "";
        for (unsigned k = 0; k < HD_LANES; k++)
            state[k] = report_lane(c, k);
        number(l, side ? "next_model" : "next_rtl", c->next_active);
        cJSON_AddStringToObject(l, side ? "state_model" : "state_rtl", state);
    }
}

/* The lines of report_lanes. */
static void add_words(const struct verdict *v, cJSON *o)
{
    char *text = NULL, *next = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f) {
        report_lanes(&v->rtl, &v->model, f);
        fclose(f);
    }
    cJSON *a = cJSON_AddArrayToObject(o, "in_words");
    for (char *line = text ? strtok_r(text, "\n", &next) : NULL; line;
         line = strtok_r(NULL, "\n", &next))
        cJSON_AddItemToArray(a, cJSON_CreateString(line));
    free(text);
}

static void add_chain(const hd_device *d, const struct verdict *v, cJSON *o)
{
    struct report_origin from[REPORT_CHAIN];
    unsigned n, lane = report_chain_lane(v);
    if (!report_chain(d, &v->rtl, lane, from, &n))
        return;
    cJSON *c = cJSON_AddObjectToObject(o, "operands");
    number(c, "lane", lane);
    cJSON *a = cJSON_AddArrayToObject(c, "from");
    for (unsigned i = 0; i < n; i++) {
        cJSON *e = cJSON_CreateObject();
        char name[8];
        snprintf(name, sizeof name, "%c%u", from[i].reg < 256 ? 'R' : 'P', from[i].reg & 255);
        cJSON_AddStringToObject(e, "register", name);
        number(e, "value", from[i].value);
        cJSON_AddItemToObject(e, "by", commit(d, from[i].by));
        cJSON_AddItemToArray(a, e);
    }
}

static void difference(const hd_device *d, cJSON *o)
{
    const struct verdict *v = &d->verdict;
    cJSON_AddItemToObject(o, "at", commit(d, &v->rtl));
    add_differences(v, o);
    add_words(v, o);
    add_last(d, &v->rtl, o);
    add_lanes(v, o);
    add_chain(d, v, o);
    number(o, "records_differing", v->differing);
}

/* ---- other ends ---- */

static void memory(const hd_device *d, cJSON *o)
{
    uint32_t lanes;
    const struct verdict *v = &d->verdict;
    const struct hd_commit *c = v->addr && d->history ? report_last_store(d, &lanes) : NULL;
    if (v->addr)
        number(o, "address", v->addr);
    if (v->trouble == HD_TROUBLE_MEMORY) {
        number(o, "rtl_byte", v->rtl_byte);
        number(o, "model_byte", v->model_byte);
    }
    if (!c)
        return;
    cJSON *s = cJSON_AddObjectToObject(o, "last_store");
    number(s, "lane", 31u - (unsigned)__builtin_clz(lanes));
    number(s, "lanes", lanes);
    cJSON_AddItemToObject(s, "by", commit(d, c));
}

static void add_buffers(const hd_device *d, const struct hd_commit *c, cJSON *o)
{
    cJSON *a = cJSON_AddArrayToObject(o, "buffers");
    for (size_t i = 0; i < d->nallocs; i++) {
        uint64_t end = d->allocs[i].addr + d->allocs[i].bytes;
        if (c->fault_addr < d->allocs[i].addr || c->fault_addr >= end + 4096)
            continue;
        cJSON *e = cJSON_CreateObject();
        number(e, "number", i);
        number(e, "from", d->allocs[i].addr);
        number(e, "to", end);
        cJSON_AddItemToArray(a, e);
    }
}

static void add_fault(const hd_device *d, cJSON *o)
{
    const struct hd_commit *c = &d->fault;
    unsigned lane = c->fault_m ? (unsigned)__builtin_ctz(c->fault_m) : 0;
    cJSON *f = cJSON_AddObjectToObject(o, "fault");
    cJSON_AddStringToObject(f, "what", hd_fault_name((enum hd_fault)c->fault));
    cJSON_AddStringToObject(f, "kernel", d->kernel ? d->kernel->name : "?");
    number(f, "lane", lane);
    number(f, "thread", c->warp * HD_LANES + lane);
    number(f, "lanes", c->fault_m);
    cJSON_AddItemToObject(f, "at", commit(d, c));
    if (!report_at_address(c))
        return;
    number(f, "address", c->fault_addr);
    add_buffers(d, c, f);
}

/* ---- who is where ---- */

static cJSON *group(hd_device *d, const struct warp_view *v, unsigned slot, uint32_t lanes)
{
    unsigned l = (unsigned)__builtin_ctz(lanes);
    char *why = NULL;
    size_t size = 0;
    cJSON *o = cJSON_CreateObject();
    FILE *f = open_memstream(&why, &size);
    if (f) {
        noprogress_reason(d, v, slot, l, f);
        fclose(f);
    }
    number(o, "lanes", lanes);
    add_source(d, v->npc[l], o);
    cJSON_AddStringToObject(o, "why", why ? why : "");
    free(why);
    return o;
}

static void add_warps(hd_device *d, cJSON *o)
{
    struct warp_view v;
    int slot;
    if (!d->model)
        return;
    cJSON *a = cJSON_AddArrayToObject(o, "warps");
    for (unsigned s = 0; s < d->limits.warps; s++) {
        uint32_t lanes[HD_LANES];
        model_view(d->model, s, &v);
        if (!v.used)
            continue;
        cJSON *w = cJSON_CreateObject(), *groups;
        unsigned n = noprogress_groups(&v, lanes);
        number(w, "block", v.block);
        number(w, "warp", v.warp);
        number(w, "slot", s);
        cJSON_AddStringToObject(w, "state", noprogress_warp(&v) + strlen(": "));
        groups = cJSON_AddArrayToObject(w, "groups");
        for (unsigned i = 0; i < n; i++)
            cJSON_AddItemToArray(groups, group(d, &v, s, lanes[i]));
        cJSON_AddItemToArray(a, w);
    }
    number(o, "blocks_not_started", model_unstarted(d->model, &slot));
}

static void add_port(hd_device *d, cJSON *o)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f) {
        axi_explain(d->rtl->mem, d->rtl->start, f);
        fclose(f);
    }
    cJSON_AddStringToObject(o, "memory_port", text ? text : "");
    free(text);
}

static const char *const trouble[] = {
    [HD_TROUBLE_NONE] = "none",         [HD_TROUBLE_FIELD] = "field",
    [HD_TROUBLE_SCHEDULE] = "schedule", [HD_TROUBLE_CLOCK] = "clock",
    [HD_TROUBLE_MEMORY] = "memory",     [HD_TROUBLE_HANG] = "hang",
    [HD_TROUBLE_END] = "end",           [HD_TROUBLE_PROTOCOL] = "protocol",
    [HD_TROUBLE_THIRD] = "third",       [HD_TROUBLE_STRAY] = "stray",
    [HD_TROUBLE_STATUS] = "status",     [HD_TROUBLE_DEADLOCK] = "deadlock",
    [HD_TROUBLE_UNKNOWN] = "unknown",
};

bool report_json(hd_device *d, FILE *out)
{
    const struct verdict *v = &d->verdict;
    cJSON *o = cJSON_CreateObject();
    if (v->trouble) {
        cJSON_AddStringToObject(o, "trouble", trouble[v->trouble]);
        cJSON_AddStringToObject(o, "why", v->why);
        number(o, "cycle", v->cycle);
    } else if (d->has_fault)
        add_fault(d, o);
    switch (v->trouble) {
    case HD_TROUBLE_NONE:
        if (d->status == HD_DEADLOCK || d->status == HD_LIMIT)
            add_warps(d, o);
        break;
    case HD_TROUBLE_FIELD: difference(d, o); break;
    case HD_TROUBLE_MEMORY: case HD_TROUBLE_THIRD: memory(d, o); break;
    case HD_TROUBLE_SCHEDULE:
        if (v->rtl.seq)
            add_last(d, &v->rtl, o);
        break;
    case HD_TROUBLE_STRAY: case HD_TROUBLE_STATUS: case HD_TROUBLE_UNKNOWN:
        if (report_newest(d))
            add_last(d, report_newest(d), o);
        break;
    case HD_TROUBLE_HANG: case HD_TROUBLE_END: case HD_TROUBLE_DEADLOCK:
        add_warps(d, o);
        if (v->trouble == HD_TROUBLE_HANG && d->rtl)
            add_port(d, o);
        break;
    default: break;
    }
    return put(o, out);
}

bool report_json_insn(const hd_device *d, const struct hd_commit *c, FILE *out)
{
    return put(commit(d, c), out);
}

bool report_json_warps(hd_device *d, FILE *out)
{
    cJSON *o = cJSON_CreateObject();
    add_warps(d, o);
    return put(o, out);
}
