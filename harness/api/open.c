/* Opens a device: what it is made of, and what its core has.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model has what the core has: a launch that does not fit the one is refused by both, by the same
 * sentence.  A core of the usual size has to say so.  Of one that was named (hd_config.core) the
 * registers are believed, but for what its library knows: LANES and the bytes of shared memory. */
#include "harness/api/parts.h"
#include "cmodel/base/counted.h"
#include "harness/board/launch.h"
#include "harness/core/cores.h"
#include "harness/core/csr.h"
#include "harness/core/library.h"
#include "harness/wave/story.h"
#include <stdlib.h>
#include <string.h>

#define FAIL(d, status, ...) (snprintf((d)->error, sizeof (d)->error, __VA_ARGS__), (status))

static const struct launch_limits usual = { .warps = LAUNCH_WARPS,
                                            .regs = 256,
                                            .shared_bytes = RTL_SHARED,
                                            .addr_bits = HD_ADDR_BITS,
                                            .stack_depth = 16 };

static enum hd_status silent(hd_device *d)
{
    return FAIL(d, HD_NO_RTL, "%s", rtl_unknown(d->rtl) ? rtl_unknown(d->rtl)
                                                        : "the core's launch port does not answer");
}

/* It is the core that was asked for, and its registers hold what is written. */
static bool check_core(hd_device *d, const struct launch_limits *core)
{
    const struct { uint32_t offset, want; } is[] = {
        { CSR_CFG_LANES, d->rtl->calls->lanes() }, { CSR_CFG_WARPS, core->warps },
        { CSR_CFG_REGS, core->regs }, { CSR_CFG_SHARED, rtl_shared_bytes(d->rtl) },
        { CSR_CFG_ISA, (uint32_t)ISA_HASH } };
    char why[200];
    bool ok = true;
    for (size_t i = 0; i < sizeof is / sizeof is[0] && ok; i++)
        ok = csr_is(d->rtl, is[i].offset, is[i].want, why, sizeof why);
    if (ok && d->cfg.kind == HD_LOCKSTEP)
        ok = csr_try(d->rtl, why, sizeof why);
    if (rtl_unknown(d->rtl)) {
        snprintf(why, sizeof why, "%s", rtl_unknown(d->rtl));
        ok = false;
    }
    if (!ok)
        snprintf(d->error, sizeof d->error, "the core is broken, or not ours: %s%s", why,
                 d->cfg.core ? "" : " (a core of another size is named by --core)");
    return ok;
}

/* The size of a core that was named, by its CFG registers. */
static enum hd_status ask_size(hd_device *d, struct launch_limits *core)
{
    *core = usual;
    if (!d->cfg.core)
        return HD_OK;
    if (!rtl_read(d->rtl, CSR_CFG_WARPS, &core->warps) ||
        !rtl_read(d->rtl, CSR_CFG_REGS, &core->regs))
        return silent(d);
    core->shared_bytes = rtl_shared_bytes(d->rtl);
    if (!core->warps || core->warps > usual.warps || !core->regs || core->regs > usual.regs ||
        core->shared_bytes > usual.shared_bytes)
        return FAIL(d, HD_NO_RTL, "no such core can be: %u %s, %u %s, %u %s of shared memory",
                    COUNTED(core->warps, "warp"), COUNTED(core->regs, "register"),
                    COUNTED(core->shared_bytes, "byte"));
    return HD_OK;
}

/* What the core's parameters left out, by its CFG registers. */
static enum hd_status ask_parts(hd_device *d, struct launch_limits *core)
{
    static const struct { uint32_t offset, lacks; } parts[] = {
        { CSR_CFG_F64, 1u << UNIT_F64 },
        { CSR_CFG_FLOAT, 1u << UNIT_FPU },
        { CSR_CFG_SFU, 1u << UNIT_SFU },
        { CSR_CFG_CONST, HD_CONSTANTS },
    };
    uint32_t barriers = 0, size[sizeof parts / sizeof *parts] = { 0 };
    bool ok = rtl_read(d->rtl, CSR_CFG_STACK, &core->stack_depth) &&
              rtl_read(d->rtl, CSR_CFG_BARRIERS, &barriers) &&
              rtl_read(d->rtl, CSR_CFG_ADDR, &core->addr_bits);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && ok; i++) {
        ok = rtl_read(d->rtl, parts[i].offset, &size[i]);
        if (!size[i])
            core->no_units |= parts[i].lacks;
    }
    core->no_barriers = !barriers;
    return ok ? HD_OK : silent(d);
}

/* What the device has of the core: all, or what was asked for, where there is so much. */
static enum hd_status take(hd_device *d, const struct launch_limits *core)
{
    const struct hd_config *cfg = &d->cfg;
    if (cfg->stack_depth > core->stack_depth)
        return FAIL(d, HD_TOO_BIG, "%u tokens on chip: the core has room for %u", cfg->stack_depth,
                    core->stack_depth);
    if (cfg->warps > core->warps)
        return FAIL(d, HD_TOO_BIG, "%u %s: the core has %u", COUNTED(cfg->warps, "warp"),
                    core->warps);
    d->limits = *core;
    if (cfg->warps)
        d->limits.warps = cfg->warps;
    d->limits.stack_depth = cfg->stack_depth                       ? cfg->stack_depth
                          : core->stack_depth < usual.stack_depth ? core->stack_depth
                                                                   : usual.stack_depth;
    return HD_OK;
}

static enum rtl_kind core_kind(const struct hd_config *cfg)
{
    return cfg->four_state ? RTL_FOUR_STATE : cfg->x_seed ? RTL_RANDOM
         : (cfg->wave && !cfg->wave_rows) || cfg->snapshots || cfg->issue ? RTL_TRACE : RTL_QUICK;
}

static struct rtl *load(hd_device *d, enum rtl_kind kind)
{
    return rtl_open(d->cfg.lanes, d->cfg.core, d->cfg.mem_seed, kind, d->cfg.x_seed, d->error,
                    sizeof d->error);
}

/* The core, and what it has. */
static enum hd_status open_core(hd_device *d)
{
    struct launch_limits core;
    d->rtl = load(d, d->cfg.kind == HD_MODEL ? RTL_QUICK : core_kind(&d->cfg));
    /* without a core that can trace there are none */
    if (!d->rtl && d->cfg.snapshots && !d->cfg.wave) {
        d->cfg.snapshots = 0;
        d->rtl = load(d, RTL_QUICK);
    }
    if (!d->rtl)
        return HD_NO_CORE;
    /* A core beside us is the one of these lanes by its name: copies of the tree that hold planted
     * bugs have one for all. */
    if (d->cfg.core && d->cfg.lanes && d->cfg.lanes != d->rtl->calls->lanes())
        return FAIL(d, HD_BAD_ARGUMENT, "%u %s: the core has %u", COUNTED(d->cfg.lanes, "lane"),
                    d->rtl->calls->lanes());
    d->cfg.lanes = d->rtl->calls->lanes();
    enum hd_status s = ask_size(d, &core);
    if (s == HD_OK)
        s = ask_parts(d, &core);
    if (s == HD_OK)
        s = take(d, &core);
    return s != HD_OK ? s : check_core(d, &core) ? HD_OK : HD_NO_RTL;
}

/* What a core needs besides, once it is there. */
static enum hd_status equip(hd_device *d, const struct hd_config *cfg)
{
    d->history = calloc(1, sizeof *d->history);
    if (!d->history)
        return FAIL(d, HD_NO_MEMORY, "no memory for commits");
    if (cfg->issue && !d->rtl->calls->issue)
        return FAIL(d, HD_NO_RTL, "this core does not show why its warps wait");
    if ((cfg->wave || d->cfg.snapshots) && !(d->story = story_new()))
        return FAIL(d, HD_NO_MEMORY, "no memory for the waveform");
    d->rtl->wave = cfg->wave;
    d->rtl->wave_rows = cfg->wave_rows;
    d->rtl->wave_from = cfg->wave_from;
    d->rtl->wave_to = cfg->wave_to;
    return cfg->cores > 1 ? peers_open(d, cfg->cores) : HD_OK;
}

/* Whether what was asked for goes together. */
static enum hd_status check_config(hd_device *d, const struct hd_config *cfg)
{
    if (cfg->warps > LAUNCH_WARPS)
        return FAIL(d, HD_BAD_ARGUMENT, "%u %s: a core has %d", COUNTED(cfg->warps, "warp"),
                    LAUNCH_WARPS);
    if (d->timing && cfg->kind != HD_MODEL)
        return FAIL(d, HD_BAD_ARGUMENT,
                    "a timing profile is for the model alone; the RTL has its own cycles");
    if (cfg->native && cfg->kind != HD_MODEL)
        return FAIL(d, HD_BAD_ARGUMENT, "the host's code is for the model alone");
    if ((cfg->jobs > 1 || cfg->independent) && cfg->kind != HD_MODEL)
        return FAIL(d, HD_BAD_ARGUMENT, "blocks at the same time are for the model alone");
    if (cfg->board && cfg->kind != HD_LOCKSTEP)
        return FAIL(d, HD_BAD_ARGUMENT, "a board is for lockstep alone");
    if (cfg->board && (cfg->core || cfg->cores > 1 || cfg->wave || cfg->issue || cfg->four_state ||
                       cfg->x_seed || cfg->keep_going))
        return FAIL(d, HD_BAD_ARGUMENT, "a board is one core, and shows no more than commits: "
                    "without --core, --cores, waveforms, --x-seed and --four-state");
    if (cfg->cores > AXI_CORES)
        return FAIL(d, HD_BAD_ARGUMENT, "%u cores: at most %d", cfg->cores, AXI_CORES);
    if (cfg->cores > 1 && cfg->kind != HD_LOCKSTEP)
        return FAIL(d, HD_BAD_ARGUMENT, "several cores are for lockstep alone");
    if (cfg->cores > 1 && (cfg->wave || cfg->issue || cfg->four_state || cfg->keep_going))
        return FAIL(d, HD_BAD_ARGUMENT, "%s for one core alone", cfg->wave ? "waveforms are"
                    : cfg->issue ? "why warps wait is known" : cfg->four_state ? "four states are"
                    : "going on after a difference is");
    if (cfg->jobs > HD_JOBS)
        return FAIL(d, HD_BAD_ARGUMENT, "%u jobs: at most %d", cfg->jobs, HD_JOBS);
    if (cfg->x_seed && cfg->four_state)
        return FAIL(d, HD_BAD_ARGUMENT,
                    "in four states nothing begins with random bits, but unknown");
    if ((cfg->x_seed || cfg->four_state) && cfg->wave)
        return FAIL(d, HD_BAD_ARGUMENT, "the core that begins with %s bits writes no waveforms",
                    cfg->x_seed ? "random" : "unknown");
    return HD_OK;
}

enum hd_status hd_open(const struct hd_config *cfg, hd_device **out)
{
    hd_device *d = calloc(1, sizeof *d);
    struct hd_err err = { 0 };
    *out = d;
    if (!d)
        return HD_NO_MEMORY;
    d->cfg = *cfg;
    if (!cfg->core && !cfg->lanes)
        d->cfg.lanes = cfg->board ? 4 : 32;
    if (cfg->timing && strcmp(cfg->timing, "unit") && !(d->timing = timing_open(cfg->timing, &err)))
        return FAIL(d, HD_BAD_ARGUMENT, "%s", err.text);
    enum hd_status s = check_config(d, cfg);
    if (cfg->cores > 1 || cfg->x_seed || cfg->four_state || cfg->board)
        d->cfg.snapshots = 0;
    if (s == HD_OK && cfg->board)
        s = board_device_open(d);
    else if (s == HD_OK && (cfg->core || cfg->kind != HD_MODEL))
        s = open_core(d);
    else if (s == HD_OK) {
        d->limits = usual;
        d->limits.warps = cfg->warps ? cfg->warps : usual.warps;
        d->limits.stack_depth = cfg->stack_depth ? cfg->stack_depth : usual.stack_depth;
    }
    if (s == HD_OK && cfg->kind == HD_MODEL) {           /* it was only asked what it has */
        rtl_close(d->rtl);
        d->rtl = NULL;
    }
    if (s == HD_OK && cfg->kind != HD_RTL && !(d->model = fast_new(&d->limits)))
        s = FAIL(d, HD_NO_MEMORY, "no memory for the model");
    return s == HD_OK && d->rtl ? equip(d, cfg) : s;
}

void hd_get_core(const hd_device *d, struct hd_core *out)
{
    *out = (struct hd_core){ .lanes = d->cfg.lanes,
                             .warps = d->limits.warps,
                             .regs = d->limits.regs,
                             .shared_bytes = d->limits.shared_bytes,
                             .stack_depth = d->limits.stack_depth,
                             .barriers = !d->limits.no_barriers,
                             .addr_bits = d->limits.addr_bits,
                             .lacks = d->limits.no_units,
                             .file = d->rtl ? rtl_library_file(d->rtl->lib) : NULL,
                             .traced = d->rtl && d->rtl->calls->issue };
}
