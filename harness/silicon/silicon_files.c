/* Reads the recordings of an H200, and refuses what is empty, cut off or too short.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A folder may lack a part: then nothing of it is checked, and the counts say 0/0.  A part that is
 * there is whole, or else a check would pass on what is missing. */
#include "harness/silicon/silicon_files.h"
#include "cmodel/base/counted.h"
#include "harness/cli/cli.h"
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { PATH = 4096 };

static char *text_of(const char *dir, const char *file, char path[PATH])
{
    snprintf(path, PATH, "%s/%s", dir, file);
    return session_text(path);
}

/* Ends the line at *at and steps after it; NULL: there is no whole line. */
static char *next_line(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = 0;
    line[strcspn(line, "\r")] = 0;
    *at = end + 1;
    return line;
}

bool silicon_trace_read(const char *dir, const char *name, struct silicon_trace *t,
                        struct hd_err *err)
{
    char file[128], path[PATH], *at, *line;
    *t = (struct silicon_trace){ 0 };
    snprintf(file, sizeof file, "traces/%s.txt", name);
    if (!(t->text = at = text_of(dir, file, path)))
        return hd_err_set(err, 2, "%s: cannot be read", path), false;
    int end = 0;
    bool ok = (line = next_line(&at)) &&
              sscanf(line, "outhash %" SCNx32 "%n", &t->outhash, &end) == 1 && !line[end];
    for (unsigned w = 0; ok && w < SILICON_WARPS; w++) {
        unsigned number;
        ok = (line = next_line(&at)) && sscanf(line, "%u%n", &number, &end) == 1 && number == w &&
             line[end] == ' ';
        if (ok)
            t->sequence[w] = line + end;
    }
    if (!ok || *at)
        hd_err_set(err, 2,
                   "%s: is no whole trace, which is a line `outhash` and one for each of %d %s",
                   path, COUNTED(SILICON_WARPS, "warp"));
    return ok && !*at;
}

void silicon_trace_free(struct silicon_trace *t)
{
    free(t->text);
    *t = (struct silicon_trace){ 0 };
}

bool silicon_list_read(const char *dir, const char *file, struct silicon_list *l,
                       struct hd_err *err)
{
    char path[PATH], *at, *line;
    *l = (struct silicon_list){ .text = text_of(dir, file, path) };
    if (!(at = l->text))
        return true;
    l->line = malloc(sizeof *l->line * (strlen(at) + 1));
    if (!l->line)
        abort();
    while ((line = next_line(&at))) {
        size_t n = strcspn(line, " \t");
        const char *value = line + n + strspn(line + n, " \t");
        line[n] = 0;
        if (*line && *line != '#') {
            l->line[l->n].name = line;
            l->line[l->n++].value = value;
        }
    }
    if (*at || !l->n)
        hd_err_set(err, 2, "%s: is empty, or its last line is cut off", path);
    return !*at && l->n;
}

const char *silicon_list_find(const struct silicon_list *l, const char *name)
{
    for (unsigned i = 0; i < l->n; i++)
        if (!strcmp(l->line[i].name, name))
            return l->line[i].value;
    return NULL;
}

void silicon_list_free(struct silicon_list *l)
{
    free(l->text);
    free(l->line);
    *l = (struct silicon_list){ 0 };
}

bool silicon_bytes(const char *dir, const char *file, void *to, size_t bytes, struct hd_err *err)
{
    char path[PATH];
    uint8_t *all = malloc(bytes + 1);
    snprintf(path, sizeof path, "%s/%s", dir, file);
    gzFile f = gzopen(path, "rb");
    /* One more, so that the stream is read to its end. */
    bool ok = f && all && gzread(f, all, (unsigned)bytes + 1) == (int)bytes;
    ok = f && gzclose(f) == Z_OK && ok;
    if (ok)
        memcpy(to, all, bytes);
    free(all);
    if (!ok)
        hd_err_set(err, 2, "%s: cannot be read, or is not of %zu bytes", path, bytes);
    return ok;
}

static int is_name(const struct dirent *e) { return e->d_name[0] != '.'; }

int silicon_part(const char *dir, const char *file, struct hd_err *err)
{
    char path[PATH];
    struct stat s;
    struct dirent **names = NULL;
    snprintf(path, sizeof path, "%s/%s", dir, file);
    if (stat(path, &s))
        return 0;
    int n = S_ISDIR(s.st_mode) ? scandir(path, &names, is_name, NULL) : -1;
    for (int i = 0; i < n; i++)
        free(names[i]);
    free(names);
    if (n > 0)
        return 1;
    hd_err_set(err, 2, n ? "%s: is no folder that can be read" : "%s: is empty", path);
    return -1;
}
