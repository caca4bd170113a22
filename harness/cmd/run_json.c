/* `heddle run --json` and `heddle lockstep --json`: one object (docs/lockstep.schema.json) with all
 * that the text says.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cmd/cmd_run.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void member(const char *name, uint64_t v)
{
    printf("\"%s\": %llu,\n", name, (unsigned long long)v);
}

static void string(const char *text)
{
    cJSON *s = cJSON_CreateString(text);
    char *quoted = s ? cJSON_PrintUnformatted(s) : NULL;
    fputs(quoted ? quoted : "\"\"", stdout);
    cJSON_free(quoted);
    cJSON_Delete(s);
}

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

static void figures(const struct hd_counters *n)
{
    const struct { const char *name; uint64_t v; } f[] = {
        { "cycles", n->cycles },
        { "warp_insns", n->warp_insns },
        { "thread_insns", n->thread_insns },
        { "active_lanes", n->active_lanes },
        { "branches", n->branches },
        { "divergent_branches", n->divergent_branches },
        { "reconvergences", n->reconvergences },
        { "gave_way", n->gave_way },
        { "pushes", n->pushes },
        { "pops", n->pops },
        { "spills", n->spills },
        { "fills", n->fills },
        { "deepest", n->deepest },
        { "loads", n->loads },
        { "stores", n->stores },
        { "atomics", n->atomics },
        { "mem_transactions", n->mem_transactions },
        { "fields_compared", n->fields_compared },
        { "overridden", n->overridden },
        { "clock_reads", n->clock_reads },
    };
    for (size_t i = 0; i < sizeof f / sizeof f[0]; i++)
        member(f[i].name, f[i].v);
    printf("\"ipc\": %.6f,\n\"simt_efficiency\": %.6f,\n", ratio(n->warp_insns, n->cycles),
           ratio(n->active_lanes, 32 * n->warp_insns));
}

/* What was compared: fields of each part, and how many records held anything of it. */
static void compared(const struct session *s)
{
    const struct hd_counters *n = hd_get_counters(s->dev);
    struct hd_compared part;
    printf("\"compared\": {");
    for (unsigned p = 0; hd_get_compared(s->dev, p, &part); p++)
        printf(" \"%s\": { \"fields\": %llu, \"records\": %llu },", part.part,
               (unsigned long long)part.fields, (unsigned long long)part.records);
    printf(" \"final_memory_bytes\": %llu, \"left_out_bytes\": %llu },\n",
           (unsigned long long)n->memory_compared, (unsigned long long)n->memory_left_out);
}

/* What is also text. */
static void shown(const struct session *s, const char *name,
                  void (*show)(const hd_device *, FILE *))
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return;
    show(s->dev, f);
    fclose(f);
    printf("\"%s\": ", name);
    string(text);
    printf(",\n");
    free(text);
}

void run_json(const struct session *s, enum hd_status st, const struct breakpoint *b)
{
    figures(hd_get_counters(s->dev));
    if (s->cli->cfg.kind == HD_LOCKSTEP)
        compared(s);
    if (s->cli->cfg.third_leg && (st == HD_OK || hd_get_third(s->dev) == HD_THIRD_RACE))
        shown(s, "third_leg", hd_show_third);
    char race[RACE_TEXT];
    if (hd_get_race(s->dev, race, sizeof race)) {
        printf("\"race\": ");
        string(race);
        printf(",\n");
    }
    if (s->cli->cfg.jobs > 1)
        shown(s, "jobs", hd_show_jobs);
    if (b && b->hit) {
        printf("\"stopped_after\": ");
        hd_show_commit_json(s->dev, &b->at, stdout);
        printf(",\n\"state\": ");
        hd_show_warps_json(s->dev, stdout);
        printf(",\n");
    }
    if (st == HD_FAULT || st == HD_MISMATCH || st == HD_DEADLOCK || st == HD_LIMIT) {
        printf("\"report\": ");
        hd_explain_json(s->dev, stdout);
        printf(",\n");
    }
    char *launch = session_explain_json(s);
    if (launch)
        printf("\"faulted_launch\": %s,\n", launch);
    free(launch);
    char *page = st == HD_FAULT || st == HD_MISMATCH || st == HD_DEADLOCK ? session_link(s) : NULL;
    if (page) {
        printf("\"page\": ");
        string(page);
        printf(",\n");
    }
    free(page);
    printf("\"command\": ");
    string(s->cli->command);
    printf(",\n\"verdict\": \"%s\"",
           st == HD_OK && s->cli->cfg.kind == HD_LOCKSTEP ? "equal" : hd_strerror(st));
}

void run_json_end(const char *wave, const struct window *w)
{
    if (wave && !access(wave, F_OK)) {
        printf(",\n\"waveform\": { \"file\": ");
        string(wave);
        printf(", \"from\": %llu, \"to\": %llu }", (unsigned long long)w->from,
               (unsigned long long)w->to);
    }
    printf(" }\n");
}
