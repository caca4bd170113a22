/* `heddle trace`: the commit log, as text or as JSON lines (one object a commit).
 * SPDX-License-Identifier: Apache-2.0
 *
 * JSON holds every field of the record, under its name in the table of compare.c; fields that are
 * zero are left out.  Beside them: `text', the instruction; `file' and `line', or the library's
 * `function'. */
#include "harness/cli/cli.h"
#include "harness/process/stop.h"
#include "harness/view/timeline.h"
#include "cmodel/base/outfile.h"
#include "cmodel/image/asm.h"
#include "cmodel/isa/compare.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

struct tracer { struct session *s; FILE *out; bool json; };

static cJSON *field_json(const struct hd_commit *c, const struct commit_field *f)
{
    if (f->count == 1)
        return cJSON_CreateNumber((double)commit_get(c, f, 0));
    cJSON *a = cJSON_CreateArray();
    for (unsigned i = 0; i < f->count; i++)
        cJSON_AddItemToArray(a, cJSON_CreateNumber((double)commit_get(c, f, i)));
    return a;
}

static bool is_zero(const struct hd_commit *c, const struct commit_field *f)
{
    for (unsigned i = 0; i < f->count; i++)
        if (commit_get(c, f, i))
            return false;
    return true;
}

/* Beside the record: how the instruction reads, and where it comes from. */
static void add_place(cJSON *o, const struct hd_commit *c, const struct hd_image *img)
{
    struct hd_word w;
    char text[160] = "";
    const char *file = "";
    unsigned line = 0;
    memcpy(w.w, c->insn, sizeof w.w);
    if (!c->unwind)
        hd_dis_insn(text, sizeof text, &w, NULL, NULL);
    hd_image_line(img, c->pc, &file, &line);
    cJSON_AddStringToObject(o, "text", text);
    if (line) {
        cJSON_AddStringToObject(o, "file", file);
        cJSON_AddNumberToObject(o, "line", line);
    } else if (*timeline_function(img, c->pc))
        cJSON_AddStringToObject(o, "function", timeline_function(img, c->pc));
}

static void write_json(const struct hd_commit *c, const struct hd_image *img, FILE *out)
{
    cJSON *o = cJSON_CreateObject();
    for (const struct commit_field *f = commit_fields; f < commit_fields + commit_nfields; f++)
        if (!is_zero(c, f) || f - commit_fields < 6)
            cJSON_AddItemToObject(o, f->name, field_json(c, f));
    add_place(o, c, img);
    char *text = cJSON_PrintUnformatted(o);
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(o);
}

static bool on_commit(void *user, const struct hd_commit *c)
{
    struct tracer *t = user;
    if (t->json)
        write_json(c, t->s->image, t->out);
    else
        hd_show_commit(t->s->dev, c, t->out);
    return !ferror(t->out);
}

int cmd_trace(struct cli *c)
{
    if (c->rtl_alone && c->in_lockstep)
        return cli_usage(c, "--rtl is the core without the model, --lockstep the core with it");
    if (c->stream && (c->output || c->json))
        return cli_usage(c, "--stream writes events in place of the log, which -o and --json are "
                            "for");
    struct session s;
    struct hd_err err = { 0 };
    struct outfile *file = c->output ? outfile_open(c->output, &err) : NULL;
    struct tracer t = { .s = &s, .out = file ? outfile_stream(file) : stdout, .json = c->json };
    if (c->output && !file)
        return cli_usage(c, "%s", err.text);
    stop_gracefully();
    int status = session_open(&s, c, c->rtl_alone     ? HD_RTL
                                     : c->in_lockstep ? HD_LOCKSTEP
                                                      : HD_MODEL);
    if (status < 0) {
        if (!c->stream)                     /* in place of the log */
            session_on_commit(&s, on_commit, &t);
        enum hd_status st = session_launch(&s);
        if (st == HD_FAULT || st == HD_DEADLOCK || st == HD_MISMATCH)
            session_explain(&s, stderr);
        else if (st > HD_STOPPED)
            session_error(&s, st);
        if (c->rtl_alone && st == HD_DEADLOCK)       /* no model explains it */
            fprintf(stderr, "heddle trace: %s\n", hd_strerror(st));
        status = cli_exit_status(st);
        if (file && st <= HD_STOPPED && !stop_requested()) {     /* up to its bad end, too */
            if (!outfile_keep(file, &err))
                status = cli_usage(c, "%s", err.text);
            file = NULL;
        }
    }
    outfile_drop(file);
    session_close(&s);
    return status;
}
