/* See sparse.h.  SPDX-License-Identifier: Apache-2.0
 *
 * Page by page: one that is not there is not read either, since that would put zeros there, of two
 * megabytes at once perhaps.  Small memory is not asked about: looking at it costs less. */
#include "cmodel/base/sparse.h"
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = SPARSE_PAGE, PAGES = 512, PIECE = PAGES * PAGE, SMALL = PIECE };
#define THERE ((uint64_t)3 << 62)           /* present, or swapped out */

static const uint8_t zeros[PAGE];

/* What is known of up to PAGES pages. */
struct piece { uint64_t entry[PAGES]; bool unknown; };

static bool there(const struct piece *p, size_t page)
{
    return p->unknown || (p->entry[page] & THERE);
}

static void look(int map, const uint8_t *at, size_t pages, struct piece *p)
{
    const size_t want = pages * sizeof p->entry[0];
    const off_t from = (off_t)((uintptr_t)at / PAGE * sizeof p->entry[0]);
    p->unknown = map < 0 || pread(map, p->entry, want, from) != (ssize_t)want;
}

static int open_map(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    const bool alike = (uintptr_t)a % PAGE == (uintptr_t)b % PAGE;
    return bytes > SMALL && alike && sysconf(_SC_PAGESIZE) == PAGE
               ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;
}

/* Calls act for each page, or part of one, that a or b has, until it returns false; which of them
 * has it. */
typedef bool page_fn(void *user, size_t at, size_t n, bool in_a, bool in_b);

static bool each_page(const uint8_t *a, const uint8_t *b, size_t bytes, page_fn *act, void *user)
{
    const int map = open_map(a, b, bytes);
    struct piece of_a, of_b;
    bool on = true;
    if (map < 0)
        return act(user, 0, bytes, true, true);
    for (size_t at = 0, n; on && at < bytes; ) {
        const size_t first = PAGE - (uintptr_t)(a + at) % PAGE, rest = bytes - at - first;
        const size_t pages = 1 + (bytes - at > first ? (rest + PAGE - 1) / PAGE : 0);
        const size_t most = pages < PAGES ? pages : PAGES;
        look(map, a + at, most, &of_a);
        look(map, b + at, most, &of_b);
        for (size_t k = 0; on && k < most; k++, at += n) {
            n = PAGE - (uintptr_t)(a + at) % PAGE;
            n = n < bytes - at ? n : bytes - at;
            const bool in_a = there(&of_a, k), in_b = there(&of_b, k);
            on = (!in_a && !in_b) || act(user, at, n, in_a, in_b);
        }
    }
    close(map);
    return on;
}

struct two { uint8_t *a; const uint8_t *b; size_t at; };

static bool same(void *user, size_t at, size_t n, bool in_a, bool in_b)
{
    struct two *t = user;
    const uint8_t *a = in_a ? t->a + at : zeros, *b = in_b ? t->b + at : zeros;
    if (!memcmp(a, b, n))
        return true;
    t->at = at;
    return false;
}

size_t sparse_differs(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    struct two t = { (uint8_t *)(uintptr_t)a, b, 0 };
    if (!bytes || each_page(a, b, bytes, same, &t))
        return bytes;
    while (a[t.at] == b[t.at])
        t.at++;
    return t.at;
}

static bool copy(void *user, size_t at, size_t n, bool in_to, bool in_from)
{
    struct two *t = user;
    (void)in_to;
    if (in_from)
        memcpy(t->a + at, t->b + at, n);
    else
        memset(t->a + at, 0, n);
    return true;
}

void sparse_copy(uint8_t *to, const uint8_t *from, size_t bytes)
{
    struct two t = { to, from, 0 };
    if (bytes)
        each_page(to, from, bytes, copy, &t);
}
