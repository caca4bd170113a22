/* A session's kernel and launch as an address of the page.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/base/can.h"
#include "cmodel/image/asm.h"
#include "harness/cli/beside.h"
#include "harness/cli/cli.h"
#include "harness/cli/options.h"
#include "harness/view/page_link.h"
#include <stdlib.h>
#include <string.h>

/* What the page takes as it is. */
static const char *const kept[] = { "predict", "deconflict", "soft", "maxregs", "constants", "f64",
    "no-ifconv", "kernel", "grid", "block", "shared", "clock", "print", "bus-error", "lanes",
    "warps", "stack-depth", "mem-seed", "limit", "third-leg", NULL };
/* What changes nothing of what happens; clang's options are in the PTX, and the mode apart. */
static const char *const left_out[] = { "output", "asm", "define", "include", "mode", "remarks",
    "show", "dump", "json", "keep-going", "no-snapshots", "wave", "timeline", "break", "step",
    "native", "no-native", "jobs", "independent", "coverage", "stream", NULL };

static bool among(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name))
        names++;
    return *names;
}

/* As getopt finds it: by the name, or by the beginning of it. */
static const struct opt *option(const struct command *cmd, const char *word)
{
    const size_t n = strcspn(word, "=");
    const struct opt *found = NULL;
    for (const struct opt *o = opts; o < opts + nopts; o++)
        if (opt_taken(cmd, o) && !strncmp(o->name, word, n) && (!found || !o->name[n]))
            found = o;
    return found;
}

/* The launch's words for the page, to be freed.  NULL: it cannot have them; `why' says why. */
static char *launch_words(const struct cli *c, char why[80])
{
    char **words = calloc(2 * (size_t)(c->files - c->argv + c->nfiles) + 1, sizeof *words);
    char **names = calloc((size_t)(c->files - c->argv) + 1, sizeof *names), *text = NULL;
    int n = 0, nnames = 0;
    for (char **w = c->argv + 1; words && names && w < c->files; w++) {
        const bool is_long = !strncmp(*w, "--", 2) && (*w)[2];
        const struct opt *o = is_long ? option(c->cmd, *w + 2) : NULL;
        if (!o) {                                    /* -o FILE, -oFILE and their like; -- */
            w += (*w)[0] == '-' && strchr("oDI", (*w)[1]) && (*w)[1] && !(*w)[2];
            continue;
        }
        char *value = strchr(*w, '=');
        value = !o->arg ? NULL : value ? value + 1 : *++w;
        if (among(o->name, kept)) {
            if (asprintf(&names[nnames], "--%s", o->name) < 0)
                break;
            words[n++] = names[nnames++];
            if (value)
                words[n++] = value;
        } else if (!among(o->name, left_out))
            snprintf(why, 80, "the page has no --%s", o->name);
    }
    for (int k = 1; words && names && k < c->nfiles; k++) {
        if (strstr(c->files[k], "=@"))
            snprintf(why, 80, "a parameter is read from a file");
        words[n++] = c->files[k];
    }
    if (words && names && !why[0])
        text = cli_join(n, words);
    while (nnames)
        free(names[--nnames]);
    free(names);
    free(words);
    return text;
}

/* The kernel as the page can read it, to be freed. */
static char *source(const struct session *s)
{
    const char *dot = s->cli->input ? strrchr(s->cli->input, '.') : NULL;
    struct hd_err err = { 0 };
    char *text = NULL;
    size_t n = 0;
    if (dot && (!strcmp(dot, ".ptx") || !strcmp(dot, ".s")))
        return session_text(s->cli->input);
    if (dot && !strcmp(dot, ".cu")) {
        if ((text = cc_ptx(s->cli->input, &s->cli->cc, &n, &err))) {
            text[n] = 0;                             /* cc_read left room */
            ptx_only(text, NULL);
        }
        return text;
    }
    FILE *f = open_memstream(&text, &n);
    if (f) {
        hd_dis_image(f, s->image);
        fclose(f);
    }
    return text;
}

char *session_link(const struct session *s)
{
    char why[80] = "", folder[4096], *said = NULL;
    const bool known = beside_folder(folder, sizeof folder);
    char *launch = can.links ? launch_words(s->cli, why) : NULL, *text = launch ? source(s) : NULL;
    if (text)
        said = page_link(text, launch, s->image->stack_mode, known ? folder : NULL);
    else if (why[0] && asprintf(&said, "no link: %s", why) < 0)
        said = NULL;
    free(text);
    free(launch);
    return said;
}
