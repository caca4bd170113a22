/* Words changed in finished programs: flipped bits, other branches, a pop too many.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/fuzz_code.h"
#include <string.h>

static struct hd_word word(const uint8_t *at)
{
    struct hd_word w;
    memcpy(&w, at, sizeof w);
    return w;
}

/* What the core lacks is not made. */
static void put(const struct fuzz_case *c, uint8_t *at, struct hd_word w)
{
    if (fuzz_fits(c, &w))
        memcpy(at, &w, sizeof w);
}

void wild_flip(struct fuzz_case *c, struct rng *r, int first)
{
    for (unsigned k = rng_below(r, 3); k; k--) {
        uint8_t bit = (uint8_t)(1u << rng_below(r, 8));
        uint32_t at = (uint32_t)first * HD_INSN_BYTES + rng_below(r, WILD_BODY * HD_INSN_BYTES);
        uint8_t *from = c->img->text + at / HD_INSN_BYTES * HD_INSN_BYTES;
        struct hd_word w = word(from);
        ((uint8_t *)&w)[at % HD_INSN_BYTES] ^= bit;
        put(c, from, w);
    }
}

/* Every bit of a few words, which keep their opcodes. */
void wild_scramble(struct fuzz_case *c, struct rng *r, int first)
{
    for (unsigned k = 1 + rng_below(r, 3); k; k--) {
        uint8_t *at = c->img->text + ((uint32_t)first + rng_below(r, WILD_BODY)) * HD_INSN_BYTES;
        struct hd_word w = word(at);
        for (unsigned b = 2; b < HD_INSN_BYTES; b++)
            ((uint8_t *)&w)[b] ^= (uint8_t)(rng_next(r) & rng_next(r));
        put(c, at, w);
    }
}

/* A program that would end well, with a few words changed: a pop too many, another branch,
 * another target. */
void wild_spoil(struct fuzz_case *c, const struct fuzz_weights *w)
{
    struct rng r = { c->seed ^ 0x5b0117 };
    fuzz_code(c, w);
    uint32_t words = c->img->text_size / HD_INSN_BYTES;
    for (unsigned k = 1 + rng_below(&r, 3); k; k--) {
        uint8_t *at = c->img->text + (words / 4 + rng_below(&r, words - words / 4)) * HD_INSN_BYTES;
        static const enum hd_op barrier[] = { OP_BSSY, OP_BSYNC, OP_BREAK, OP_YIELD, OP_EXIT,
                                              OP_BRA },
                                stack[] = { OP_SSY, OP_CAL, OP_RETT, OP_EXIT, OP_BRA, OP_WARPSYNC };
        static const struct fuzz_pool pool = { 0, LIVE_REGS, LIVE_PREDS, 0, 0 };
        struct hd_word word;
        struct hd_insn i;
        memcpy(&word, at, sizeof word);
        if (!hd_decode(&word, c->stack_mode, &i))
            continue;
        if (i.op == OP_RETT && rng_below(&r, 2)) {   /* a carrier finds a CALL token */
            i = hd_insn_make(OP_NOP);
            i.pop = 1;
        } else if (hd_ops[i.op].unit == UNIT_CTL) {
            i = fuzz_insn(&r, (c->stack_mode ? stack : barrier)[rng_below(&r, 6)], &pool,
                          c->stack_mode);
            if (strchr(hd_ops[i.op].operands, '@')) {
                i.imm = HD_INSN_BYTES * rng_below(&r, words + 1);
                i.imm += rng_one_in(&r, 6) ? rng_below(&r, 16) : 0;
            }
        } else if (c->stack_mode)
            i.pop ^= 1;
        word = hd_encode(&i);
        memcpy(at, &word, sizeof word);
    }
}
