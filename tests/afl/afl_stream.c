/* A stream of warp events from anywhere: it is refused with a message, or each of its events is
 * sound: printed and read again it is the same, and the monitor has a verdict on it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every chunk carries a checksum, which no mutation of it would keep; so it is put right first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "stream/monitor.h"
#include "tests/afl/afl.h"

static void must(int ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "%s: %s\n", getenv("AFL_INPUT"), what);
    abort();
}

static void seal(uint8_t *p, size_t n)
{
    for (size_t at = 8; n >= 17 && at <= n - 9;) {
        size_t bytes = 0;
        for (int k = 0; k < 4; k++) bytes |= (size_t)p[at + 1 + k] << 8 * k;
        if (bytes > n - 9 - at) return;
        const uint32_t sum = hs_adler(p + at + 9, bytes);
        for (int k = 0; k < 4; k++) p[at + 5 + k] = (uint8_t)(sum >> 8 * k);
        at += 9 + bytes;
    }
}

static void check_text(const struct hs_header *h, struct hs_event *e)
{
    static struct hs_event again;
    static uint8_t one[HS_ALONE], two[HS_ALONE];
    char *text = NULL, error[HS_ERROR];
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    must(f != NULL, "out of memory");
    hs_print(h, e, f);
    fclose(f);
    text[strcspn(text, "\n")] = 0;
    must(hs_parse(h, text, &again, error), "what was printed cannot be read");
    n = hs_pack(e, one, h->word_bytes);
    must(n == hs_pack(&again, two, h->word_bytes) && !memcmp(one, two, n),
         "what was printed is another event");
    free(text);
}

int afl_one(const uint8_t *buf, size_t n)
{
    static struct hs_event e;
    char error[HS_ERROR] = "";
    uint8_t *own = malloc(n + 1);
    must(own != NULL, "out of memory");
    memcpy(own, buf, n);
    if (n > 8 && !memcmp(own, HS_MAGIC, 8)) seal(own, n);
    FILE *in = n ? fmemopen(own, n, "r") : NULL;
    struct hs_reader *r = in ? hs_open(in, error) : NULL;
    must(r || !in || *error, "neither read nor refused");
    int got = -1;
    if (r) {
        const struct hs_header *h = hs_header_of(r);
        struct hs_monitor *m = hs_monitor_open(h, 1000);
        bool good = m != NULL;
        enum hs_rule rule;
        while ((got = hs_read(r, &e, error)) > 0) {
            check_text(h, &e);
            good = good && hs_monitor_add(m, &e);
        }
        must(got == 0 || *error, "refused without a word");
        if (good && !got) good = hs_monitor_end(m);
        must(!m || good || hs_broken(m, &rule), "broken without a word");
        hs_monitor_close(m);
    }
    hs_close(r);
    if (in) fclose(in);
    free(own);
    return got == 0;
}
