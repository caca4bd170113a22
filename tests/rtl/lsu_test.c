/* Random test of the LSU against lsu_ref.c: `lsu_test LANES COUNT SEED`, or `lsu_test LANES times`.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An epoch is 64 instructions with one configuration (ranges, sizes, latency, back-pressure, how
 * many are in flight).  When an instruction ends, its results, fault, record and all of physical
 * memory must equal the reference, whatever younger ones do; shared memory is read back at
 * the end of an epoch by loads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lsu_axi.h"
#include "lsu_ref.h"

enum { EPOCH = 64, LIMIT = 100000, SLOTS = 16,
       CONST_AT = 0x20000, LOCAL_AT = 0x24000, HIGH_AT = 0x3e000 };

struct bench {
    struct lsu *lsu;
    unsigned lanes, beats;
    uint64_t seed;
    struct lsu_in in;
    struct lsu_out out;
    struct axi axi;
    struct ref_config k;
    struct ref_op next, op;                 /* the one that is sent; the oldest in flight */
    struct ref_op flight[SLOTS];
    unsigned sent, ended, most;             /* how many; at most so many are in flight */
    uint64_t overlaps;                      /* of those that ended beside others */
    bool hot;                               /* loads and stores meet in a few sectors */
    bool halted, bus;                       /* one has faulted, by a bus error */
    uint64_t wrote;                         /* sectors, by what the LSU says */
    uint64_t early;                         /* stores that may have been met in memory so */
    uint64_t early_shared;                  /* how often that was seen in shared memory */
    bool adopts;                            /* shared memory is read to be taken over */
    struct ref_result want;
    uint8_t *mem, *shared;                  /* the reference's */
    uint64_t cycles, count, faults[HD_FAULT_COUNT], kinds[3];
    unsigned gap, hold;               /* percent of cycles without a beat, with results not taken */
    uint32_t val[4][32], val_m[4];          /* results seen */
};

static uint64_t rnd(struct bench *t)
{
    return axi_random(&t->seed);
}

static unsigned below(struct bench *t, unsigned n)
{
    return (unsigned)(rnd(t) % n);
}

static void fail(struct bench *t, const char *what, unsigned lane, uint64_t got, uint64_t want)
{
    static const char *const kind[] = { "load", "store", "atomic" };
    printf("lsu: instruction %llu: %s: lane %u has %llx, wants %llx\n",
           (unsigned long long)t->count, what, lane, (unsigned long long)got,
           (unsigned long long)want);
    printf("  %s space %u sz %u aop %u aw %u rd %u off %d mask %08x warp %u block %u cycle %llu\n",
           kind[t->op.kind], t->op.space, t->op.sz, t->op.aop, t->op.aw, t->op.rd, t->op.off,
           t->op.mask, t->op.warp, t->op.block, (unsigned long long)t->cycles);
    for (unsigned l = 0; l < 32; l++)
        printf("  %2u: a %016llx b %016llx\n", l, (unsigned long long)t->op.a[l],
               (unsigned long long)t->op.b[0][l]);
    exit(1);
}

static void check(struct bench *t, const char *what, unsigned lane, uint64_t got, uint64_t want)
{
    if (got != want)
        fail(t, what, lane, got, want);
}

/* ---- one cycle ---------------------------------------------------------------------------- */
static void see_result(struct bench *t)
{
    const struct lsu_out *o = &t->out;
    unsigned reg = o->wb_pair_o * 2u - t->op.rd + (t->op.rd & 1);
    if (o->wb_warp_o != t->op.warp)
        fail(t, "warp of a result", 0, o->wb_warp_o, t->op.warp);
    for (unsigned l = 0; l < t->lanes; l++)
        for (unsigned h = 0; h < 2; h++)
            if (o->wb_mask_o >> l & 1 && o->wb_half_o >> h & 1) {
                unsigned w = reg + h - (t->op.rd & 1), lane = o->wb_beat_o * t->lanes + l;
                if (w > 3 || lane > 31)
                    fail(t, "register of a result", lane, w, 0);
                t->val[w][lane] = (uint32_t)(o->wb_data_o[l] >> 32 * h);
                t->val_m[w] |= 1u << lane;
            }
    check(t, "last beat", 0, o->wb_last_o, o->wb_beat_o == t->beats - 1);
}

static void end(struct bench *t);

static void cycle(struct bench *t)
{
    axi_choose(&t->axi, &t->in);
    t->in.wb_ready_i = below(t, 100) >= t->hold;
    t->in.done_ready_i = below(t, 100) >= t->hold;
    lsu_drive(t->lsu, &t->in);
    lsu_look(t->lsu, &t->out);
    axi_take(&t->axi, &t->in, &t->out);
    if (t->out.done_valid_o && t->in.done_ready_i)
        end(t);                          /* before results of the one after it */
    if (t->out.wb_valid_o && t->in.wb_ready_i)
        see_result(t);
    lsu_clock(t->lsu);
    t->cycles++;
    if (t->axi.error) {
        printf("lsu: AXI: %s\n", t->axi.error);
        fail(t, "protocol", 0, 0, 0);
    }
}

static void put_lanes(struct bench *t, unsigned beat, unsigned pass)
{
    for (unsigned l = 0; l < t->lanes; l++) {
        unsigned lane = beat * t->lanes + l;
        t->in.req_a_i[l] = t->next.a[lane];
        t->in.req_b_i[l] = t->next.b[pass][lane];
        t->in.req_c_i[l] = t->next.c[lane];
    }
    uint32_t mask = t->next.mask >> beat * t->lanes;
    t->in.req_mask_i = t->lanes < 32 ? mask & ((1u << t->lanes) - 1) : mask;
}

static void wait_until_ready(struct bench *t)
{
    for (unsigned n = 0; !t->halted && (!t->out.req_ready_o || t->sent - t->ended >= t->most);
         n++) {
        if (n > LIMIT)
            fail(t, "request not taken", 0, 0, 0);
        cycle(t);
    }
}

static void send(struct bench *t)
{
    const struct ref_op *op = &t->next;
    struct lsu_in *in = &t->in;
    t->flight[t->sent % SLOTS] = *op;
    if (t->sent++ == t->ended)
        t->op = *op;
    unsigned passes = op->kind == REF_STORE && op->sz == SZ_128 ? 2 : 1;
    in->req_load_i = op->kind == REF_LOAD;
    in->req_store_i = op->kind == REF_STORE;
    in->req_atom_i = op->kind == REF_ATOM;
    in->req_space_i = (uint8_t)op->space;
    in->req_sz_i = (uint8_t)op->sz;
    in->req_aop_i = (uint8_t)op->aop;
    in->req_aw_i = (uint8_t)op->aw;
    in->req_off_i = (uint32_t)op->off & 0xffffff;
    in->req_rd_i = (uint8_t)op->rd;
    in->req_warp_i = (uint8_t)op->warp;
    in->req_block_i = (uint8_t)op->block;
    for (unsigned i = 0; i < passes * t->beats; i++) {
        in->req_valid_i = 0;
        while (below(t, 100) < t->gap)
            cycle(t);
        in->req_valid_i = 1;
        in->req_first_i = i == 0;
        in->req_last_i = i == passes * t->beats - 1;
        in->req_pass_i = i >= t->beats;
        in->req_beat_i = (uint8_t)(i % t->beats);
        put_lanes(t, i % t->beats, i / t->beats);
        cycle(t);
    }
    in->req_valid_i = 0;
}

/* Whether it is a store that may act before those before it have ended. */
static bool acts_early(const struct ref_op *op, const struct ref_result *w)
{
    return op->kind == REF_STORE && !w->shared_m && !w->local_m &&
           (op->space == SPACE_GENERIC || op->space == SPACE_GLOBAL || !op->mask);
}

/* The same of one that has no lanes but in shared memory. */
static bool shares_early(const struct ref_op *op, const struct ref_result *w)
{
    return op->kind != REF_LOAD &&
           (!op->mask || op->space == SPACE_SHARED ||
            (op->space == SPACE_GENERIC && w->shared_m == op->mask));
}

/* Memory is as the reference's, but for bytes that lanes of stores in flight write which act early:
 * none of these comes after an instruction that acts late, or faults otherwise than by the bus. */
static void compare_memory(struct bench *t)
{
    static uint8_t then[REF_MEMORY], whole[REF_MEMORY], shared[REF_SHARED];
    static uint32_t at[REF_MEMORY];
    unsigned left = 0;
    if (!memcmp(t->mem, t->axi.mem, REF_MEMORY))
        return;
    for (uint32_t i = 0; i < REF_MEMORY; i++)
        if (t->mem[i] != t->axi.mem[i])
            at[left++] = i;
    memcpy(then, t->mem, REF_MEMORY);
    memcpy(shared, t->shared, REF_SHARED);
    for (unsigned n = t->ended + 1; left && n < t->sent; n++) {
        struct ref_op op = t->flight[n % SLOTS];
        struct ref_result w, lane;
        memcpy(whole, then, REF_MEMORY);
        ref_execute(&t->k, &op, whole, shared, &w);
        if (w.fault && w.fault != HD_FAULT_BUS)
            break;
        if (shares_early(&op, &w))
            continue;
        if (op.kind != REF_LOAD && !acts_early(&op, &w))
            break;
        const uint32_t mask = op.kind == REF_STORE ? op.mask : 0;
        for (unsigned l = 0; l < 32; l++) {
            if (!(op.mask = mask & 1u << l))
                continue;
            ref_execute(&t->k, &op, then, shared, &lane);
            unsigned kept = 0;
            for (unsigned i = 0; i < left; i++)
                if (then[at[i]] != t->axi.mem[at[i]])
                    at[kept++] = at[i];
            left = kept;
        }
        t->early++;
    }
    if (left)
        fail(t, "physical memory", at[0], t->axi.mem[at[0]], t->mem[at[0]]);
}

static void compare(struct bench *t)
{
    const struct ref_result *w = &t->want;
    const struct lsu_out *o = &t->out;
    check(t, "fault", 0, o->done_fault_o, w->fault);
    check(t, "lanes that faulted", 0, o->done_fault_m_o, w->fault_m);
    check(t, "address that faulted", 0, o->done_fault_addr_o, w->fault_addr);
    check(t, "warp", 0, o->done_warp_o, t->op.warp);
    check(t, "warp of its slot", 0, o->slot_warp_o, t->op.warp);
    bool silent = w->fault || t->op.rd == 255;
    for (unsigned k = 0; k < 4; k++) {
        check(t, "lanes with a result", k, t->val_m[k], silent || k >= w->words ? 0 : t->op.mask);
        for (unsigned l = 0; l < 32; l++)
            if (t->val_m[k] >> l & 1)
                check(t, "result", l, t->val[k][l], w->val[k][l]);
    }
    compare_memory(t);
    if (t->sent - t->ended == 1)
        check(t, "answers left", 0, axi_idle(&t->axi), 1);
    if (w->fault)
        return;
    check(t, "dbg_space", 0, o->dbg_space_o, w->space);
    check(t, "dbg_shared_m", 0, o->dbg_shared_m_o, w->shared_m);
    check(t, "dbg_local_m", 0, o->dbg_local_m_o, w->local_m);
    for (unsigned l = 0; l < 32; l++) {
        check(t, "dbg_addr", l, o->dbg_addr_o[l], w->addr[l]);
        for (unsigned k = 0; k < 4; k++)
            check(t, "dbg_wdata", l, o->dbg_wdata_o[k][l], w->wdata[k][l]);
    }
}

/* The oldest has ended; what the reference does then, it does in this order. */
static void end(struct bench *t)
{
    if (t->sent == t->ended || t->halted)
        fail(t, "an end too many", 0, t->sent, t->ended);
    t->overlaps += t->sent - t->ended > 1;
    if (t->adopts)
        for (unsigned l = 0; l < 32; l++)
            for (unsigned k = 0; k < 4; k++)
                memcpy(t->shared + t->op.a[l] + 4 * k, &t->val[k][l], 4);
    ref_execute(&t->k, &t->op, t->mem, t->shared, &t->want);
    compare(t);
    memset(t->val, 0, sizeof t->val);
    memset(t->val_m, 0, sizeof t->val_m);
    t->faults[t->want.fault]++;
    t->kinds[t->op.kind]++;
    t->count++;
    t->wrote += t->out.dbg_writes_o;
    t->halted = t->want.fault;
    t->bus = t->want.fault == HD_FAULT_BUS;
    if (++t->ended != t->sent)
        t->op = t->flight[t->ended % SLOTS];
}

static void sweep_shared(struct bench *t);

/* A grid starts, maybe with another configuration. */
static void begin(struct bench *t)
{
    t->in.clear_i = 1;
    cycle(t);
    t->in.clear_i = 0;
    cycle(t);
}

/* What shared memory may be after a bus error: as many of the instructions after it have acted as
 * may act early, in order. */
static uint8_t state[SLOTS + 1][REF_SHARED];
static unsigned shared_states(struct bench *t)
{
    static uint8_t mem[REF_MEMORY];
    unsigned states = 1;
    memcpy(mem, t->mem, REF_MEMORY);
    memcpy(state[0], t->shared, REF_SHARED);
    for (unsigned n = t->ended + 1; n < t->sent; n++) {
        struct ref_op op = t->flight[n % SLOTS];
        struct ref_result w;
        memcpy(state[states], state[states - 1], REF_SHARED);
        ref_execute(&t->k, &op, mem, state[states], &w);
        if (w.fault && w.fault != HD_FAULT_BUS)
            break;
        if (shares_early(&op, &w))
            states++;
        else if (op.kind != REF_LOAD && !acts_early(&op, &w))
            break;
    }
    return states;
}

/* Reads shared memory, takes it over, and looks whether it is one of these. */
static void adopt_shared(struct bench *t, unsigned states)
{
    uint32_t size = t->k.shared_size;
    t->adopts = true;
    sweep_shared(t);
    t->adopts = false;
    t->k.shared_size = t->in.cfg_shared_size_i = size;
    for (unsigned i = 0; i < states; i++)
        if (!memcmp(state[i], t->shared, REF_SHARED)) {
            t->early_shared += i > 0;
            return;
        }
    fail(t, "shared memory after a bus error", 0, 0, 0);
}

/* Until nothing is in flight; a fault drops all younger ones. */
static void drain(struct bench *t)
{
    for (unsigned n = 0; !t->halted && t->sent != t->ended; n++) {
        if (n > LIMIT)
            fail(t, "no end", 0, 0, 0);
        cycle(t);
    }
    if (!t->halted)
        check(t, "sectors written", 0, t->wrote, t->axi.writes);
    if (!t->halted)
        return;
    do {
        cycle(t);
        check(t, "ready after a fault", 0, t->out.req_ready_o, 0);
    } while (t->out.busy_o);
    t->ended--;                                        /* the one that has faulted */
    compare_memory(t);
    unsigned states = t->bus ? shared_states(t) : 0;
    if (t->bus)
        memcpy(t->mem, t->axi.mem, REF_MEMORY);
    else
        check(t, "memory after a fault", 0, memcmp(t->mem, t->axi.mem, REF_MEMORY) != 0, 0);
    check(t, "answers left", 0, axi_idle(&t->axi), 1);
    t->wrote = t->axi.writes;
    begin(t);
    t->halted = false;
    t->ended = t->sent;
    if (states > 1)
        adopt_shared(t, states);
}

/* Sends t->next as soon as it may be. */
static void step(struct bench *t)
{
    wait_until_ready(t);
    if (!t->halted)
        send(t);
    if (t->halted)
        drain(t);
}

/* ---- random configurations and instructions -------------------------------------------------- */
/* In one configuration of two: a few sectors, in places that are used, answer with errors. */
static void configure_bus(struct bench *t)
{
    struct ref_config *k = &t->k;
    bool any = below(t, 2);
    for (unsigned i = 0; i < REF_AREAS; i++) {
        unsigned r = below(t, 20);
        uint64_t at = r < 16   ? k->base[r] + below(t, (unsigned)(k->limit[r] - k->base[r] + 1))
                      : r < 18 ? k->const_base + below(t, 512)
                               : k->local_base + below(t, 32 * 32 * 64);
        k->bad[i].first = at / 32;
        k->bad[i].last = at / 32 + below(t, 3);
        k->bad[i].ways = any ? below(t, 4) : 0;
        t->axi.area[i] = (struct axi_area){ k->bad[i].first, k->bad[i].last, k->bad[i].ways,
                                            2 + below(t, 2) };
    }
    t->axi.order = below(t, 3);
}

static void configure(struct bench *t)
{
    static const unsigned locals[] = { 0, 16, 32, 64 };
    struct ref_config *k = &t->k;
    memset(k, 0, sizeof *k);
    k->const_base = CONST_AT + below(t, 4) * 64;
    k->const_size = below(t, 4) ? below(t, 2048) : 0;
    k->local_base = LOCAL_AT;
    k->local_size = locals[below(t, 4)];
    k->shared_size = below(t, 17) * 128;
    k->slots = k->shared_size ? REF_SHARED / k->shared_size : 32;
    k->slots = k->slots > 32 ? 32 : k->slots;
    k->nranges = below(t, 17);
    t->axi.upper = below(t, 2) ? 3 + below(t, 253) : 0;    /* 1, 2: generic ones are others */
    uint64_t at = 64;
    for (unsigned r = 0; r < 16; r++) {    /* also ranges not in use hold something */
        uint32_t fine = below(t, 2) ? 1 : below(t, 2) ? 4 : 32;
        k->base[r] = at;
        k->limit[r] = at + below(t, 600) / fine * fine;
        k->write[r] = below(t, 4) != 0;
        at = k->limit[r] + (below(t, 3) ? below(t, 300) / fine * fine : 0);     /* some adjoin */
        if (below(t, 8) == 0) {                 /* some overlap the one before */
            at = k->base[r] + (k->limit[r] - k->base[r]) / 2;
        }
        if (below(t, 16) == 0) {
            k->base[r] = t->axi.upper << 32 | (0xffffffff - 0xfff / (1 + below(t, 4)));
            k->limit[r] = t->axi.upper << 32 | (0xffffffff - below(t, 2) * below(t, 64));
        }
    }
    t->hot = below(t, 3) == 0;
    if (t->hot) {
        k->nranges = 1;
        k->base[0] = 64;
        k->limit[0] = 64 + 31 + below(t, 256);
        k->write[0] = true;
    }
    struct lsu_in *in = &t->in;
    in->cfg_const_base_i = k->const_base;
    in->cfg_const_size_i = k->const_size;
    in->cfg_local_base_i = k->local_base;
    in->cfg_local_size_i = k->local_size;
    in->cfg_shared_size_i = k->shared_size;
    in->cfg_nranges_i = (uint8_t)k->nranges;
    in->cfg_range_write_i = 0;
    for (unsigned r = 0; r < 16; r++) {
        in->cfg_range_base_i[r] = k->base[r];
        in->cfg_range_limit_i[r] = k->limit[r];
        in->cfg_range_write_i |= (uint16_t)(k->write[r] << r);
    }
    configure_bus(t);
    t->axi.latency = below(t, 2) ? below(t, 4) : below(t, 30);
    t->axi.jitter = below(t, 2) ? 0 : below(t, 20);
    t->axi.stall = below(t, 2) ? 0 : below(t, 90);
    t->gap = below(t, 2) ? 0 : below(t, 60);
    t->hold = below(t, 2) ? 0 : below(t, 80);
    t->most = below(t, 2) ? SLOTS : 1 + below(t, SLOTS);
    begin(t);
}

/* Where one space may be touched: picks [*base, *base + *bytes). */
static void window(struct bench *t, unsigned space, uint64_t *base, uint32_t *bytes)
{
    const struct ref_config *k = &t->k;
    unsigned r = k->nranges ? below(t, k->nranges) : 0;
    *base = space == SPACE_GLOBAL ? k->base[r] : 0;
    *bytes = space == SPACE_SHARED ? k->shared_size : space == SPACE_LOCAL ? k->local_size
           : space == SPACE_CONST ? k->const_size : (uint32_t)(k->limit[r] - k->base[r]);
}

/* Addresses of all lanes in one of a few patterns, nearly always inside the window. */
static void addresses(struct bench *t, unsigned space, uint64_t *addr)
{
    uint64_t base;
    uint32_t bytes, size = ref_size(&t->next), strict = below(t, 6);
    window(t, space, &base, &bytes);
    const uint64_t first = (base + size - 1) / size;
    uint32_t items = bytes / size, stride = 1, narrow;
    if (base % size && items)
        items--;
    unsigned pattern = below(t, 7);
    if (pattern == 1)
        stride = 1 + below(t, 40);
    narrow = pattern == 4 ? 1 + below(t, 4) : pattern == 5 ? 1 + below(t, 64) : items;
    uint32_t from = items ? below(t, items) : 0;
    for (unsigned l = 0; l < 32; l++) {
        uint32_t i = pattern == 0   ? from
                     : pattern <= 2 ? from + l * stride
                     : pattern == 3 ? from + 31 - l
                     : pattern == 6 ? from ^ (l * 33)
                                    : from + below(t, narrow ? narrow : 1);
        if (items && strict)
            i %= items;
        addr[l] = (first + i) * size;
        if (below(t, 4000) == 0)
            addr[l] ^= UINT64_C(1) << below(t, space == SPACE_GLOBAL ? 40 : 32);
        if (below(t, 2000) == 0)
            addr[l] ^= 1u << below(t, 4);
    }
}

static void instruction(struct bench *t)
{
    static const unsigned loads[] = { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST,
                                      SPACE_GENERIC };
    static const unsigned others[] = { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_GENERIC };
    struct ref_op *op = &t->next;
    memset(op, 0, sizeof *op);
    const bool meets = t->hot && below(t, 8);
    op->kind = meets ? below(t, 2) ? REF_LOAD : REF_STORE : below(t, 3);
    op->space = meets ? SPACE_GLOBAL
              : op->kind == REF_LOAD ? loads[below(t, 5)]
                                     : others[below(t, 4)];
    if (op->kind == REF_ATOM && op->space == SPACE_LOCAL)
        op->space = SPACE_GLOBAL;
    op->sz = below(t, 7);
    op->aop = below(t, 12);
    op->aw = below(t, 2);
    unsigned size = ref_size(op);
    op->rd = below(t, 8) ? below(t, 254) / (size < 4 ? 1 : size / 4) * (size < 4 ? 1 : size / 4)
                         : 255;
    op->warp = below(t, 32);
    op->block = below(t, t->k.slots);
    op->off = below(t, 3) ? 0 : (int32_t)(below(t, 1 << 24)) - (1 << 23);
    op->mask = meets         ? below(t, 2) ? ~0u : 1u << below(t, 32) | 1u << below(t, 32)
               : below(t, 3) ? ~0u
               : below(t, 4) ? (uint32_t)rnd(t)
               : below(t, 2) ? 1u << below(t, 32)
                             : 0;
    uint64_t global[32], shared[32], local[32], constant[32];
    addresses(t, SPACE_GLOBAL, global);
    addresses(t, SPACE_SHARED, shared);
    addresses(t, SPACE_LOCAL, local);
    addresses(t, SPACE_CONST, constant);
    unsigned mixed = below(t, 4), same = below(t, op->kind == REF_ATOM ? 2 : 3);
    uint64_t small = below(t, 3);
    for (unsigned l = 0; l < 32; l++) {
        unsigned space = op->space;
        if (space == SPACE_GENERIC)
            space = mixed ? same : below(t, op->kind == REF_ATOM && below(t, 64) ? 2 : 3);
        uint64_t a = space == SPACE_GLOBAL ? global[l] : space == SPACE_SHARED ? shared[l]
                   : space == SPACE_LOCAL ? local[l] : constant[l];
        if (op->space == SPACE_GENERIC && space != SPACE_GLOBAL)
            a |= (uint64_t)space << 32;
        if (below(t, 5000) == 0)
            a ^= UINT64_C(1) << below(t, 64);
        a -= (uint64_t)(int64_t)op->off;
        if (op->space != SPACE_GENERIC && op->space != SPACE_GLOBAL)
            a = (uint32_t)a | (below(t, 2) ? rnd(t) << 32 : 0);
        op->a[l] = a;
        op->b[0][l] = small ? below(t, 4) : rnd(t) << 16 ^ rnd(t);
        op->b[1][l] = rnd(t) << 16 ^ rnd(t);
        op->c[l] = small ? below(t, 4) : rnd(t) << 16 ^ rnd(t);
    }
}

/* Reads all of shared memory as one block's. */
static void sweep_shared(struct bench *t)
{
    t->k.shared_size = t->in.cfg_shared_size_i = REF_SHARED;
    for (unsigned at = 0; at < REF_SHARED; at += 512) {
        t->next = (struct ref_op){
            .kind = REF_LOAD, .space = SPACE_SHARED, .sz = SZ_128, .mask = ~0u
        };
        for (unsigned l = 0; l < 32; l++)
            t->next.a[l] = at + 16 * l;
        step(t);
    }
    drain(t);
}

/* ---- times of typical accesses --------------------------------------------------------------- */
static void time_one(struct bench *t, const char *what, struct ref_op op, uint32_t base,
                     uint32_t stride)
{
    t->next = op;
    t->next.mask = ~0u;
    for (unsigned l = 0; l < 32; l++)
        t->next.a[l] = base + l * stride;
    wait_until_ready(t);
    uint64_t reads = t->axi.reads, writes = t->axi.writes, cycles = t->cycles;
    send(t);
    drain(t);
    cycles = t->cycles - cycles;
    cycle(t);
    printf("  %-42s %4llu cycles, %2llu reads, %2llu writes\n", what, (unsigned long long)cycles,
           (unsigned long long)(t->axi.reads - reads),
           (unsigned long long)(t->axi.writes - writes));
}

static void times(struct bench *t)
{
    configure(t);
    t->axi.jitter = t->axi.stall = t->gap = t->hold = 0;
    t->most = SLOTS;
    t->axi.order = AXI_ANY;
    memset(t->axi.area, 0, sizeof t->axi.area);
    memset(t->k.bad, 0, sizeof t->k.bad);
    t->axi.latency = 20;
    t->k.nranges = t->in.cfg_nranges_i = 1;
    t->k.base[0] = t->in.cfg_range_base_i[0] = 4096;
    t->k.limit[0] = t->in.cfg_range_limit_i[0] = 16384;
    t->k.write[0] = true;
    t->in.cfg_range_write_i = 1;
    t->k.shared_size = t->in.cfg_shared_size_i = 8192;
    t->k.local_size = t->in.cfg_local_size_i = 64;
    t->k.const_size = t->in.cfg_const_size_i = 1024;
    begin(t);
    const struct ref_op load = { .kind = REF_LOAD, .sz = SZ_32 },
                        store = { .kind = REF_STORE, .sz = SZ_32 }, atom = { .kind = REF_ATOM };
    struct ref_op op = load;
    printf("LANES %u, memory latency 20, one warp instruction from its first beat to its end:\n",
           t->lanes);
    time_one(t, "LDG, coalesced", op, 4096, 4);
    time_one(t, "LDG, one address", op, 4096, 0);
    time_one(t, "LDG, 32 sectors", op, 4096, 128);
    op.sz = SZ_128;
    time_one(t, "LDG.128, coalesced", op, 4096, 16);
    op = load;
    op.space = SPACE_LOCAL;
    time_one(t, "LDL", op, 0, 0);
    op.space = SPACE_CONST;
    time_one(t, "LDC, one address", op, 0, 0);
    op.space = SPACE_SHARED;
    time_one(t, "LDS, no conflict", op, 0, 4);
    time_one(t, "LDS, one column of a 33-word pitch", op, 0, 132);
    time_one(t, "LDS, two lanes a bank", op, 0, 8);
    time_one(t, "LDS, one bank", op, 0, 128);
    op.sz = SZ_128;
    time_one(t, "LDS.128, consecutive", op, 0, 16);
    op = store;
    time_one(t, "STG, coalesced", op, 4096, 4);
    time_one(t, "STG, 32 sectors", op, 4096, 128);
    op.space = SPACE_SHARED;
    time_one(t, "STS, no conflict", op, 0, 4);
    op = atom;
    time_one(t, "ATOMG, one address", op, 4096, 0);
    time_one(t, "ATOMG, consecutive words", op, 4096, 4);
    time_one(t, "ATOMG, 32 sectors", op, 4096, 128);
    op.space = SPACE_SHARED;
    time_one(t, "ATOMS, one address", op, 0, 0);
    time_one(t, "ATOMS, consecutive words", op, 0, 4);
}

static void start(struct bench *t)
{
    t->lsu = lsu_open();
    t->mem = calloc(1, REF_MEMORY);
    t->shared = calloc(1, REF_SHARED);
    t->axi.mem = calloc(1, REF_MEMORY);
    if (!t->mem || !t->shared || !t->axi.mem)
        exit(4);
    t->axi.size = REF_MEMORY;
    t->axi.seed = ~t->seed;
    for (unsigned i = 0; i < REF_MEMORY; i++)
        t->mem[i] = t->axi.mem[i] = (uint8_t)rnd(t);
    cycle(t);
    cycle(t);
    t->in.rst_n = 1;
    cycle(t);
}

/* Something of everything that the reference knows. */
static bool met_everything(const struct bench *t)
{
    return t->kinds[0] && t->kinds[1] && t->kinds[2] && t->faults[HD_FAULT_MISALIGNED] &&
           t->faults[HD_FAULT_RANGE] && t->faults[HD_FAULT_READONLY] && t->faults[HD_FAULT_SPACE];
}

static void finish(struct bench *t)
{
    lsu_close(t->lsu);
    free(t->mem);
    free(t->shared);
    free(t->axi.mem);
}

int main(int argc, char **argv)
{
    static struct bench t;
    t.lanes = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    if (!t.lanes || 32 % t.lanes || argc < 3) {
        fprintf(stderr, "usage: lsu_test LANES COUNT [SEED [SLOTS]] | lsu_test LANES times\n");
        return 2;
    }
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    bool one = argc > 4 && atoi(argv[4]) == 1;         /* nothing overlaps then */
    t.beats = 32 / t.lanes;
    t.seed = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    start(&t);
    if (!strcmp(argv[2], "times")) {
        times(&t);
    } else {
        printf("lsu: lanes %u, seed %llu\n", t.lanes, (unsigned long long)seed);
        while (t.count < count) {
            configure(&t);
            for (unsigned i = 0; i < EPOCH; i++) {
                instruction(&t);
                step(&t);
            }
            drain(&t);
            if (below(&t, 8) == 0)
                sweep_shared(&t);
        }
        printf(
            "lsu: lanes %u, seed %llu: %llu instructions equal (%llu loads, %llu stores, %llu "
            "atomics; "
            "faults: %llu misaligned, %llu range, %llu readonly, %llu space, %llu bus), %llu "
            "cycles\n",
            t.lanes, (unsigned long long)seed, (unsigned long long)t.count,
            (unsigned long long)t.kinds[0], (unsigned long long)t.kinds[1],
            (unsigned long long)t.kinds[2], (unsigned long long)t.faults[HD_FAULT_MISALIGNED],
            (unsigned long long)t.faults[HD_FAULT_RANGE],
            (unsigned long long)t.faults[HD_FAULT_READONLY],
            (unsigned long long)t.faults[HD_FAULT_SPACE],
            (unsigned long long)t.faults[HD_FAULT_BUS], (unsigned long long)t.cycles);
        if (count >= 10000 && (!t.faults[HD_FAULT_BUS] || !t.axi.errors)) {
            printf("lsu: no bus error was met\n");
            return 1;
        }
        if (count >= 10000 && !t.overlaps == !one) {
            printf("lsu: %s two instructions overlapped\n", one ? "of one slot," : "no");
            return 1;
        }
        if (count >= 10000 && !one && !t.early) {
            printf("lsu: no store acted early\n");
            return 1;
        }
        if (count >= 10000 && !one && !t.early_shared) {
            printf("lsu: nothing acted early in shared memory\n");
            return 1;
        }
        if (!t.count || (count >= 10000 && !met_everything(&t))) {
            printf("lsu: not every kind of instruction and fault was met\n");
            return 1;
        }
    }
    finish(&t);
    return 0;
}
