/* Bytes made small (zlib), and as letters.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/base/packed.h"
#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

char *packed_letters(const uint8_t *in, size_t n, enum packed_letters for_what)
{
    static const char digits[][65] = {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" };
    const char *digit = digits[for_what], *pad = for_what == PACKED_BASE64 ? "=" : "";
    char *out = malloc((n + 2) / 3 * 4 + 1), *o = out;
    for (size_t i = 0; out && i < n; i += 3) {
        uint32_t v = (uint32_t)in[i] << 16 | (i + 1 < n ? in[i + 1] << 8 : 0) |
                     (i + 2 < n ? in[i + 2] : 0);
        *o++ = digit[v >> 18];
        *o++ = digit[v >> 12 & 63];
        for (unsigned k = 1; k < 3; k++)
            if (i + k < n)
                *o++ = digit[v >> (k == 1 ? 6 : 0) & 63];
            else if (*pad)
                *o++ = *pad;
    }
    if (out)
        *o = 0;
    return out;
}

uint8_t *packed_deflate(const void *in, size_t n, size_t *packed)
{
    z_stream z = { 0 };
    if (deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    size_t room = deflateBound(&z, n);
    uint8_t *out = malloc(room ? room : 1);
    z.next_in = (uint8_t *)(uintptr_t)in;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = (uInt)room;
    bool ok = out && deflate(&z, Z_FINISH) == Z_STREAM_END;
    *packed = z.total_out;
    deflateEnd(&z);
    if (ok)
        return out;
    free(out);
    return NULL;
}
