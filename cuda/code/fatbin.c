/* Reads and writes fat binaries.  SPDX-License-Identifier: Apache-2.0
 *
 * What is read lies in a program's own memory, and its size is what its header says: a damaged one
 * is not to be expected, but every size is checked against the container's. */
#include "cuda/code/fatbin.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { MAGIC = 0xba55ed50, KIND_PTX = 1, FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000,
       FLAG_UNIT = 1 << 30 /* ours */ };
struct header { uint32_t magic; uint16_t version, header_size; uint64_t size; };
struct entry {
    uint16_t kind, one;
    uint32_t header_size;
    uint64_t payload_size;
    uint32_t packed_size;                   /* the payload is padded */
    uint32_t options_offset;
    uint16_t minor, major;
    uint32_t arch, name_offset, name_size;
    uint64_t flags, zero, unpacked_size;
};

/* One LZ4 block, whose end is `to` bytes of output.  False: it is damaged. */
static bool lz4_unpack(const uint8_t *in, size_t n, uint8_t *out, size_t to)
{
    size_t i = 0, at = 0;
    while (i < n) {
        unsigned token = in[i++];
        size_t lits = token >> 4, match = token & 15;
        for (unsigned more = lits == 15 ? 255 : 0; more == 255 && i < n;)
            lits += more = in[i++];
        if (lits > n - i || lits > to - at)
            return false;
        memcpy(out + at, in + i, lits);
        i += lits, at += lits;
        if (at == to)
            return true;
        if (n - i < 2)
            return false;
        size_t back = in[i] | (size_t)in[i + 1] << 8;
        i += 2;
        for (unsigned more = match == 15 ? 255 : 0; more == 255 && i < n;)
            match += more = in[i++];
        match += 4;
        if (!back || back > at || match > to - at)
            return false;
        for (; match; match--, at++)        /* it may overlap itself */
            out[at] = out[at - back];
    }
    return at == to;
}

/* The payload's first zstd frame, which is all of it but the padding. */
static bool zstd_unpack(const uint8_t *in, size_t n, uint8_t *out, size_t to)
{
    size_t frame = ZSTD_findFrameCompressedSize(in, n);
    return !ZSTD_isError(frame) && ZSTD_decompress(out, to, in, frame) == to;
}

static char *text_of(const struct entry *e, const uint8_t *payload, struct hd_err *err)
{
    bool packed = e->flags & (FLAG_LZ4 | FLAG_ZSTD);
    size_t n = packed ? e->unpacked_size : e->payload_size;
    char *text = n < (size_t)1 << 32 ? malloc(n + 1) : NULL;
    if (!text) {
        hd_err_set(err, 2, "the fat binary's PTX has %zu bytes: no memory", n);
        return NULL;
    }
    size_t from = e->payload_size;
    if (e->packed_size && e->packed_size <= from)
        from = e->packed_size;
    bool (*unpack)(const uint8_t *, size_t, uint8_t *, size_t) =
        e->flags & FLAG_ZSTD ? zstd_unpack : lz4_unpack;
    if (packed && !unpack(payload, from, (uint8_t *)text, n)) {
        hd_err_set(err, 2, "the fat binary's compressed PTX is damaged");
        free(text);
        return NULL;
    }
    if (!packed)
        memcpy(text, payload, n);
    text[n] = 0;
    return text;
}

/* Of the entries in one container the PTX for the newest machine. */
static const struct entry *newest(const struct header *h, bool *machine_code)
{
    const uint8_t *p = (const uint8_t *)h + h->header_size, *end = p + h->size;
    const struct entry *best = NULL;
    while ((size_t)(end - p) >= offsetof(struct entry, zero)) {
        const struct entry *e = (const struct entry *)(const void *)p;
        if (e->header_size < offsetof(struct entry, zero) || e->header_size > (size_t)(end - p) ||
            e->payload_size > (size_t)(end - p) - e->header_size)
            break;
        if (e->kind != KIND_PTX)
            *machine_code = true;
        else if (!best || e->arch > best->arch)
            best = e;
        p += e->header_size + e->payload_size;
    }
    return best;
}

char *fatbin_ptx(const void *image, struct hd_err *err)
{
    const struct header *h = image;
    const char *text = image;
    bool machine_code = false;
    size_t blank = strspn(text, " \t\r\n");
    if (text[blank] == '.' || !strncmp(text + blank, "//", 2))
        return strdup(text);
    if (h->magic != MAGIC || h->version != 1 || h->header_size < sizeof *h) {
        hd_err_set(err, 2, "the device code is neither a fat binary nor PTX "
                   "(it begins with 0x%08x)", h->magic);
        return NULL;
    }
    const struct entry *e = newest(h, &machine_code);
    if (e)
        return text_of(e, (const uint8_t *)e + e->header_size, err);
    hd_err_set(err, 2, "the fat binary has no PTX%s", !machine_code ? "" :
               ", only machine code: build with nvcc -gencode arch=compute_70,code=compute_70");
    return NULL;
}

/* CUDA's own routines for launches from kernels, which nvcc links to a program: ours take their
 * place, so the unit goes but for its head. */
static void drop_device_runtime(char *ptx)
{
    static const char name[] = "__cudaCDP2GetParameterBufferV2";
    const char *at = strstr(ptx, name);
    while (at && at > ptx && at[-1] != ';' && at[-1] != '}')
        at--;
    size_t blank = at ? strspn(at, " \t\r\n") : 0;
    char *head = at && !strncmp(at + blank, ".visible", 8) ? strstr(ptx, ".address_size") : NULL;
    if (head)
        head[strcspn(head, "\n")] = 0;
}

char *fatbin_linked(const void *const *images, size_t n, struct hd_err *err)
{
    char *all = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&all, &bytes);
    bool ok = f;
    for (size_t k = 0; ok && k < n; k++) {
        char *text = fatbin_ptx(images[k], err);
        if (text)
            drop_device_runtime(text);
        ok = text && fprintf(f, "%s\n", text) >= 0;
        free(text);
    }
    if (f && (fclose(f) || !ok)) {
        free(all);
        all = NULL;
    }
    return all;
}

unsigned fatbin_arch(const void *image)
{
    const struct header *h = image;
    const char *text = image, *target;
    bool unseen;
    if (h->magic == MAGIC) {
        const struct entry *e = newest(h, &unseen);
        return e ? e->arch : 0;
    }
    size_t blank = strspn(text, " \t\r\n");
    if (text[blank] != '.' && strncmp(text + blank, "//", 2))
        return 0;
    target = strstr(text, ".target sm_");
    return target ? (unsigned)strtoul(target + strlen(".target sm_"), NULL, 10) : 0;
}

bool fatbin_is_unit(const void *image)
{
    const struct header *h = image;
    bool unseen;
    const struct entry *e = h->magic == MAGIC ? newest(h, &unseen) : NULL;
    return e && e->flags & FLAG_UNIT;
}

bool fatbin_write(FILE *out, const char *ptx, size_t bytes, unsigned arch, bool unit)
{
    size_t padded = (bytes + 1 + 7) / 8 * 8;
    struct entry e = { .kind = KIND_PTX, .one = 0x0101, .header_size = sizeof e,
                       .payload_size = padded, .minor = 4, .major = 6, .arch = arch,
                       .flags = 0x11 | (unit ? FLAG_UNIT : 0) };
    struct header h = { .magic = MAGIC, .version = 1, .header_size = sizeof h,
                        .size = sizeof e + padded };
    fwrite(&h, sizeof h, 1, out);
    fwrite(&e, sizeof e, 1, out);
    fwrite(ptx, 1, bytes, out);
    for (size_t i = bytes; i < padded; i++)
        putc(0, out);
    return !ferror(out);
}
