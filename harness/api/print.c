/* Prints what kernels have printed: the records of compiler/print.h, which are looked at with
 * suspicion, as the kernel could write anywhere.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include "cmodel/heddle.h"
#include "compiler/print.h"

/* A record in the host's memory. */
struct record { const unsigned char *at; struct hd_print_record head; const char *format; };

static uint64_t value(const struct record *r, unsigned k)
{
    uint64_t v = 0;
    if (k < r->head.nvalues)
        memcpy(&v, r->at + sizeof r->head + 8 * (size_t)k, 8);
    return v;
}

/* The text that a value names. */
static const char *text(const struct record *r, uint64_t at)
{
    if (at < sizeof r->head || at >= r->head.bytes)
        return at ? "(no text)" : "(null)";
    return memchr(r->at + at, 0, r->head.bytes - at) ? (const char *)r->at + at : "(no text)";
}

/* A conversion: % flags width . precision size letter, its stars replaced by their values. */
struct conversion { char spec[64]; unsigned n; int size; char letter; };

static bool add(struct conversion *c, char x)
{
    if (c->n + 8 > sizeof c->spec)
        return false;
    c->spec[c->n++] = x;
    return true;
}

/* From after the % on; NULL: it is none that printf has. */
static const char *read_conversion(const char *f, const struct record *r, unsigned *k,
                                   struct conversion *c)
{
    *c = (struct conversion){ .spec = "%", .n = 1 };
    for (; *f && strchr("-+ #0123456789.*", *f); f++)
        if (*f == '*') {
            char number[16];
            snprintf(number, sizeof number, "%d", (int)(int32_t)value(r, (*k)++));
            for (const char *d = number; *d; d++)
                if (!add(c, *d))
                    return NULL;
        } else if (!add(c, *f))
            return NULL;
    for (; *f && strchr("hljztqL", *f); f++)
        c->size += *f == 'h' ? -1 : 8;
    c->letter = *f;
    return *f && strchr("diuoxXcsfFeEgGaAp", *f) ? f + 1 : NULL;
}

static void print_value(const struct conversion *c, const struct record *r, uint64_t v, FILE *out)
{
    char spec[sizeof c->spec + 4];
    bool is_int = strchr("diuoxX", c->letter) != NULL, sign = c->letter == 'd' || c->letter == 'i';
    snprintf(spec, sizeof spec, "%.*s%s%c", (int)c->n, c->spec, is_int ? "ll" : "", c->letter);
    if (is_int && c->size < 8) {
        unsigned drop = c->size == 0 ? 32 : c->size == -1 ? 48 : 56;
        v = sign ? (uint64_t)((int64_t)(v << drop) >> drop) : v << drop >> drop;
    }
    double d;
    memcpy(&d, &v, sizeof d);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (is_int && sign) fprintf(out, spec, (long long)v);
    else if (is_int) fprintf(out, spec, (unsigned long long)v);
    else if (c->letter == 's') fprintf(out, spec, text(r, v));
    else if (c->letter == 'c') fprintf(out, spec, (int)(unsigned char)v);
    else if (c->letter == 'p') fprintf(out, spec, (void *)(uintptr_t)v);
    else fprintf(out, spec, d);
#pragma GCC diagnostic pop
}

static void print_format(const struct record *r, FILE *out)
{
    unsigned k = 0;
    for (const char *f = r->format; *f;) {
        struct conversion c;
        const char *after;
        size_t plain = strcspn(f, "%");
        fwrite(f, 1, plain, out);
        f += plain;
        if (!*f)
            return;
        if (f[1] == '%') {
            fputc('%', out);
            f += 2;
        } else if ((after = read_conversion(f + 1, r, &k, &c))) {
            print_value(&c, r, value(r, k), out);
            k++;
            f = after;
        } else {
            fputc(*f++, out);                        /* as it stands */
        }
    }
}

static void print_assert(const struct record *r, FILE *out)
{
    const uint64_t at[] = { value(r, PRINT_LINE),      value(r, PRINT_BLOCK),
                            value(r, PRINT_BLOCK + 1), value(r, PRINT_BLOCK + 2),
                            value(r, PRINT_THREAD),    value(r, PRINT_THREAD + 1),
                            value(r, PRINT_THREAD + 2) };
    fprintf(out, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            text(r, value(r, PRINT_FILE)), (unsigned)at[0], text(r, value(r, PRINT_FUNCTION)),
            (unsigned)at[1], (unsigned)at[2], (unsigned)at[3], (unsigned)at[4], (unsigned)at[5],
            (unsigned)at[6], r->format);
}

bool hd_print_records(const void *data, size_t bytes, uint32_t used, FILE *out, FILE *err)
{
    const unsigned char *p = data;
    struct record r;
    size_t end = used < bytes ? used : bytes, at = 0;
    for (; end - at >= sizeof r.head; at += r.head.bytes) {
        r.at = p + at;
        memcpy(&r.head, r.at, sizeof r.head);
        size_t texts = sizeof r.head + 8 * (size_t)r.head.nvalues;
        if (r.head.bytes > end - at || r.head.bytes % 8 || texts >= r.head.bytes ||
            r.head.kind > PRINT_ASSERT ||
            (r.head.kind == PRINT_ASSERT && r.head.nvalues != PRINT_ASSERT_VALUES))
            break;
        r.format = text(&r, texts);
        if (r.head.kind == PRINT_ASSERT)
            print_assert(&r, err);
        else
            print_format(&r, out);
    }
    if (at == used)
        return true;
    fprintf(err, "heddle: %u bytes of what the kernel printed are lost: its buffer holds %zu\n",
            (unsigned)(used - at), bytes);
    return false;
}

enum hd_status hd_print(hd_device *d, FILE *out, FILE *err)
{
    static const uint32_t none;
    uint64_t addr;
    uint32_t used;
    size_t bytes;
    if (hd_symbol(d, PRINT_SYMBOL, &addr, &bytes) != HD_OK || bytes != sizeof(struct hd_print))
        return HD_OK;                                /* its kernels print nothing */
    enum hd_status st = hd_read(d, addr, &used, sizeof used);
    if (st != HD_OK || !used)
        return st;
    uint32_t kept = used < PRINT_BYTES ? used : PRINT_BYTES;
    unsigned char *data = malloc(kept);
    if (!data)
        return HD_NO_MEMORY;
    st = hd_read(d, addr + (uint32_t)offsetof(struct hd_print, data), data, kept);
    if (st == HD_OK)
        hd_print_records(data, kept, used, out, err);
    free(data);
    return st == HD_OK ? hd_write(d, addr, &none, sizeof none) : st;
}
