/* --bus-error: which addresses answer with an error, as written on the command line.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   NAME[a:b]   elements of a buffer that is a parameter; NAME: all of it
 *   .text[a:b]  bytes of an area that the launch has: .text .const .local .global .spill
 *   ADDR:BYTES  physical addresses
 * and after it, =WORD,..: read or write for one direction only, decerr for that answer. */
#include "harness/cli/launch_args.h"
#include <stdlib.h>
#include <string.h>

#define FAIL(err, ...) (hd_err_set(err, 2, __VA_ARGS__), false)

static bool parse_how(const char *text, unsigned *how)
{
    static const struct { const char *word; unsigned how; } words[] = {
        { "read", HD_BUS_READ }, { "write", HD_BUS_WRITE }, { "decerr", HD_BUS_DECERR } };
    *how = 0;
    for (; text; text = *text ? text + 1 : NULL) {
        size_t n = strcspn(text, ","), k = 0;
        while (k < 3 && (strlen(words[k].word) != n || strncmp(text, words[k].word, n)))
            k++;
        if (k == 3)
            return false;
        *how |= words[k].how;
        text += n;
    }
    return true;
}

/* `from:to` in brackets, or `ADDR:BYTES`. */
static bool parse_pair(const char *text, char end, uint64_t *a, uint64_t *b)
{
    char *p;
    *a = strtoull(text, &p, 0);
    if (p == text || *p != ':' || !p[1])
        return false;
    text = p + 1;
    *b = strtoull(text, &p, 0);
    return p != text && *p == end && (!end || !p[1]);
}

bool args_bus(struct launch_args *la, const char *text, struct hd_err *err)
{
    struct arg_bus b = { .how = 0 };
    char *word = strdup(text), *eq = word ? strchr(word, '=') : NULL, *bracket;
    struct arg_bus *grown = realloc(la->bus, (la->nbus + 1) * sizeof b);
    bool ok = word && grown && (!eq || parse_how(eq + 1, &b.how));
    if (grown)
        la->bus = grown;
    if (ok && eq)
        *eq = 0;
    if (!(b.how & (HD_BUS_READ | HD_BUS_WRITE)))
        b.how |= HD_BUS_READ | HD_BUS_WRITE;
    if (ok && (bracket = strchr(word, '['))) {
        ok = bracket > word && parse_pair(bracket + 1, ']', &b.from, &b.to) && b.from < b.to;
        *bracket = 0;
    } else if (ok && strchr(word, ':')) {
        ok = parse_pair(word, 0, &b.from, &b.to) && b.to && b.from < HD_ADDR_END &&
             b.to <= HD_ADDR_END;
        *word = 0;
    } else
        ok = ok && (b.whole = true) && *word;
    if (!ok) {
        free(word);
        return FAIL(
            err,
            "`%s` is not NAME, NAME[from:to] or ADDR:BYTES, with or without =read, =write, =decerr",
            text);
    }
    b.name = word;
    la->bus[la->nbus++] = b;
    return true;
}

/* Where a name lies: its first byte, bytes of an element, elements (0: unknown). */
static bool find(const struct launch_args *la, const char *name, uint64_t *addr, size_t *width,
                 size_t *count)
{
    static const struct { const char *name; uint32_t addr; } areas[] = { { ".text", LAUNCH_CODE },
                  { ".const", LAUNCH_CONST },
                  { ".local", LAUNCH_LOCAL },
                  { ".global", LAUNCH_DATA },
                  { ".spill", LAUNCH_SPILL } };
    for (size_t i = 0; i < la->nargs; i++)
        if (la->args[i].array && !strcmp(la->args[i].name, name)) {
            *addr = la->args[i].addr, *width = la->args[i].width, *count = la->args[i].count;
            return true;
        }
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        if (!strcmp(areas[i].name, name)) {
            *addr = areas[i].addr, *width = 1, *count = 0;
            return true;
        }
    return false;
}

bool args_place_bus(const struct launch_args *la, hd_device *d, struct hd_err *err)
{
    for (size_t i = 0; i < la->nbus; i++) {
        const struct arg_bus *b = &la->bus[i];
        uint64_t addr = b->from;
        size_t width = 1, count = 0, bytes = b->to;
        if (*b->name) {
            if (!find(la, b->name, &addr, &width, &count))
                return FAIL(err, "--bus-error %s: there is no such buffer or area", b->name);
            if (b->whole && !count)
                return FAIL(err, "--bus-error %s: which bytes of it, [from:to]?", b->name);
            if (count && b->to > count)
                return FAIL(err, "--bus-error %s[%llu:%llu]: it has %zu elements", b->name,
                            (unsigned long long)b->from, (unsigned long long)b->to, count);
            if (b->to >= HD_ADDR_END)
                return FAIL(err, "--bus-error %s: beyond physical addresses", b->name);
            addr += b->whole ? 0 : b->from * width;
            bytes = (b->whole ? count : b->to - b->from) * width;
        }
        if (hd_bus_error(d, addr, bytes, b->how) != HD_OK)
            return FAIL(err, "--bus-error: %s", hd_device_error(d));
    }
    return true;
}
