/* The part of `heddle silicon` that plays recorded states.  SPDX-License-Identifier: Apache-2.0 */
#include "harness/silicon/silicon.h"
#include "harness/silicon/silicon_files.h"
#include "harness/states/states.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 512 };         /* of one program: record.c stops there */

/* Programs in which Heddle differs on purpose (docs/convergence.md) are listed in
 * states/differs.txt, no others. */
static void check_program(const struct unit_program *p, const struct unit_state *s, unsigned n,
                          const struct silicon_list *known, struct silicon_result *r)
{
    unsigned good = states_equal(p, s, n);
    bool listed = silicon_list_find(known, p->name);
    r->states.good += good;
    r->states.total += n;
    if ((good < n) == listed)
        return;
    r->surprises++;
    if (listed)
        printf("silicon: %s: all its states are equal, though states/differs.txt lists it\n",
               p->name);
    else
        printf("silicon: %s: state %u of %u, before instruction %u, is not as the rules have it\n",
               p->name, good + 1, n, s[good].insn);
}

static bool check_file(const char *path, const struct silicon_list *known,
                       struct silicon_result *r, struct hd_err *err)
{
    struct states_file f;
    struct unit_program p;
    struct unit_state *s = malloc(RECORDS * sizeof *s);
    unsigned n, programs = 0;
    if (!s || !states_open(&f, path, err))
        return free(s), false;
    for (; states_read(&f, &p, s, &n, RECORDS, err); programs++)
        check_program(&p, s, n, known, r);
    states_close(&f);
    free(s);
    if (!err->status && !programs)
        hd_err_set(err, 2, "%s: holds no program", path);
    return !err->status;
}

static int is_states(const struct dirent *e)
{
    const char *end = strstr(e->d_name, ".txt.gz");
    return e->d_name[0] != '.' && end && !end[7];
}

bool silicon_states(const char *dir, struct silicon_result *r, struct hd_err *err)
{
    struct dirent **names = NULL;
    struct silicon_list known;
    char path[512];
    int there = silicon_part(dir, "states", err);
    if (there <= 0)
        return !there;
    if (!silicon_list_read(dir, "states/differs.txt", &known, err))
        return false;
    snprintf(path, sizeof path, "%s/states", dir);
    int n = scandir(path, &names, is_states, alphasort);
    if (n <= 0)
        hd_err_set(err, 2, "%s: holds no states", path);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/states/%s", dir, names[i]->d_name);
        if (!err->status)
            check_file(path, &known, r, err);
        free(names[i]);
    }
    free(names);
    silicon_list_free(&known);
    return !err->status;
}
