/* How a difference of two streams is reported.  SPDX-License-Identifier: Apache-2.0 */
#include "stream/difference.h"

/* Writes both values of a member where they differ; false: they do not. */
static bool member_differs(const struct hs_event *a, const struct hs_event *b, unsigned m,
                           char text[160], const char *const name[2])
{
    const uint64_t mask = a->mask & b->mask;
    const enum hs_form form = hs_form_of(m);
    if (m == HS_M_cycle || m == HS_M_warp || m == HS_M_n || form == HS_WORDS || form == HS_SET ||
        form == HS_TEXT)
        return false;
    if (form == HS_LANE) {
        const uint64_t *x = hs_lanes_of(a, m), *y = hs_lanes_of(b, m);
        for (unsigned l = 0; l < HS_LANES; l++)
            if ((mask >> l & 1) && x[l] != y[l] && !hs_left_out(a, m))
                return snprintf(text, 160, "%s of lane %u: %llx in %.40s, %llx in %.40s",
                                hs_member_name(m), l, (unsigned long long)x[l], name[0],
                                (unsigned long long)y[l], name[1]),
                       true;
        return false;
    }
    const unsigned long long x = hs_load(a, m), y = hs_load(b, m);
    if (x == y)
        return false;
    if (form == HS_MASK)
        snprintf(text, 160, "%s: lane %d is in %.40s alone", hs_member_name(m),
                 __builtin_ctzll(x ^ y), name[y >> __builtin_ctzll(x ^ y) & 1]);
    else
        snprintf(text, 160,
                 form == HS_DEC ? "%s: %llu in %.40s, %llu in %.40s"
                                : "%s: %llx in %.40s, %llx in %.40s",
                 hs_member_name(m), x, name[0], y, name[1]);
    return true;
}

void hs_say_difference(const struct hs_header *h, const struct hs_event *a,
                       const struct hs_event *b, const char *const name[2], FILE *out)
{
    const struct hs_event *both[2] = { a, b };
    char text[160];
    for (const uint8_t *f = hs_fields(a && b ? a->kind : 0); *f != HS_MEMBER_COUNT; f++)
        if (member_differs(a, b, *f, text, name)) {
            fprintf(out, "    %s\n", text);
            break;
        }
    for (int k = 0; k < 2; k++) {
        fprintf(out, "    %s: ", name[k]);
        if (both[k])
            hs_print(h, both[k], out);
        else
            fprintf(out, "nothing\n");
    }
}
