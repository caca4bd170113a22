/* Coverage as text, one line a bin that was met: files merge by adding; and what is missing.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   heddle coverage 1
 *   insn IADD true half 4711
 * A bin that this build does not know (its row is gone, say) is an error, not a silent loss. */
#include "harness/coverage/coverage.h"
#include "cmodel/base/infile.h"
#include "cmodel/base/outfile.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char heading[] = "heddle coverage 1";

void coverage_merge(struct coverage *to, const struct coverage *from)
{
    for (unsigned g = 0; g < COV_GROUPS; g++)
        for (unsigned i = 0; i < coverage_bins(g); i++)
            coverage_add(to, g, i, coverage_count(from, g, i));
}

/* ---- reading ---- */

static int find_value(const struct coverage_axis *a, const char *name)
{
    for (unsigned i = 0; i < a->n; i++)
        if (!strcmp(coverage_value(a, i), name))
            return (int)i;
    return -1;
}

static bool parse_line(struct coverage *v, char *line)
{
    char *save = NULL, *name = strtok_r(line, " \t\n", &save), *end;
    unsigned g = 0, at[COV_AXES] = { 0 };
    if (!name)
        return true;                                 /* an empty line */
    while (g < COV_GROUPS && strcmp(coverage_groups[g].name, name))
        g++;
    for (unsigned k = 0; g < COV_GROUPS && k < COV_AXES && coverage_groups[g].axis[k]; k++) {
        char *value = strtok_r(NULL, " \t\n", &save);
        int i = value ? find_value(coverage_groups[g].axis[k], value) : -1;
        if (i < 0)
            return false;
        at[k] = (unsigned)i;
    }
    char *number = strtok_r(NULL, " \t\n", &save);
    if (g == COV_GROUPS || !number || strtok_r(NULL, " \t\n", &save))
        return false;
    uint64_t n = strtoull(number, &end, 10);
    if (*end || *number == '-')
        return false;
    coverage_add(v, g, coverage_index(g, at), n);
    return true;
}

static bool read_stream(struct coverage *v, FILE *f, const char *path, struct hd_err *err)
{
    char *line = NULL;
    size_t room = 0;
    unsigned n = 0;
    bool ok = true;
    while (ok && getline(&line, &room, f) > 0) {
        if (!n++) {
            line[strcspn(line, "\n")] = 0;
            ok = !strcmp(line, heading);
            if (!ok)
                hd_err_set(err, 2, "%s:1: is no coverage file: `%s` is missing", path, heading);
        } else if (!(ok = parse_line(v, line)))
            hd_err_set(err, 2, "%s:%u: names no bin of this build; record the coverage again",
                       path, n);
    }
    free(line);
    if (ok && !n)
        hd_err_set(err, 2, "%s: is no coverage file: it is empty", path);
    return ok && n;
}

bool coverage_read(struct coverage *v, const char *path, struct hd_err *err)
{
    FILE *f = infile_open(path, err);
    if (!f)
        return false;
    bool ok = read_stream(v, f, path, err);
    fclose(f);
    return ok;
}

/* ---- writing ---- */

static void write_stream(const struct coverage *v, FILE *f)
{
    unsigned at[COV_AXES];
    fprintf(f, "%s\n", heading);
    for (unsigned g = 0; g < COV_GROUPS; g++)
        for (unsigned i = 0; i < coverage_bins(g); i++) {
            if (!coverage_count(v, g, i))
                continue;
            coverage_at(g, i, at);
            fprintf(f, "%s", coverage_groups[g].name);
            for (unsigned k = 0; k < COV_AXES && coverage_groups[g].axis[k]; k++)
                fprintf(f, " %s", coverage_value(coverage_groups[g].axis[k], at[k]));
            fprintf(f, " %" PRIu64 "\n", coverage_count(v, g, i));
        }
}

/* Who adds to a file holds its folder, from reading to writing, so processes that share a file lose
 * nothing.  (The file itself is another one after each.)  A device has no owner. */
static bool lock_folder(const char *name, int *fd, const char *path, struct hd_err *err)
{
    char *dir = strdup(name), *slash = dir ? strrchr(dir, '/') : NULL;
    if (slash)
        slash[slash == dir] = 0;
    *fd = open(slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = dir && *fd >= 0 && !flock(*fd, LOCK_EX);
    if (!ok)
        hd_err_set(err, 2, "%s: its folder cannot be locked: %s", path, strerror(errno));
    free(dir);
    return ok;
}

bool coverage_write(const struct coverage *v, const char *path, bool add, struct hd_err *err)
{
    struct outfile *o = outfile_open(path, err);
    struct coverage *sum = o ? coverage_new() : NULL;
    struct stat s;
    int lock = -1;
    if (!sum || !lock_folder(outfile_name(o), &lock, path, err)) {
        hd_err_set(err, 2, "%s: no memory", path);
        outfile_drop(o);
    } else if (add && !stat(path, &s) && S_ISREG(s.st_mode) && s.st_size &&
               !coverage_read(sum, path, err)) {
        outfile_drop(o);
    } else {
        coverage_merge(sum, v);
        write_stream(sum, outfile_stream(o));
        outfile_keep(o, err);
    }
    coverage_free(sum);
    if (lock >= 0)
        close(lock);
    return !err->status;
}

/* ---- what is missing ---- */

struct need { double sum; unsigned bins; };

static struct need need_of(const struct coverage *v, enum coverage_id g, unsigned axis,
                           unsigned value)
{
    struct need n = { 0 };
    unsigned at[COV_AXES];
    for (unsigned i = 0; i < coverage_bins(g); i++) {
        coverage_at(g, i, at);
        if (at[axis] != value || !coverage_possible(g, i))
            continue;
        n.sum += 1.0 / (1.0 + (double)coverage_count(v, g, i));
        n.bins++;
    }
    return n;
}

double coverage_gain(const struct coverage *met, const struct coverage *known)
{
    double sum = 0;
    for (unsigned g = 0; g < COV_GROUPS; g++)
        for (unsigned i = 0; i < coverage_bins(g); i++)
            if (coverage_count(met, g, i))
                sum += 1.0 / (1.0 + (double)coverage_count(known, g, i));
    return sum;
}

double coverage_weight(const struct coverage *v, enum hd_op op)
{
    struct need insn = need_of(v, COV_INSN, 0, op), memory = need_of(v, COV_MEMORY, 0, op);
    unsigned bins = insn.bins + memory.bins;
    return bins ? 1 + 15 * (insn.sum + memory.sum) / bins : 1;
}
