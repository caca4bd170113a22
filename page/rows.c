/* The rows of a waveform as JSON, for the picture that a page draws of them.
 * SPDX-License-Identifier: Apache-2.0 */
#include "page/rows.h"
#include "gtkwave/fstapi.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256 };
struct rows { cJSON *row; cJSON **of; unsigned n; };

static void add(struct rows *r, uint64_t time, fstHandle which, const char *text, uint32_t n)
{
    char *value = which && which <= r->n ? strndup(text, n) : NULL;
    if (value && r->of[which - 1]) {
        cJSON_AddItemToArray(r->of[which - 1], cJSON_CreateNumber((double)time));
        cJSON_AddItemToArray(r->of[which - 1], cJSON_CreateString(value));
    }
    free(value);
}

static void bits(void *user, uint64_t time, fstHandle which, const unsigned char *value)
{
    add(user, time, which, (const char *)value, (uint32_t)strlen((const char *)value));
}

static void text(void *user, uint64_t time, fstHandle which, const unsigned char *value,
                 uint32_t n)
{
    add(user, time, which, (const char *)value, n);
}

static void name_rows(struct rows *r, void *wave)
{
    char scope[NAME] = "";
    for (struct fstHier *h; (h = fstReaderIterateHier(wave)) != NULL;) {
        const size_t at = strlen(scope);
        if (h->htyp == FST_HT_SCOPE)
            snprintf(scope + at, sizeof scope - at, "%s.", h->u.scope.name);
        else if (h->htyp == FST_HT_UPSCOPE && at) {
            scope[at - 1] = 0;
            char *dot = strrchr(scope, '.');
            *(dot ? dot + 1 : scope) = 0;
        } else if (h->htyp == FST_HT_VAR && h->u.var.handle <= r->n) {
            char name[2 * NAME];
            snprintf(name, sizeof name, "%s%.*s", scope, (int)strcspn(h->u.var.name, " ["),
                     h->u.var.name);
            cJSON *row = cJSON_CreateObject();
            cJSON_AddStringToObject(row, "name", name);
            r->of[h->u.var.handle - 1] = cJSON_AddArrayToObject(row, "changes");
            cJSON_AddItemToArray(r->row, row);
        }
    }
}

int cmd_rows(struct cli *c)
{
    void *wave = c->nfiles == 1 ? fstReaderOpen(c->files[0]) : NULL;
    if (!wave)
        return cli_usage(c, "one waveform, please");
    struct rows r = { .row = cJSON_CreateArray(), .n = fstReaderGetMaxHandle(wave) };
    r.of = calloc(r.n + 1, sizeof *r.of);
    name_rows(&r, wave);
    fstReaderSetFacProcessMaskAll(wave);
    fstReaderIterBlocks2(wave, bits, text, &r, NULL);
    char *said = cJSON_PrintUnformatted(r.row);
    if (said)
        printf("{\"end\": %llu, \"rows\": %s}\n",
               (unsigned long long)fstReaderGetEndTime(wave), said);
    free(said);
    cJSON_Delete(r.row);
    free(r.of);
    fstReaderClose(wave);
    return said ? EXIT_YES : EXIT_BUG;
}
