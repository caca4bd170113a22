/* A failing kernel as an address of the page.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The fragment is JSON { source, launch, mode }, deflated, in letters that no address quotes. */
#include "harness/view/page_link.h"
#include "cmodel/base/can.h"
#include "cmodel/base/packed.h"
#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Longer ones are cut off where they are pasted. */
enum { MOST_LETTERS = 8000 };

static char *fragment(const char *source, const char *launch, bool stack_mode)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "source", source);
    cJSON_AddStringToObject(o, "launch", launch);
    cJSON_AddStringToObject(o, "mode", stack_mode ? "stack" : "barrier");
    char *json = cJSON_PrintUnformatted(o);
    size_t n = 0;
    uint8_t *z = json ? packed_deflate(json, strlen(json), &n) : NULL;
    char *letters = z ? packed_letters(z, n, PACKED_FOR_ADDRESS) : NULL;
    cJSON_Delete(o);
    free(json);
    free(z);
    return letters;
}

/* Beside the program, as in a build folder, or where `make install' puts it. */
static bool find_page(const char *folder, char *path, size_t size)
{
    static const char *const at[] = { "/heddle.html", "/../share/heddle/heddle.html" };
    for (size_t k = 0; folder && k < sizeof at / sizeof *at; k++)
        if (snprintf(path, size, "%s%s", folder, at[k]) < (int)size && !access(path, R_OK))
            return true;
    return false;
}

static void write_link(FILE *out, const char *letters, const char *folder)
{
    char path[4096 + 64];
    if (strlen(letters) > MOST_LETTERS)
        fprintf(out, "kernel and launch are too large for a link: %zu letters, of at most %d",
                strlen(letters), MOST_LETTERS);
    else if (find_page(folder, path, sizeof path)) {
        fputs("file://", out);
        for (const char *p = path; *p; p++)
            fprintf(out, strchr(" #?%\"'<>", *p) ? "%%%02X" : "%c", (unsigned char)*p);
        fprintf(out, "#%s", letters);
    } else
        fprintf(out, "make page, and open build/heddle.html#%s", letters);
}

char *page_link(const char *source, const char *launch, bool stack_mode, const char *folder)
{
    char *letters = can.links ? fragment(source, launch, stack_mode) : NULL, *text = NULL;
    size_t n;
    FILE *f = letters ? open_memstream(&text, &n) : NULL;
    if (f) {
        write_link(f, letters, folder);
        fclose(f);
    }
    free(letters);
    return text;
}
