/* Distinct vectors of block counts: a hash table over their texts.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fast/bbv_run.h"
#include "cmodel/base/spill.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1024, FIRST_ROOM = 1 << 16 };

/* Eight bytes at a time: a product's high bits go into its low ones. */
static uint64_t hash(const uint8_t *text, size_t size)
{
    uint64_t h = size * 0x9e3779b97f4a7c15ull, word = 0;
    for (; size >= 8; text += 8, size -= 8) {
        memcpy(&word, text, 8);
        h = (h ^ word) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 32;
    }
    word = 0;
    memcpy(&word, text, size);
    h = (h ^ word) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 32;
}

static bool equal(const struct bbv_set *s, uint32_t v, const uint8_t *text, size_t size)
{
    return s->at[v + 1] - s->at[v] == size && !memcmp(s->text + s->at[v], text, size);
}

/* Twice the slots, or the first ones. */
static bool more_slots(struct bbv_set *s)
{
    uint32_t slots = s->slots ? 2 * s->slots : FIRST_SLOTS;
    uint32_t *slot = spill_alloc(s->within, slots * sizeof *slot);
    size_t *at = spill_grow(s->within, s->at, s->at ? ((size_t)s->n + 1) * sizeof *at : 0,
                            ((size_t)slots / 2 + 1) * sizeof *at);
    if (at)
        s->at = at;
    if (!slot || !at) {
        spill_free(s->within, slot);
        return false;
    }
    if (!s->n)
        at[0] = 0;
    for (uint32_t v = 0; v < s->n; v++) {
        uint64_t k = hash(s->text + at[v], at[v + 1] - at[v]);
        while (slot[k & (slots - 1)])
            k++;
        slot[k & (slots - 1)] = v + 1;
    }
    spill_free(s->within, s->slot);
    s->slot = slot;
    s->slots = slots;
    return true;
}

static bool more_room(struct bbv_set *s, size_t size)
{
    size_t room = s->room ? s->room : FIRST_ROOM;
    while (room - s->used < size)
        room *= 2;
    uint8_t *text = room == s->room ? s->text : spill_grow(s->within, s->text, s->used, room);
    if (!text)
        return false;
    s->text = text;
    s->room = room;
    return true;
}

uint32_t bbv_set_add(struct bbv_set *s, const uint8_t *text, size_t size)
{
    if (s->n >= s->slots / 2 && !more_slots(s))
        return UINT32_MAX;
    uint64_t k = hash(text, size);
    for (uint32_t v; (v = s->slot[k & (s->slots - 1)]); k++)
        if (equal(s, v - 1, text, size))
            return v - 1;
    if (!more_room(s, size))
        return UINT32_MAX;
    memcpy(s->text + s->used, text, size);
    s->used += size;
    s->slot[k & (s->slots - 1)] = ++s->n;
    s->at[s->n] = s->used;
    return s->n - 1;
}

void bbv_set_free(struct bbv_set *s)
{
    spill_free(s->within, s->text);
    spill_free(s->within, s->at);
    spill_free(s->within, s->slot);
    *s = (struct bbv_set){ .within = s->within };
}
