/* A judge without a model: the warp events of a random kernel pass the monitor of streams, or are
 * written to a file, or both.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/fuzz.h"
#include "harness/stream/commits.h"
#include "cmodel/base/outfile.h"
#include "stream/monitor.h"

enum { QUIET = 1000000 };

struct fuzz_stream {
    struct outfile *file;
    bool begun;
    struct hs_writer w;
};
struct fuzz_monitor {
    struct hs_header header;
    struct hs_monitor *rules;    /* NULL: events are written alone */
    struct fuzz_stream *file;
    struct commit_stream *stream;
};
const char fuzz_monitored[] = "monitor";

struct fuzz_stream *fuzz_stream_open(const char *path, struct hd_err *err)
{
    struct fuzz_stream *s = calloc(1, sizeof *s);
    if (s && (s->file = outfile_open(path, err)))
        return s;
    hd_err_set(err, 4, "out of memory");
    free(s);
    return NULL;
}

bool fuzz_stream_close(struct fuzz_stream *s, struct hd_err *err)
{
    bool ok = s->begun && !hs_end(&s->w);
    if (!ok)
        hd_err_set(err, 2, s->begun ? "--stream: the stream cannot be written"
                                    : "--stream: no kernel ran");
    if (ok)
        ok = outfile_keep(s->file, err);
    else
        outfile_drop(s->file);
    free(s);
    return ok;
}

static bool add(void *user, const struct hs_event *e)
{
    struct fuzz_monitor *w = user;
    if (w->file)
        hs_put(&w->file->w, e);
    return !w->rules || hs_monitor_add(w->rules, e);
}

static bool read_header(struct hs_header *h, char *text)
{
    char error[HS_ERROR], *save = NULL;
    bool ok = true;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        ok = ok && hs_parse_header(h, line, error);
    return ok;
}

struct fuzz_monitor *fuzz_monitor_open(struct fuzz_machine *m, const struct fuzz_case *c)
{
    char name[HS_NAME];
    snprintf(name, sizeof name, "seed %llu, kernel %llu", (unsigned long long)c->seed >> 32,
             (unsigned long long)c->seed & UINT32_MAX);
    const struct commit_run run = { .kernel = name,
                                    .stack_mode = c->stack_mode,
                                    .block_threads = fuzz_block_threads(c),
                                    .kind = m->on == FUZZ_MODEL ? HD_MODEL : HD_LOCKSTEP,
                                    .cores = m->cores };
    char text[HS_HEADER];
    struct fuzz_monitor *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    commit_stream_header(m->dev, &run, text, sizeof text);
    w->file = m->stream;
    if (w->file && !w->file->begun)
        hs_begin(&w->file->w, outfile_stream(w->file->file), text);
    if (w->file)
        w->file->begun = true;
    if (m->monitor && read_header(&w->header, text))
        w->rules = hs_monitor_open(&w->header, QUIET);
    if ((w->rules || !m->monitor) && (w->stream = commit_stream_open(m->dev, &run, add, w)))
        return w;
    hs_monitor_close(w->rules);
    free(w);
    return NULL;
}

bool fuzz_monitor_commit(struct fuzz_monitor *w, const struct hd_commit *c)
{
    return commit_stream_add(w->stream, c);
}

void fuzz_monitor_close(struct fuzz_monitor *w, struct fuzz_result *out)
{
    enum hs_rule rule;
    /* a deadlock and what was broken off leave lanes behind: no rule of theirs is broken by that */
    const bool whole = out->status == HD_OK || out->status == HD_FAULT;
    const char *broken = w->rules ? hs_broken(w->rules, &rule) : NULL;
    commit_stream_close(w->stream, out->status);
    if (whole && !broken && w->rules)
        broken = hs_broken(w->rules, &rule);
    if (broken && out->kind != FUZZ_FAIL) { /* FUZZ_STOPPED: by the monitor */
        out->kind = FUZZ_FAIL;
        out->field = fuzz_monitored;
        out->row = (int)rule;
        const size_t line = strcspn(broken, "\n"); /* the first of several warps */
        snprintf(out->text, sizeof out->text, "monitor: rule %s: %.*s", hs_rule_name[rule],
                 (int)(line < 200 ? line : 200), broken);
    }
    hs_monitor_close(w->rules);
    free(w);
}
