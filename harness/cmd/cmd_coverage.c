/* `heddle coverage`: merges coverage files and prints what was met, as a table with its holes.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/cli.h"
#include "harness/coverage/coverage.h"
#include <stdlib.h>

struct share { unsigned met, possible; uint64_t hits; };

static struct share share_of(const struct coverage *v, enum coverage_id g)
{
    struct share s = { 0 };
    for (unsigned i = 0; i < coverage_bins(g); i++) {
        uint64_t n = coverage_count(v, g, i);
        s.possible += coverage_possible(g, i);
        s.met += coverage_possible(g, i) && n;
        s.hits += n;
    }
    return s;
}

static double percent(struct share s) { return s.possible ? 100.0 * s.met / s.possible : 100.0; }

static void print_bin(FILE *out, enum coverage_id g, unsigned i)
{
    unsigned at[COV_AXES];
    coverage_at(g, i, at);
    fprintf(out, "%s", coverage_groups[g].name);
    for (unsigned k = 0; k < COV_AXES && coverage_groups[g].axis[k]; k++)
        fprintf(out, " %s", coverage_value(coverage_groups[g].axis[k], at[k]));
}

static void print_axes(FILE *out, enum coverage_id g)
{
    for (unsigned k = 0; k < COV_AXES && coverage_groups[g].axis[k]; k++)
        fprintf(out, "%s%s", k ? " x " : "", coverage_groups[g].axis[k]->name);
}

/* A bin that was met although the table calls it impossible: the table is wrong, or the machine
 * is. */
static unsigned impossible(const struct coverage *v, FILE *out)
{
    unsigned n = 0;
    for (unsigned g = 0; g < COV_GROUPS; g++)
        for (unsigned i = 0; i < coverage_bins(g); i++)
            if (coverage_count(v, g, i) && !coverage_possible(g, i) && ++n) {
                fprintf(out, "met, but called impossible: ");
                print_bin(out, g, i);
                fputc('\n', out);
            }
    return n;
}

static void print_table(const struct coverage *v, FILE *out)
{
    struct share all = { 0 };
    fprintf(out, "%-9s %11s %7s %12s  %s\n", "group", "bins met", "", "hits", "axes");
    for (unsigned g = 0; g < COV_GROUPS; g++) {
        struct share s = share_of(v, g);
        fprintf(out, "%-9s %5u/%5u %6.1f%% %12llu  ", coverage_groups[g].name, s.met, s.possible,
                percent(s),
                (unsigned long long)s.hits);
        print_axes(out, g);
        fputc('\n', out);
        all.met += s.met;
        all.possible += s.possible;
    }
    fprintf(out, "coverage: %u of %u bins, %.1f%%\n", all.met, all.possible, percent(all));
}

static void print_holes(const struct coverage *v, FILE *out)
{
    for (unsigned g = 0; g < COV_GROUPS; g++)
        for (unsigned i = 0; i < coverage_bins(g); i++)
            if (!coverage_count(v, g, i) && coverage_possible(g, i)) {
                fprintf(out, "hole: ");
                print_bin(out, g, i);
                fputc('\n', out);
            }
}

/* ---- the page ---- */

static void html_cell(const struct coverage *v, enum coverage_id g, unsigned i, FILE *out)
{
    uint64_t n = coverage_count(v, g, i);
    unsigned shade = 0;
    for (uint64_t k = n; k; k >>= 2)
        shade += shade < 6;
    if (!coverage_possible(g, i))
        fprintf(out, "<td class=no></td>");
    else if (!n)
        fprintf(out, "<td class=hole>0</td>");
    else
        fprintf(out, "<td class=m%u>%llu</td>", shade, (unsigned long long)n);
}

/* Rows: the first axis.  Columns: the others. */
static void html_group(const struct coverage *v, enum coverage_id g, FILE *out)
{
    const struct coverage_group *c = &coverage_groups[g];
    unsigned n2 = c->axis[1] ? c->axis[1]->n : 1, n3 = c->axis[2] ? c->axis[2]->n : 1;
    struct share s = share_of(v, g);
    fprintf(out, "<h2>%s: %u of %u</h2>\n<p>%s: ", c->name, s.met, s.possible, c->what);
    print_axes(out, g);
    fprintf(out, "</p>\n<table>\n");
    for (unsigned k = 1; k < COV_AXES && c->axis[k]; k++) {
        fprintf(out, "<tr><th></th>");
        for (unsigned r = 0; r < (k == 1 ? 1 : n2); r++)
            for (unsigned i = 0; i < c->axis[k]->n; i++)
                fprintf(out, "<th colspan=%u>%s</th>",
                        k == 1 ? n3 : 1, coverage_value(c->axis[k], i));
        fprintf(out, "</tr>\n");
    }
    for (unsigned a = 0; a < c->axis[0]->n; a++) {
        fprintf(out, "<tr><th class=row>%s</th>", coverage_value(c->axis[0], a));
        for (unsigned i = 0; i < n2 * n3; i++)
            html_cell(v, g, a * n2 * n3 + i, out);
        fprintf(out, "</tr>\n");
    }
    fprintf(out, "</table>\n");
}

static void print_html(const struct coverage *v, FILE *out)
{
    fprintf(
        out,
        "<!doctype html><meta charset=utf-8><title>Heddle: coverage</title>\n"
        "<style>body{font:14px sans-serif;"
        "margin:2em}table{border-collapse:collapse;font-size:12px}td,th{border:1px solid "
        "#ddd;padding:1px 6px;"
        "text-align:right}th.row{text-align:left}.no{background:#eee}.hole{background:#f99}");
    for (unsigned i = 1; i <= 6; i++)
        fprintf(out, ".m%u{background:hsl(130,45%%,%u%%)}", i, 96 - 5 * i);
    fprintf(out, "</style>\n<h1>Coverage</h1>\n<p>Red: not met. Grey: it cannot happen.</p>\n");
    for (unsigned g = 0; g < COV_GROUPS; g++)
        html_group(v, g, out);
}

int cmd_coverage(struct cli *c)
{
    struct coverage *v = coverage_new();
    struct hd_err err = { 0 };
    int status = v ? EXIT_YES : EXIT_BUG;
    for (int i = 0; status == EXIT_YES && i < c->nfiles; i++)
        if (!coverage_read(v, c->files[i], &err))
            status = cli_usage(c, "%s", err.text);
    if (status == EXIT_YES && c->output && !coverage_write(v, c->output, false, &err))
        status = cli_usage(c, "%s", err.text);
    if (status == EXIT_YES) {
        if (c->html)
            print_html(v, stdout);
        else
            print_table(v, stdout);
        if (c->holes)
            print_holes(v, stdout);
        if (impossible(v, stderr))
            status = EXIT_NO;
    }
    coverage_free(v);
    return status;
}
