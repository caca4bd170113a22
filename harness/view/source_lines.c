/* Source lines of PCs: the rows of an ELF's line tables, as ranges in order of address.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The tables are read by libdw, of elfutils; without it Heddle is built all the same, and says here
 * that it cannot read them. */
#include "harness/view/source_lines.h"
#include "have_libdw.h"
#include <stdlib.h>
#include <string.h>

struct range {
    uint64_t from, to;
    const char *file;
    unsigned line;
};
struct source_lines {
    struct range *range;
    size_t n, room;
    void *elf; /* which owns the names of files */
    int fd;
};

bool source_line_at(const struct source_lines *s, uint64_t pc, const char **file, unsigned *line)
{
    size_t lo = 0, hi = s->n; /* the last range that begins at or below pc */
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (s->range[mid].from <= pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (!lo || pc >= s->range[lo - 1].to)
        return false;
    *file = s->range[lo - 1].file;
    *line = s->range[lo - 1].line;
    return true;
}

#if HAVE_LIBDW
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

static bool add(struct source_lines *s, struct range r)
{
    if (s->n == s->room) {
        const size_t room = s->room ? s->room * 2 : 256;
        struct range *more = realloc(s->range, room * sizeof *more);
        if (!more)
            return false;
        s->range = more;
        s->room = room;
    }
    s->range[s->n++] = r;
    return true;
}

/* A row holds up to the next one, unless its sequence of instructions ends there. */
static bool add_table(struct source_lines *s, Dwarf_Lines *lines, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i), *next = dwarf_onesrcline(lines, i + 1);
        Dwarf_Addr from, to;
        bool ends;
        int line;
        if (dwarf_lineaddr(row, &from) || dwarf_lineaddr(next, &to) || dwarf_lineno(row, &line) ||
            dwarf_lineendsequence(row, &ends) || ends || from >= to || line <= 0)
            continue;
        const char *file = dwarf_linesrc(row, NULL, NULL);
        if (!add(s, (struct range){ from, to, file ? file : "?", (unsigned)line }))
            return false;
    }
    return true;
}

static int by_address(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static const char *read_tables(struct source_lines *s)
{
    Dwarf_Off at = 0, next = 0;
    Dwarf_CU *cu = NULL;
    Dwarf_Lines *lines;
    GElf_Ehdr head;
    size_t n;
    int got;
    s->elf = dwarf_begin(s->fd, DWARF_C_READ);
    if (!s->elf)
        return dwarf_errmsg(-1);
    if (!gelf_getehdr(dwarf_getelf(s->elf), &head) || head.e_type == ET_REL)
        return "it is not linked: its instructions have no addresses yet";
    while (!(got = dwarf_next_lines(s->elf, at, &next, &cu, NULL, NULL, &lines, &n))) {
        if (!add_table(s, lines, n))
            return "out of memory";
        at = next;
    }
    if (got < 0)
        return dwarf_errmsg(-1);
    if (!s->n)
        return "it has no source lines (DWARF): build it with -g";
    qsort(s->range, s->n, sizeof *s->range, by_address);
    return NULL;
}

struct source_lines *source_lines_open(const char *path, struct hd_err *err)
{
    struct source_lines *s = calloc(1, sizeof *s);
    if (!s)
        return hd_err_set(err, 4, "out of memory"), NULL;
    s->fd = open(path, O_RDONLY);
    const char *why = s->fd < 0 ? "cannot be read" : read_tables(s);
    if (!why)
        return s;
    hd_err_set(err, 2, "%s: %s", path, why);
    source_lines_close(s);
    return NULL;
}

void source_lines_close(struct source_lines *s)
{
    if (!s)
        return;
    dwarf_end(s->elf);
    if (s->fd >= 0)
        close(s->fd);
    free(s->range);
    free(s);
}

#else
struct source_lines *source_lines_open(const char *path, struct hd_err *err)
{
    hd_err_set(err, 2,
               "%s: this heddle was built without libdw, which reads source lines: install "
               "libdw-dev (make deps), and build it again",
               path);
    return NULL;
}

void source_lines_close(struct source_lines *s) { free(s); }
#endif
