/* Whether a source has a variable of its own called warpSize at file scope, which nvcc lets be and
 * clang refuses, for its header has one there.  In a namespace, a class or a function it hides the
 * built-in one, as anywhere.  SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <string.h>
#include "cuda/nvcc/nvcc.h"

static bool in_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* A word of a type stands before p, and what can follow a variable's name after it. */
static bool is_declared(const char *text, const char *p, const char *end)
{
    static const char *const users[] = { "return", "else", "case", "extern" };
    while (p > text && strchr(" \t\r\n", p[-1]))
        p--;
    const char *word = p;
    while (word > text && in_word(word[-1]))
        word--;
    for (size_t k = 0; k < sizeof users / sizeof *users; k++)
        if (strlen(users[k]) == (size_t)(p - word) && !strncmp(word, users[k], (size_t)(p - word)))
            return false;
    end += strspn(end, " \t\r\n");
    return word < p && *end && strchr("=;{(,", *end) && strncmp(end, "==", 2) != 0;
}

bool nvcc_own_warp_size(const char *text)
{
    int depth = 0;
    bool line_begins = true;
    for (const char *p = text; *p; p++) {
        const char *next = nvcc_skip(text, p);
        if (next != p) {
            p = next - 1;
            continue;
        }
        if (line_begins && *p == '#') {
            for (; p[1] && p[1] != '\n'; p++)
                if (*p == '\\' || p[1] == '\\')
                    p += p[2] == '\n';
            continue;
        }
        line_begins = *p == '\n' || (line_begins && strchr(" \t\r", *p));
        depth += (*p == '{' || *p == '(') - (*p == '}' || *p == ')');
        if (!depth && !strncmp(p, "warpSize", 8) && !in_word(p[8]) &&
            (p == text || !in_word(p[-1])) && is_declared(text, p, p + 8))
            return true;
    }
    return false;
}
