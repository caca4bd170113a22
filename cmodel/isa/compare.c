/* Compares two commit records field by field.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Most records are equal byte for byte, so one memcmp settles them; only when it fails (a
 * difference, or padding) does the table decide.  Equal bytes imply equal fields, never the other
 * way round. */
#include "cmodel/isa/compare.h"
#include <string.h>

const struct commit_field commit_fields[] = {
#define FIELD(path, elements, form, part, valid, sentence) \
    { #path, offsetof(struct hd_commit, path), sizeof(((struct hd_commit *)0)->path) / (elements), \
      elements, \
      FIELD_##form, PART_##part, sentence },
#include "cmodel/isa/commit.def"
};
const char *const commit_part_names[COMMIT_PARTS] = {
    [PART_SCHEDULE] = "schedule",
    [PART_INSTRUCTION] = "instruction",
    [PART_LANES] = "lanes",
    [PART_REGISTERS] = "registers",
    [PART_PREDICATES] = "predicates",
    [PART_MEMORY] = "memory",
    [PART_CONVERGENCE] = "convergence",
    [PART_STACK] = "stack",
    [PART_CLOCKS] = "clocks",
    [PART_FAULTS] = "faults",
};
const unsigned commit_nfields = sizeof commit_fields / sizeof commit_fields[0];

uint64_t commit_get(const struct hd_commit *c, const struct commit_field *f, unsigned i)
{
    const char *p = (const char *)c + f->offset + (size_t)i * f->width;
    switch (f->width) {
    case 1: return *(const uint8_t *)p;
    case 2: return *(const uint16_t *)p;
    case 4: return *(const uint32_t *)p;
    default: return *(const uint64_t *)p;
    }
}

void commit_set(struct hd_commit *c, const struct commit_field *f, unsigned i, uint64_t v)
{
    memcpy((char *)c + f->offset + (size_t)i * f->width, &v, f->width);
}

const struct commit_field *commit_misfit(const struct hd_commit *c)
{
    const bool is_valid[] = {
#define FIELD(path, elements, form, part, valid, sentence) (valid) != 0,
#include "cmodel/isa/commit.def"
    };
    for (unsigned f = 0; f < commit_nfields; f++)
        for (unsigned i = 0; i < commit_fields[f].count && !is_valid[f]; i++)
            if (commit_get(c, &commit_fields[f], i))
                return &commit_fields[f];
    return NULL;
}

unsigned commit_part_fields(enum commit_part part)
{
    unsigned n = 0;
    for (const struct commit_field *f = commit_fields; f < commit_fields + commit_nfields; f++)
        n += f->part == part;
    return n;
}

static inline uint64_t held(const struct hd_commit *c, size_t offset, size_t width)
{
    return commit_get(c, &(struct commit_field){ .offset = offset, .width = width }, 0);
}

/* Of every record in lockstep: code without the table, and without a jump for each field. */
unsigned commit_parts(const struct hd_commit *c)
{
    uint64_t any[COMMIT_PARTS] = { 0 };
    unsigned m = 0;
#define FIELD(path, elements, form, part, valid, sentence) \
    if ((elements) == 1) \
        any[PART_##part] |= held(c, offsetof(struct hd_commit, path), sizeof c->path);
#include "cmodel/isa/commit.def"
    for (unsigned p = 0; p < COMMIT_PARTS; p++)
        m |= (unsigned)(any[p] != 0) << p;
    return m;
}

unsigned commit_differences(const struct hd_commit *rtl, const struct hd_commit *model,
                            struct difference *diff, unsigned max)
{
    unsigned n = 0;
    for (const struct commit_field *f = commit_fields; f < commit_fields + commit_nfields; f++) {
        const char *a = (const char *)rtl + f->offset, *b = (const char *)model + f->offset;
        if (!memcmp(a, b, (size_t)f->width * f->count))
            continue;
        for (unsigned i = 0; i < f->count; i++) {
            uint64_t r = commit_get(rtl, f, i), m = commit_get(model, f, i);
            if (r != m && n++ < max)
                diff[n - 1] = (struct difference){ f, i, r, m };
        }
    }
    return n;
}

bool commit_equal(const struct hd_commit *rtl, const struct hd_commit *model,
                  struct difference *diff)
{
    return !memcmp(rtl, model, sizeof *rtl) || commit_differences(rtl, model, diff, 1) == 0;
}
