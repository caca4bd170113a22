/* The generated RTL decoder against the C decoder: legality of every word, and every port of the
 * legal ones, which are worked out here from the decoded instruction.
 * Usage: decode_equiv [words [seed]]
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include "tests/rtl/decode_shim.h"
#include "tests/unit/words.h"

static uint8_t log_size(int n) { return n == 4 ? 2 : n == 2 ? 1 : 0; }
static bool has(const struct hd_op_info *o, const char *s)
{
    return strpbrk(o->operands, s) != NULL;
}

static struct decode_ports expected(const struct hd_insn *in)
{
    const struct hd_op_info *o = &hd_ops[in->op];
    static const char *const space[] = { "(SPACE_GLOBAL)", "(SPACE_SHARED)", "(SPACE_LOCAL)",
                                         "(SPACE_CONST)", "(SPACE_GENERIC)" };
    int w[4];
    for (int i = 0; i < 4; i++)
        w[i] = hd_insn_width(in, i);
    struct decode_ports p = { .legal = 1,
                              .unit = o->unit,
                              .reads_a = w[1] > 0,
                              .reads_b = w[2] > 0,
                              .reads_c = w[3] > 0,
                              .a_pair = w[1] == 2,
                              .b_pair = w[2] == 2,
                              .b_quad = w[2] == 4,
                              .c_pair = w[3] == 2,
                              .b_is_imm = in->bi,
                              .b_is_const = in->cb,
                              .b_sext = in->bi && has(o, "B"),
                              .writes_rd = w[0] > 0,
                              .rd_size = log_size(w[0]),
                              .writes_pd = has(o, "p"),
                              .all_lanes = (o->flags & F_LANES) != 0,
                              .reads_ps = has(o, "s"),
                              .reads_pt = has(o, "t"),
                              .uses_bx = has(o, "x"),
                              .noguard = (o->flags & F_NOGUARD) != 0,
                              .is_load = !strncmp(o->effect, "WARP_LOAD", 9),
                              .is_store = !strncmp(o->effect, "WARP_STORE", 10),
                              .is_atom = !strncmp(o->effect, "WARP_ATOM", 9) };
    if (has(o, "QS"))
        p.mem_size = log_size(has(o, "Q") ? w[0] : w[2]);
    for (uint8_t i = 0; i < 5; i++)
        if (strstr(o->effect, space[i]))
            p.space = i;
    return p;
}

int main(int argc, char **argv)
{
    long words = argc > 1 ? atol(argv[1]) : 1000000, legal = 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1, s = seed;
    for (long i = 0; i < words; i++) {
        bool stack = i & 1;
        struct hd_word w = word_any(&s, stack);
        if (i % 16 < 2)
            stack = !stack;
        struct hd_insn in;
        struct decode_ports rtl, c = { 0 };
        decode_rtl(w.w, stack, &rtl);
        if (hd_decode(&w, stack, &in))
            c = expected(&in), legal++;
        else if (!rtl.legal)
            continue;
        if (!memcmp(&rtl, &c, sizeof c))
            continue;
        printf("decode: seed %llu, word %ld: %08x %08x %08x %08x, stack %d\n",
               (unsigned long long)seed, i, w.w[0], w.w[1], w.w[2], w.w[3], stack);
#define PORT(name) if (rtl.name != c.name) printf("  " #name ": RTL %d, C %d\n", rtl.name, c.name);
        DECODE_PORTS
        return 1;
    }
    printf("decode: equal; %ld words, %ld legal, seed %llu\n", words, legal,
           (unsigned long long)seed);
    return legal > words / 8 && legal < words * 7 / 8 ? 0 : 1;  /* or it was vacuous */
}
