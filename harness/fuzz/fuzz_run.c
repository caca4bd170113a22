/* Runs one case: RTL, model and the third leg; says in a few words how that ended.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One device serves many cases: it is reset for each, which costs microseconds instead of the
 * milliseconds of opening one. */
#include "harness/fuzz/pairs.h"
#include "harness/process/stop.h"
#include <string.h>

const char fuzz_meaning[] = "meaning", fuzz_refused[] = "refused", fuzz_native[] = "native";
/* Cycles at LANES=32 and up to 256 threads, far beyond what a kernel that ends takes; a memory
 * instruction takes a cycle a lane where LANES is small.  Wild kernels seldom end. */
enum { CYCLES = 2000000, WILD_CYCLES = 3000 };

bool fuzz_machine_open(struct fuzz_machine *m, const struct fuzz_case *c)
{
    struct hd_config cfg = { .kind = m->on == FUZZ_MODEL ? HD_MODEL : HD_LOCKSTEP,
                             .core = m->core,
                             .board = m->on == FUZZ_MODEL ? NULL : m->board,
                             .lanes = c->lanes,
                             .cores = m->on == FUZZ_MODEL ? 1 : c->cores,
                             .stack_depth = c->stack_depth,
                             .x_seed = m->x_seed,
                             .four_state = m->four_state,
                             .wave = m->wave,
                             .wave_from = m->wave_from,
                             .wave_to = m->wave_to };
    if (m->dev && m->lanes == c->lanes && m->stack_depth == c->stack_depth &&
        m->cores == c->cores)
        return true;
    fuzz_machine_close(m);
    m->lanes = c->lanes;
    m->stack_depth = c->stack_depth;
    m->cores = c->cores;
    const enum hd_status s = hd_open(&cfg, &m->dev);
    if (s == HD_OK)
        return true;
    m->no_core = s == HD_NO_CORE;
    fprintf(stderr, "heddle fuzz: %s\n", hd_device_error(m->dev));
    fuzz_machine_close(m);
    return false;
}

void fuzz_machine_close(struct fuzz_machine *m)
{
    hd_close(m->dev);
    hd_close(m->twin[0]);
    hd_close(m->twin[1]);
    m->dev = m->twin[0] = m->twin[1] = NULL;
}

/* A few sectors answer with errors: of what the kernel runs, reads and writes. */
static bool set_up_bus(hd_device *d, const struct fuzz_case *c, const uint64_t *params)
{
    const struct { uint64_t addr; uint32_t bytes; } places[] = { { LAUNCH_CODE, c->img->text_size },
                   { LAUNCH_CONST, 32 },
                   { LAUNCH_LOCAL, 8192 },
                   { LAUNCH_SPILL, 256 },
                   { LAUNCH_SPILL, 64 },
                   { params[0], FUZZ_IN },
                   { params[1], 4 * FUZZ_SLOT },
                   { params[1], FUZZ_MAX_THREADS * FUZZ_SLOT },
                   { params[2], FUZZ_SUM } };
    struct rng r = { c->bus_seed };
    bool ok = true;
    for (unsigned n = c->bus_seed ? 1 + rng_below(&r, 3) : 0; n && ok; n--) {
        unsigned k = rng_below(&r, sizeof places / sizeof places[0]);
        uint32_t at = rng_below(&r, places[k].bytes ? places[k].bytes : 1);
        ok = hd_bus_error(d, places[k].addr + at, 1 + rng_below(&r, 48), 1 + rng_below(&r, 3) +
                          (rng_one_in(&r, 2) ? HD_BUS_DECERR : 0)) == HD_OK;
    }
    return ok;
}

/* A place above 4 GiB that generic addresses can name; one in two goes over a multiple of 4 GiB. */
static uint64_t high_place(struct rng *r, uint32_t bytes)
{
    const uint64_t multiple = (uint64_t)(4 + rng_below(r, 252)) << 32;
    return rng_one_in(r, 2) ? multiple - (rng_below(r, bytes) & ~255u)
                            : multiple - 4096 * (1 + (uint64_t)rng_below(r, 1 << 20));
}

bool fuzz_set_up(hd_device *d, const struct fuzz_case *c, bool reset, uint64_t *params)
{
    const uint32_t bytes[3] = { FUZZ_IN, fuzz_room(c) * FUZZ_SLOT, FUZZ_SUM };
    uint32_t in[FUZZ_IN / 4];
    struct rng high = { c->high_seed };
    uint64_t at = 0;
    enum hd_status s = reset ? hd_reset(d, c->mem_seed) : hd_unload(d, c->mem_seed);
    if (s != HD_OK || hd_load(d, c->img) != HD_OK)
        return false;
    for (int k = 0; k < 3; k++) {
        if (hd_malloc_from(d, c->high_seed ? high_place(&high, bytes[k]) : LAUNCH_HEAP, bytes[k],
                           &at) != HD_OK)
            return false;
        params[k] = at;
    }
    for (unsigned k = 0; k < c->words; k++) {
        const uint32_t v = pair_word(c, k);
        memcpy((uint32_t *)(params + 3) + k, &v, sizeof v);
    }
    fuzz_data(c, in);
    return hd_write(d, params[0], in, sizeof in) == HD_OK && set_up_bus(d, c, params);
}

static int row_of(const struct fuzz_case *of, const struct hd_commit *c)
{
    struct hd_word w;
    struct hd_insn i;
    memcpy(w.w, c->insn, sizeof w.w);
    return hd_decode(&w, of->img->stack_mode, &i) ? i.op : -1;
}

static void judge(const struct fuzz_machine *m, const struct fuzz_case *c, struct fuzz_result *out)
{
    const hd_device *d = m->dev;
    struct hd_mismatch x;
    bool differs = hd_get_mismatch(d, &x);
    out->trouble = x.trouble;
    out->third = hd_get_third(d);
    out->cycles = hd_get_counters(d)->cycles;
    out->insns = hd_get_counters(d)->warp_insns;
    if (x.field) {
        out->field = x.field;
        out->row = row_of(c, x.rtl);
        snprintf(out->text, sizeof out->text, "%s differs at %s, PC 0x%x", out->field,
                 out->row < 0 ? "no instruction" : hd_ops[out->row].mnemonic, x.rtl->pc);
    } else if (differs) {
        snprintf(out->text, sizeof out->text, "%s%s",
                 x.trouble == HD_TROUBLE_THIRD ? "third leg: " : "", x.why);
    } else if (out->status == HD_LIMIT && !c->wild) {
        snprintf(out->text, sizeof out->text, "does not end");
    } else if (out->status == HD_DEADLOCK && !c->wild) {
        snprintf(out->text, sizeof out->text, "deadlock");
    } else if (out->status == HD_STOPPED && !c->stop) {
        out->kind = FUZZ_STOPPED;
        return;
    } else {
        bool compared = m->on != FUZZ_MODEL || (out->third == HD_THIRD_OK && out->status == HD_OK);
        out->kind = out->third == HD_THIRD_RACE ? FUZZ_RACE : compared ? FUZZ_EQUAL : FUZZ_UNJUDGED;
        snprintf(out->text, sizeof out->text, "%s", hd_strerror(out->status));
        return;
    }
    out->kind = FUZZ_FAIL;
}

/* The compiled kernel against what the program means. */
static void judge_meaning(hd_device *d, const struct fuzz_case *c, const uint64_t *params,
                          struct fuzz_result *out)
{
    uint8_t got[FUZZ_MAX_THREADS * FUZZ_SLOT];
    const uint8_t *want[2] = { c->expect->out, c->expect->sum };
    const unsigned bytes[2] = { fuzz_room(c) * FUZZ_SLOT, sizeof c->expect->sum };
    out->kind = FUZZ_EQUAL;
    for (int b = 0; b < 2; b++) {
        hd_read(d, params[1 + b], got, bytes[b]);
        for (unsigned k = 0; k < bytes[b]; k += 4)
            if (memcmp(got + k, want[b] + k, 4)) {
                uint32_t g, w;
                memcpy(&g, got + k, 4);
                memcpy(&w, want[b] + k, 4);
                out->kind = FUZZ_FAIL;
                out->field = fuzz_meaning;
                if (c->notes && !b)
                    snprintf(out->text, sizeof out->text, "%s: lane %u has 0x%x, the host 0x%x",
                             c->notes[k / 128], k / 4 % 32, g, w);
                else
                    snprintf(out->text, sizeof out->text,
                             "miscompiled: word %u of %s %u is 0x%x, the program means 0x%x",
                             k % FUZZ_SLOT / 4, b ? "sum" : "thread", b ? 0 : k / FUZZ_SLOT, g, w);
                return;
            }
    }
}

static bool goes_on(void *user, const struct hd_counters *now)
{
    (void)user, (void)now;
    return !stop_requested();
}

/* When the grid starts: 0 with memory of fixed latency; else in one case of two shortly before the
 * low word's end. */
static uint64_t clock_at_start(const struct fuzz_case *c)
{
    struct rng r = { c->mem_seed };
    uint64_t clock = rng_next(&r);
    if (rng_below(&r, 2))
        clock = (clock | UINT32_MAX) - rng_below(&r, 4096);
    return c->mem_seed ? clock : 0;
}

struct hd_launch fuzz_launch(const struct fuzz_case *c, uint64_t params[FUZZ_PARAMS])
{
    return (struct hd_launch){ .start_again = c->start_again,
                               .grid = c->grid,
                               .block = c->block,
                               .params = params,
                               .params_size = 3 * sizeof *params + 4 * c->words,
                               .shared_bytes = c->dynamic,
                               .clock = clock_at_start(c) };
}

struct listener { struct coverage *coverage; uint64_t stop; struct fuzz_monitor *monitor; };

static bool listen(void *user, const struct hd_commit *c)
{
    const struct listener *l = user;
    if (l->coverage)
        coverage_commit(l->coverage, c);
    if (l->monitor && !fuzz_monitor_commit(l->monitor, c))
        return false;
    return !l->stop || c->seq < l->stop;
}

/* False: the case cannot be compiled, and out says whether that is a failure. */
static bool compiled(struct fuzz_case *c, struct fuzz_result *out)
{
    struct hd_err err = { 0 };
    if (c->img || fuzz_compile(c, &err))
        return true;
    /* a directive that can't be followed, in dead code for example */
    bool refused = c->predict && err.status == 2;
    if (!refused) {
        out->kind = FUZZ_FAIL;
        out->field = fuzz_refused;
    }
    snprintf(out->text, sizeof out->text, "%s: %.*s", refused ? "directives refused" : "refused",
             (int)strcspn(err.text, "\n"), err.text);
    return false;
}

/* Up to the cycle c->halt, where the host stops it: nothing is known of the result but that both
 * sides agree.  False: nothing can run. */
static bool run_and_stop(struct fuzz_machine *m, const struct fuzz_case *c, bool reset,
                         struct fuzz_result *out)
{
    uint64_t params[FUZZ_PARAMS];
    hd_set_limit(m->dev, c->halt);
    hd_set_third_leg(m->dev, false);
    bool ok = fuzz_set_up(m->dev, c, reset, params);
    hd_on_commit(m->dev, NULL, NULL);
    hd_on_progress(m->dev, goes_on, NULL);
    struct hd_launch launch = fuzz_launch(c, params);
    if (ok)
        out->status = hd_launch_grid(m->dev, &launch);
    if (!ok || out->status > HD_STOPPED) {
        fprintf(stderr, "heddle fuzz: %s\n", hd_device_error(m->dev));
        return false;
    }
    judge(m, c, out);
    if (out->status == HD_LIMIT && !out->trouble)
        *out = (struct fuzz_result){ .row = -1, .kind = FUZZ_UNJUDGED };
    return true;
}

static bool run(struct fuzz_machine *m, struct fuzz_case *c, bool reset, uint64_t limit, bool third,
                struct fuzz_result *out)
{
    uint64_t params[FUZZ_PARAMS];
    *out = (struct fuzz_result){ .row = -1 };
    if (!compiled(c, out))
        return true;
    if (m->on == FUZZ_NOTHING) {
        snprintf(out->text, sizeof out->text, "compiled");
        return true;
    }
    if (m->board)
        c->bus_seed = 0;
    if (!fuzz_machine_open(m, c))
        return false;
    hd_device *d = m->dev;
    if (c->halt && m->on == FUZZ_LOCKSTEP && c->cores < 2) {
        if (!run_and_stop(m, c, reset, out))
            return false;
        if (out->kind == FUZZ_FAIL || out->kind == FUZZ_STOPPED)
            return true;
        reset = false;
    }
    /* the model's limit is in instructions */
    unsigned beats = m->on == FUZZ_MODEL ? 1 : HD_LANES / m->lanes;
    uint64_t cycles = c->wild ? WILD_CYCLES : (uint64_t)CYCLES * (fuzz_room(c) / FUZZ_FEW_THREADS);
    hd_set_limit(d, limit ? limit : cycles * beats);
    hd_set_third_leg(d, third && !c->wild);
    if (!fuzz_set_up(d, c, reset, params)) {
        fprintf(stderr, "heddle fuzz: %s\n", hd_device_error(d));
        return false;
    }
    const bool events = m->monitor || m->stream;
    struct listener l = { m->coverage, c->stop, events ? fuzz_monitor_open(m, c) : NULL };
    if (events && !l.monitor)
        return fprintf(stderr, "heddle fuzz: out of memory\n"), false;
    if (m->coverage)
        coverage_launch(m->coverage, c->stack_mode);
    hd_on_commit(d, l.coverage || l.stop || l.monitor ? listen : NULL, &l);
    hd_on_progress(d, goes_on, NULL);
    struct hd_launch launch = fuzz_launch(c, params);
    out->status = hd_launch_grid(d, &launch);
    hd_on_commit(d, NULL, NULL);
    if (out->status > HD_STOPPED) {
        fprintf(stderr, "heddle fuzz: %s\n", hd_device_error(d));
        if (l.monitor)
            fuzz_monitor_close(l.monitor, out);
        return false;
    }
    judge(m, c, out);
    if (l.monitor)
        fuzz_monitor_close(l.monitor, out);
    /* the words of bar.red, which all threads clear, are a race by the third leg's rule */
    if (out->kind <= (c->words ? FUZZ_RACE : FUZZ_EQUAL) && out->status == HD_OK && c->expect)
        judge_meaning(d, c, params, out);
    return !m->native || out->kind >= FUZZ_FAIL || fuzz_natively(m, c, out);
}

bool fuzz_run(struct fuzz_machine *m, struct fuzz_case *c, uint64_t limit, bool third,
              struct fuzz_result *out)
{
    bool ok = true;
    struct coverage *coverage = m->coverage;
    m->coverage = c->nbefore ? NULL : coverage;
    for (unsigned i = 0; ok && i < c->nbefore && !(i && out->field == fuzz_refused); i++)
        ok = run(m, &c->before[i], i == 0, 0, false, out);
    m->coverage = coverage;
    if (c->nbefore && out->field == fuzz_refused)
        return ok;
    return ok && run(m, c, !c->nbefore, limit, third, out);
}

bool fuzz_go_on(struct fuzz_machine *m, struct fuzz_case *c, struct fuzz_result *out)
{
    return run(m, c, false, 0, true, out);
}
