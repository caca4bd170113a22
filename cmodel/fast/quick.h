/* The commonest accesses to memory, quickly: words side by side, the same address in all lanes,
 * words anywhere in one range, and counters.
 * SPDX-License-Identifier: Apache-2.0
 *
 * False: it is none of these, or it could fault, or somebody watches: nothing has happened, and
 * mem_load, mem_store or mem_atom goes through all cases.  True: done and counted. */
#ifndef HD_QUICK_H
#define HD_QUICK_H
#include "cmodel/fast/inside.h"

bool quick_load(struct model *m, struct warp *w, const struct op *op, enum hd_space space,
                u32 exec);
bool quick_store(struct model *m, struct warp *w, const struct op *op, enum hd_space space,
                 u32 exec);
bool quick_atom(struct model *m, struct warp *w, const struct op *op, enum hd_space space,
                u32 exec);
/* The same for a region of translated code (native/region.h): global words, and quick_atom. */
bool quick_load_row(struct region_state *s, u32 to, u32 ra, s32 off);
bool quick_store_words(struct region_state *s, u32 from, u32 ra, s32 off, u32 exec);
bool quick_add(struct region_state *s, u32 index, u32 exec);
u32 quick_store_run(struct region_state *s, const struct region_store *list, u32 n, u32 ra,
                    u32 exec);
/* Where an access of a straight way may begin: in all of the range that it lies in. */
bool quick_reach(struct region_state *s, u32 access, u64 at, u32 bytes, bool write);

/* What instructions call: access_load and so on, which are mem_load in any case. */
#define X(kind) \
    static inline enum hd_fault access_##kind(struct model *m, struct warp *w, \
                                              const struct op *op, enum hd_space space, u32 exec, \
                                              struct hd_commit *rec) \
    { \
        return quick_##kind(m, w, op, space, exec) ? HD_FAULT_NONE \
                                                   : mem_##kind(m, w, op, space, exec, rec); \
    }
X(load)
X(store)
X(atom)
#undef X

static inline struct model *model_of(const struct region_state *s)
{
    return ((struct fast *)s->model)->m;
}
#endif
