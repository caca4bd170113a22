/* Lines of a stream's text from Verilog, by DPI, written in the binary form (heddle_stream.vh).
 * SPDX-License-Identifier: Apache-2.0
 *
 * One stream a simulation.  What cannot be written is said on standard error, and the program ends
 * with status 2: a stream with a gap is worth nothing. */
#include "stream/stream.h"

#pragma GCC visibility push(default)
void hs_dpi_open(const char *path);
void hs_dpi_line(const char *line);
void hs_dpi_close(void);
#pragma GCC visibility pop

static struct {
    FILE *out;
    struct hs_writer w;
    struct hs_header h;
    struct hs_event e;
    char header[HS_HEADER];
    size_t used;
    unsigned long line;
    bool begun;
} dpi;

static void give_up(const char *why, const char *line)
{
    fprintf(stderr, "heddle stream, line %lu: %s: %.80s\n", dpi.line, why, line);
    exit(2);
}

void hs_dpi_open(const char *path)
{
    if (!(dpi.out = fopen(path, "wb")))
        give_up("cannot be written", path);
}

static void header_line(const char *line)
{
    char error[HS_ERROR];
    if (dpi.line == 1)
        return; /* `heddle-stream 1' */
    if (!strcmp(line, "begin")) {
        hs_begin(&dpi.w, dpi.out, dpi.header);
        dpi.begun = true;
        return;
    }
    const size_t n = strlen(line);
    if (dpi.used + n + 2 > sizeof dpi.header)
        give_up("the header is too long", line);
    if (!hs_parse_header(&dpi.h, line, error))
        give_up(error, line);
    memcpy(dpi.header + dpi.used, line, n);
    dpi.used += n;
    dpi.header[dpi.used++] = '\n';
}

void hs_dpi_line(const char *line)
{
    char copy[1 << 14], error[HS_ERROR];
    dpi.line++;
    if (!dpi.out)
        give_up("no stream was opened", line);
    if (!dpi.begun) {
        header_line(line);
        return;
    }
    if (!strcmp(line, "end-of-stream"))
        return;
    if (strlen(line) >= sizeof copy)
        give_up("a line is too long", line);
    strcpy(copy, line);
    if (!hs_parse(&dpi.h, copy, &dpi.e, error) || !hs_legal(&dpi.h, &dpi.e, error))
        give_up(error, line);
    hs_put(&dpi.w, &dpi.e);
}

void hs_dpi_close(void)
{
    if (!dpi.begun)
        give_up("the header has no end: no line `begin'", "");
    if (hs_end(&dpi.w) || fclose(dpi.out))
        give_up("not all could be written", "");
}
