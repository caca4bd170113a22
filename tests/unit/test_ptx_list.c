/* The list of PTX's instructions (tests/ptx/list.tsv, from the tables of PTX ISA 8.0) against the
 * compiler: each row compiles, or is refused by its name, with file and line.
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_ptx_list [--print]     --print: the rows as the compiler answers now */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"
#include "compiler/all.h"

enum { LINE_OF_ROW = 12 };
static const char head[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".global .align 16 .b8 g[64]; .shared .align 16 .b8 sm[4096]; .const .align 8 .b8 co[64];\n"
    ".func f() { ret; }\n"
    ".func (.reg .b32 r) h(.reg .b32 a) { mov.b32 r, a; ret; }\n"
    ".visible .entry k(.param .u64 pa)\n{\n"
    ".reg .pred %p<8>; .reg .b16 %h<16>; .reg .b32 %r<16>; .reg .f32 %f<16>;\n"
    ".reg .b64 %rd<16>; .reg .f64 %d<8>; .reg .b32 r1; .local .align 8 .b8 lo[64];\n"
    "L:\n";

static bool compiles(const char *row, struct hd_err *err)
{
    static const struct cc_options options;
    char text[4096];
    snprintf(text, sizeof text, "%s%s\nret;\n}\n", head, row);
    *err = (struct hd_err){ 0 };
    struct hd_image *image = hd_compile_ptx("row.ptx", text, &options, err);
    hd_image_free(image);
    return image;
}

/* The message has the row's line and the name that the reader wrote: of the instruction, or of what
 * it reads. */
static bool named(const char *row, const struct hd_err *err)
{
    char place[40], name[80];
    const char *special = strstr(row, ", %"), *from = row;
    snprintf(place, sizeof place, "row.ptx:%d:", LINE_OF_ROW);
    if (!strncmp(row, "mov", 3) && special) from = special + 2;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(from + (*from == '@'), " .;|"), from);
    return err->status == 2 && strstr(err->text, place) && strstr(err->text, name);
}

int main(int argc, char **argv)
{
    bool print = argc > 1 && !strcmp(argv[1], "--print");
    FILE *f = fopen("tests/ptx/list.tsv", "r");
    char line[1024];
    unsigned there = 0, refused = 0, wrong = 0, number = 0;
    if (!f) return perror("tests/ptx/list.tsv"), 2;
    while (fgets(line, sizeof line, f)) {
        struct hd_err err;
        number++;
        line[strcspn(line, "\n")] = 0;
        char *row = strchr(line, '\t'), *why = row ? strchr(row + 1, '\t') : NULL;
        if (*line == '#' || !row) {
            if (print) puts(line);
            continue;
        }
        *row++ = 0;
        if (why) *why++ = 0;
        bool said = !strcmp(line, "there"), is = compiles(row, &err);
        if (print && is) printf("there\t%s\n", row);
        else if (print) printf("refused\t%s\t%s\n", row, why ? why : err.text);
        there += is, refused += !is;
        if (print || (said == is && (is || (why && *why && named(row, &err))))) continue;
        wrong++;
        printf("FAIL tests/ptx/list.tsv:%u: %s: %s%.200s\n", number, row, is ? "it is there" : "",
               err.text);
    }
    fclose(f);
    if (print) return 0;
    printf("ptx: %u instructions are there, %u are refused by name, %u wrong\n", there, refused,
           wrong);
    return wrong || there < 1000 || !refused;
}
