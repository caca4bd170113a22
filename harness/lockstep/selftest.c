/* The checker checks itself: each field of a commit record is corrupted once and must be
 * noticed.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What has to be noticed is not read from the table that decides it, or a row that is missing
 * there would go unseen: every byte of struct hd_commit that is not padding is changed (the
 * compiler knows which are), and the comparison must say so and name the field that holds it.
 * It takes a few milliseconds, so that every lockstep run begins with it. */
#include "harness/lockstep/selftest.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct commit_field *field_at(size_t byte)
{
    for (const struct commit_field *f = commit_fields; f < commit_fields + commit_nfields; f++)
        if (byte >= f->offset && byte < f->offset + (size_t)f->width * f->count)
            return f;
    return NULL;
}

/* The difference names the field, the element and both values. */
static bool named(const struct difference *d, const struct hd_commit *good,
                  const struct hd_commit *bad, size_t byte)
{
    const struct commit_field *f = field_at(byte);
    unsigned element = f ? (unsigned)((byte - f->offset) / f->width) : 0;
    return f && d->field == f && d->lane == element && d->rtl == commit_get(bad, f, element) &&
           d->model == commit_get(good, f, element);
}

/* Fields full of different values: a field of zeros would hide a comparison of the wrong bytes. */
static void fill(struct hd_commit *c)
{
    uint8_t *p = (uint8_t *)c;
    uint32_t r = 1;
    for (size_t i = 0; i < sizeof *c; i++)
        p[i] = (uint8_t)((r = r * 1664525 + 1013904223) >> 24);
}

bool checker_selftest(commit_compare_fn *equal, char *why, size_t why_size)
{
    struct hd_commit good, bad;
    struct difference d;
    bool is_data[sizeof good] = { false };                   /* not what lies between members */
#define MEMBER(type, name, dimensions) \
    memset(is_data + offsetof(struct hd_commit, name), true, sizeof good.name);
#include "cmodel/isa/commit.def"
    fill(&good);
    bad = good;
    if (!equal(&bad, &good, &d)) {
        snprintf(why, why_size, "checker self-test failed: two equal records differ");
        return false;
    }
    for (size_t i = 0; i < sizeof good; i++) {
        uint8_t *p = (uint8_t *)&bad + i, bit = (uint8_t)(1u << i % 8);
        if (!is_data[i])
            continue;
        *p ^= bit;
        d.field = NULL;
        bool noticed = !equal(&bad, &good, &d) && named(&d, &good, &bad, i);
        *p ^= bit;
        if (noticed)
            continue;
        const struct commit_field *f = field_at(i);
        if (f)
            snprintf(why, why_size, "checker self-test failed: field %s", f->name);
        else
            snprintf(why, why_size, "checker self-test failed: field at byte %zu of the record is "
                     "in no row of the table", i);
        return false;
    }
    return true;
}
