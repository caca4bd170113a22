/* Counts of branches and loops, from commit records.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block is executed when the lowest of its instructions is: placement and register allocation put
 * others in front, but they belong to no block (map.c).  The rounds of a loop are counted per lane,
 * at its header, and end when the lane is seen in a block of the same function outside of the loop,
 * or when the warp's slot starts again.  A callee's blocks leave the loops of its callers open. */
#include "harness/cli/branches.h"
#include "cmodel/image/image.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* Rounds below 64 exactly, others to five leading bits. */
enum { EXACT = 64, FINE = 32, BUCKETS = EXACT + 26 * FINE };

struct branches {
    const struct cc_map *map;
    struct prof_blk **blocks;    /* by function */
    uint8_t *mark;               /* by instruction: begins a block, ends one in a branch */
    int *loop0, nloops;          /* of a function's first loop in the two below; all loops */
    uint64_t (*hist)[BUCKETS];
    uint32_t *rounds;            /* by warp slot, lane, loop: so far */
    int *in;                     /* by warp slot, lane, function: innermost loop, -1: none */
    struct prof_blk *last[LAUNCH_WARPS][HD_LANES];       /* block that the lane entered last */
};
enum { BEGINS = 1, BRANCHES = 2 };

static int bucket(uint32_t r)
{
    int top = r ? 31 - __builtin_clz(r) : 0;
    return r < EXACT ? (int)r : EXACT + (top - 6) * FINE + (int)(r >> (top - 5) & (FINE - 1));
}

static uint32_t bucket_rounds(int b)
{
    int top = 6 + (b - EXACT) / FINE;
    return b < EXACT ? (uint32_t)b
                     : (1u << top) + (uint32_t)((b - EXACT) % FINE) * (1u << (top - 5));
}

static void mark_code(struct branches *s, const struct hd_image *img)
{
    for (int f = 0; f < s->map->nfns; f++)
        for (int b = 0; b < s->map->fns[f].nblocks; b++) {
            int64_t first = -1, last = -1;
            for (uint32_t i = 0; i < s->map->npcs; i++) {
                struct hd_word w;
                struct hd_insn in;
                if (s->map->pcs[i].fn != f || s->map->pcs[i].blk != b) continue;
                memcpy(w.w, img->text + (size_t)i * HD_INSN_BYTES, sizeof w.w);
                if (first < 0) first = i;
                if (hd_decode(&w, img->stack_mode, &in) && (in.op == OP_BRA || in.op == OP_BRX))
                    last = i;
            }
            if (first >= 0) s->mark[first] |= BEGINS;
            if (last >= 0) s->mark[last] |= BRANCHES;
        }
}

struct branches *branches_new(const struct cc_map *map, const struct hd_image *img)
{
    struct branches *s = calloc(1, sizeof *s);
    size_t lanes = LAUNCH_WARPS * HD_LANES, fns = (size_t)map->nfns + 1;
    if (!s) return NULL;
    s->map = map;
    s->blocks = calloc(fns, sizeof *s->blocks);
    s->loop0 = calloc(fns, sizeof *s->loop0);
    for (int f = 0; s->blocks && s->loop0 && f < map->nfns; f++) {
        s->loop0[f] = s->nloops;
        s->nloops += map->fns[f].nloops;
        s->blocks[f] = calloc((size_t)map->fns[f].nblocks + 1, sizeof **s->blocks);
        if (!s->blocks[f]) s->nloops = -1;
        if (s->nloops < 0) break;
    }
    size_t loops = (size_t)(s->nloops < 0 ? 0 : s->nloops) + 1;
    s->mark = calloc(map->npcs + 1, 1);
    s->hist = calloc(loops, sizeof *s->hist);
    s->rounds = calloc(lanes * loops, sizeof *s->rounds);
    s->in = malloc(lanes * fns * sizeof *s->in);
    if (!s->blocks || !s->loop0 || s->nloops < 0 || !s->mark || !s->hist || !s->rounds || !s->in) {
        branches_free(s);
        return NULL;
    }
    for (size_t k = 0; k < lanes * fns; k++) s->in[k] = -1;
    mark_code(s, img);
    return s;
}

/* Does loop `outer` of the function contain loop `l` (-1: none)? */
static bool holds(const struct map_fn *f, int outer, int l)
{
    while (l >= 0 && l != outer) l = f->loops[l].parent;
    return l == outer;
}

/* The lane is in block b of function f (b -1: it has left). */
static void lane_at(struct branches *s, unsigned slot, unsigned lane, int f, int b)
{
    const struct map_fn *fn = &s->map->fns[f];
    size_t l = slot * HD_LANES + lane;
    int to = b < 0 ? -1 : fn->blocks[b].loop, *in = &s->in[l * (size_t)s->map->nfns + (size_t)f];
    uint32_t *rounds = s->rounds + l * (size_t)s->nloops + s->loop0[f];
    for (int x = *in; x >= 0 && (to < 0 || !holds(fn, x, to)); x = fn->loops[x].parent) {
        s->hist[s->loop0[f] + x][bucket(rounds[x])]++;
        rounds[x] = 0;
    }
    *in = to;
    if (to >= 0 && fn->loops[to].header == b) rounds[to]++;
}

static void count_branch(struct prof_blk *p, const struct hd_commit *c)
{
    uint32_t first = c->npc[__builtin_ctz(c->active)];
    bool split = false;
    for (uint32_t m = c->active; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        split |= c->npc[l] != first;
        p->taken += c->npc[l] != c->pc + HD_INSN_BYTES;
    }
    p->divergent += split;
}

void branches_add(struct branches *s, const struct hd_commit *c)
{
    uint32_t i = c->pc / HD_INSN_BYTES;
    if (i >= s->map->npcs || !c->active || c->fault) return;
    struct map_pc at = s->map->pcs[i];
    struct prof_blk **last = s->last[c->slot % LAUNCH_WARPS];
    if (at.blk < 0 && last[__builtin_ctz(c->active)]) last[__builtin_ctz(c->active)]->library++;
    if (!s->mark[i]) return;
    struct prof_blk *p = &s->blocks[at.fn][at.blk];
    if (s->mark[i] & BEGINS) {
        p->warps++;
        p->lanes += (uint64_t)__builtin_popcount(c->active);
        for (uint32_t m = c->active; m; m &= m - 1)
            lane_at(s, c->slot % LAUNCH_WARPS, (unsigned)__builtin_ctz(m), at.fn, at.blk),
                last[__builtin_ctz(m)] = p;
    }
    if (s->mark[i] & BRANCHES) count_branch(p, c);
}

static cJSON *number(cJSON *to, const char *name, uint64_t n)
{
    return cJSON_AddNumberToObject(to, name, (double)n);
}

static void add_blocks(const struct branches *s, int f, cJSON *list)
{
    for (int b = 0; b < s->map->fns[f].nblocks; b++) {
        const struct prof_blk *p = &s->blocks[f][b];
        cJSON *o = cJSON_CreateObject();
        number(o, "block", (uint64_t)b);
        number(o, "line", (uint64_t)s->map->fns[f].blocks[b].line);
        number(o, "warps", p->warps);
        number(o, "lanes", p->lanes);
        number(o, "divergent", p->divergent);
        number(o, "taken", p->taken);
        number(o, "library", p->library);
        cJSON_AddItemToArray(list, o);
    }
}

static void add_loops(const struct branches *s, int f, cJSON *list)
{
    for (int l = 0; l < s->map->fns[f].nloops; l++) {
        const uint64_t *hist = s->hist[s->loop0[f] + l];
        cJSON *o = cJSON_CreateObject(), *trips;
        number(o, "header", (uint64_t)s->map->fns[f].loops[l].header);
        trips = cJSON_AddArrayToObject(o, "trips");
        for (int k = 0; k < BUCKETS; k++)
            if (hist[k]) {
                const double pair[] = { bucket_rounds(k), (double)hist[k] };
                cJSON_AddItemToArray(trips, cJSON_CreateDoubleArray(pair, 2));
            }
        cJSON_AddItemToArray(list, o);
    }
}

char *branches_json(struct branches *s)
{
    cJSON *all = cJSON_CreateObject();
    number(all, "heddle_profile", 1);
    cJSON *fns = cJSON_AddArrayToObject(all, "functions");
    for (int f = 0; f < s->map->nfns; f++) {
        char shape[20];
        for (unsigned slot = 0; slot < LAUNCH_WARPS; slot++)
            for (unsigned l = 0; l < HD_LANES; l++) lane_at(s, slot, l, f, -1);
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", s->map->fns[f].name);
        snprintf(shape, sizeof shape, "%016llx", (unsigned long long)s->map->fns[f].shape);
        cJSON_AddStringToObject(o, "shape", shape);
        add_blocks(s, f, cJSON_AddArrayToObject(o, "blocks"));
        add_loops(s, f, cJSON_AddArrayToObject(o, "loops"));
        cJSON_AddItemToArray(fns, o);
    }
    char *text = cJSON_Print(all);
    cJSON_Delete(all);
    return text;
}

void branches_free(struct branches *s)
{
    for (int f = 0; s && s->blocks && f < s->map->nfns; f++) free(s->blocks[f]);
    if (!s) return;
    free(s->blocks);
    free(s->mark);
    free(s->loop0);
    free(s->hist);
    free(s->rounds);
    free(s->in);
    free(s);
}
