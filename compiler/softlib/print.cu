// printf and assert: records in a buffer that the host prints (compiler/print.h).
// SPDX-License-Identifier: Apache-2.0
#include "softlib/types.cuh"
#include "print.h"

extern "C" { __attribute__((device, used)) struct hd_print __hd_print; }

enum { END, WORD, PAIR, TEXT };
struct walk { const char *format; u32 at; bool inside; };

// What the format asks for next.
INLINE int next(struct walk *w)
{
    bool wide = false;
    for (;;) {
        char c = *w->format;
        if (!c) return END;
        w->format++;
        if (!w->inside) {
            w->inside = c == '%';
            wide = false;
            continue;
        }
        if (c == '*') return WORD;
        bool size = c == 'l' || c == 'j' || c == 'z' || c == 't' || c == 'q' || c == 'L';
        wide |= size;
        if (size || c == 'h' || (c < 'A' && c != '%')) continue;     // flags, digits, a point
        w->inside = false;
        if (c == '%') continue;
        if (c == 's') return TEXT;
        if (c == 'd' || c == 'i' || c == 'u' || c == 'o' || c == 'x' || c == 'X' || c == 'c') return wide ? PAIR : WORD;
        return PAIR;
    }
}

// Its argument, where clang and nvcc put it: in order, each at a multiple of its size.
INLINE u64 argument(struct walk *w, int kind, const char *arguments)
{
    u64 v;
    if (kind == WORD) {
        v = *(const u32 *)(arguments + w->at);
        w->at += 4;
        return v;
    }
    w->at = (w->at + 7) & ~7u;
    v = *(const u64 *)(arguments + w->at);
    w->at += 8;
    return v;
}

INLINE u32 length(const char *s)                     // with its NUL; of a null pointer none
{
    u32 n = 0;
    if (!s) return 0;
    while (s[n]) n++;
    return n + 1;
}

INLINE unsigned char *reserve(u32 bytes)             // NULL: it is lost
{
    u32 at;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(at) : "l"(&__hd_print.used), "r"(bytes) : "memory");
    return at <= PRINT_BYTES - bytes && bytes <= PRINT_BYTES ? (unsigned char *)__hd_print.data + at : 0;
}

INLINE u32 put(unsigned char *record, u32 at, const char *s)     // where the text ends
{
    char c;
    if (!s) return at;
    do record[at++] = (unsigned char)(c = *s++);
    while (c);
    return at;
}

DEVICE int vprintf(const char *format, const char *arguments)
{
    struct walk w = { format, 0, false };
    u32 values = 0, texts = length(format);
    if (!format) return -1;
    for (int kind; (kind = next(&w)) != END; values++) {
        u64 v = argument(&w, kind, arguments);
        if (kind == TEXT) texts += length((const char *)v);
    }
    u32 at = 8 + 8 * values, bytes = (at + texts + 7) & ~7u;
    unsigned char *record = reserve(bytes);
    if (!record) return -1;
    struct hd_print_record head = { bytes, PRINT_FORMAT, (unsigned short)values };
    *(struct hd_print_record *)record = head;
    at = put(record, at, format);
    u64 *value = (u64 *)(record + 8);
    w = (struct walk){ format, 0, false };
    for (int kind; (kind = next(&w)) != END;) {
        u64 v = argument(&w, kind, arguments);
        if (kind != TEXT) { *value++ = v; continue; }
        *value++ = v ? at : 0;
        at = put(record, at, (const char *)v);
    }
    return (int)values;
}

INLINE u32 special(int k)
{
    u32 v;
    switch (k) {
    case 0: asm("mov.u32 %0, %%ctaid.x;" : "=r"(v)); break;
    case 1: asm("mov.u32 %0, %%ctaid.y;" : "=r"(v)); break;
    case 2: asm("mov.u32 %0, %%ctaid.z;" : "=r"(v)); break;
    case 3: asm("mov.u32 %0, %%tid.x;" : "=r"(v)); break;
    case 4: asm("mov.u32 %0, %%tid.y;" : "=r"(v)); break;
    default: asm("mov.u32 %0, %%tid.z;" : "=r"(v)); break;
    }
    return v;
}

DEVICE void __assertfail(const char *what, const char *file, u32 line, const char *function, u64 char_size)
{
    enum { HEAD = 8 + 8 * PRINT_ASSERT_VALUES };
    (void)char_size;
    u32 n = length(what), m = length(file), bytes = (HEAD + n + m + length(function) + 7) & ~7u;
    unsigned char *record = reserve(bytes);
    if (record) {
        struct hd_print_record head = { bytes, PRINT_ASSERT, PRINT_ASSERT_VALUES };
        *(struct hd_print_record *)record = head;
        u64 *value = (u64 *)(record + 8);
        value[PRINT_LINE] = line;
        value[PRINT_BLOCK] = special(0), value[PRINT_BLOCK + 1] = special(1), value[PRINT_BLOCK + 2] = special(2);
        value[PRINT_THREAD] = special(3), value[PRINT_THREAD + 1] = special(4), value[PRINT_THREAD + 2] = special(5);
        value[PRINT_FILE] = file ? HEAD + n : 0;
        value[PRINT_FUNCTION] = function ? HEAD + n + m : 0;
        put(record, put(record, put(record, HEAD, what), file), function);
    }
    asm volatile("trap;");
}
