/* The chain of causes in a report: random histories of few warp slots, which several blocks share
 * one after the other.  What it names has written the register in that lane, in that warp of that
 * block, before; and it names the newest writer of each operand.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "harness/report/report.h"

enum { SLOTS = 2, REGS = 4, PREDS_USED = 2, COMMITS = 60, HISTORIES = 400 };

static uint32_t rnd(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 32);
}

static void random_commit(uint64_t *seed, struct hd_commit *c)
{
    struct hd_insn i = hd_insn_make(rnd(seed) % 3 ? OP_IADD : OP_ISETP);
    i.ra = (uint8_t)(rnd(seed) % REGS), i.rb = (uint8_t)(rnd(seed) % REGS);
    i.pg = rnd(seed) % 2 ? HD_PT : (uint8_t)(rnd(seed) % PREDS_USED);
    if (i.op == OP_IADD) {
        i.rd = c->rd = (uint8_t)(rnd(seed) % REGS);
        c->nd = 1;
    } else {
        i.pd = c->pd = (uint8_t)(rnd(seed) % PREDS_USED);
        c->npd = 1;
    }
    const struct hd_word w = hd_encode(&i);
    memcpy(c->insn, w.w, sizeof c->insn);
    c->exec = rnd(seed) | rnd(seed);
    c->pval = rnd(seed);
    for (unsigned l = 0; l < HD_LANES; l++)
        c->val[0][l] = rnd(seed);
}

static bool writes(const struct hd_commit *w, const struct hd_commit *of, unsigned reg,
                   unsigned lane)
{
    const bool named = reg < 256 ? w->nd && w->rd == reg : w->npd && w->pd == reg - 256;
    return named && w->seq < of->seq && w->slot == of->slot && w->block == of->block &&
           (w->exec >> lane & 1);
}

static void check(const struct history *h, const struct hd_commit *bad, unsigned lane,
                  const struct report_origin *out, unsigned found)
{
    struct hd_word word;
    struct hd_insn i;
    for (unsigned k = 0; k < found; k++) {
        const struct hd_commit *by = out[k].by;
        if (!writes(by, bad, out[k].reg, lane))
            fail_msg("commit %d of slot %u, block %u, is no cause of one of slot %u, block %u",
                     (int)by->seq, by->slot, by->block, bad->slot, bad->block);
        assert_int_equal(out[k].value,
                         out[k].reg < 256 ? by->val[0][lane] : by->pval >> lane & 1);
    }
    memcpy(word.w, bad->insn, sizeof word.w);
    assert_true(hd_decode(&word, false, &i));
    const unsigned reads[] = { i.ra, i.rb, i.pg == HD_PT ? i.ra : 256u + i.pg };
    for (unsigned s = 0; s < 3; s++) {
        const struct hd_commit *newest = NULL;
        bool named = false;
        for (uint64_t k = 0; k < h->n; k++)
            newest = writes(&h->rec[k], bad, reads[s], lane) ? &h->rec[k] : newest;
        for (unsigned k = 0; k < found; k++)
            named |= out[k].by == newest;
        if (newest && !named)
            fail_msg("commit %d, which wrote operand %u, is not named", (int)newest->seq, s);
    }
}

static void random_histories(void **unused)
{
    static struct history h;
    static const struct hd_image img;
    static struct hd_device d = { .history = &h, .image = &img };
    unsigned origins = 0;
    uint64_t seed = 1;
    (void)unused;
    for (unsigned n = 0; n < HISTORIES; n++) {
        uint32_t block[SLOTS] = { 0, 1 }, next = SLOTS;
        h.n = COMMITS;
        for (unsigned k = 0; k < COMMITS; k++) {
            struct hd_commit *c = &h.rec[k];
            memset(c, 0, sizeof *c);
            c->seq = k, c->slot = (uint8_t)(rnd(&seed) % SLOTS);
            if (rnd(&seed) % 8 == 0)
                block[c->slot] = next++;
            c->block = block[c->slot];
            random_commit(&seed, c);
        }
        struct report_origin out[REPORT_CHAIN];
        const struct hd_commit *bad = &h.rec[COMMITS - 1 - rnd(&seed) % 8];
        const unsigned lane = rnd(&seed) % HD_LANES;
        unsigned found;
        assert_true(report_chain(&d, bad, lane, out, &found));
        check(&h, bad, lane, out, found);
        origins += found;
    }
    assert_true(origins > HISTORIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(random_histories) };
    return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
