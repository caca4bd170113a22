/* What the environment asks of a program's launches.  SPDX-License-Identifier: Apache-2.0
 *
 * Every variable that begins with HEDDLE is ours: one that we do not know is refused, as a misspelt
 * one would otherwise do nothing. */
#include <stdlib.h>
#include <string.h>
#include "cmodel/base/keep.h"
#include "cuda/cudart/rt.h"

extern char **environ;

static uint64_t number(const char *name, const char *value, uint64_t most)
{
    char *end;
    unsigned long long v = strtoull(value, &end, 0);
    if (end == value || *end || *value == '-' || v > most)
        rt_die(2, "%s=%s: a number from 0 to %llu is needed", name, value,
               (unsigned long long)most);
    return v;
}

/* Which of the words, separated by `|`, the value is. */
static int choice(const char *name, const char *value, const char *words)
{
    size_t n = strlen(value);
    int k = 0;
    for (const char *w = words; w; w = strchr(w, '|') ? strchr(w, '|') + 1 : NULL, k++)
        if (strcspn(w, "|") == n && !memcmp(w, value, n))
            return k;
    rt_die(2, "%s=%s: one of %s is needed", name, value, words);
}

static void lanes(struct rt_options *o, const char *name, const char *v)
{
    o->cfg.lanes = 1u << choice(name, v, "1|2|4|8|16|32");
}

static void core(struct rt_options *o, const char *name, const char *v)
{
    if (!*v)
        rt_die(2, "%s: which file?", name);
    o->cfg.core = v;
}

static void kind(struct rt_options *o, const char *name, const char *v)
{
    static const enum hd_kind kinds[] = { HD_MODEL, HD_LOCKSTEP, HD_RTL, HD_LOCKSTEP };
    const bool board = !strncmp(v, "board:", 6);
    o->cfg.kind = kinds[choice(name, board ? "board:LINK" : v, "model|lockstep|rtl|board:LINK")];
    o->cfg.board = board ? v + 6 : NULL;
}

static void digest(struct rt_options *o, const char *name, const char *v)
{
    o->cfg.board_digest = (unsigned)number(name, v, UINT16_MAX);
    if (o->cfg.board_digest < 2)
        rt_die(2, "%s=%s: a number from 2 to %d is needed", name, v, UINT16_MAX);
}

static void mode(struct rt_options *o, const char *name, const char *v)
{
    o->cc.stack_mode = choice(name, v, "barrier|stack");
}

static void f64(struct rt_options *o, const char *name, const char *v)
{
    o->cc.f64_routines = choice(name, v, "unit|routines");
}

static void constants(struct rt_options *o, const char *name, const char *v)
{
    o->cc.constant_loads = choice(name, v, "operands|loads");
}

static void predict(struct rt_options *o, const char *name, const char *v)
{
    o->cc.predict = choice(name, v, "off|user|auto");
}

static void deconflict(struct rt_options *o, const char *name, const char *v)
{
    o->cc.deconflict = choice(name, v, "static|dynamic");
}

static void soft(struct rt_options *o, const char *n, const char *v)
{
    o->cc.soft = (int)number(n, v, 32);
}
static void maxregs(struct rt_options *o, const char *n, const char *v)
{
    o->cc.maxregs = (int)number(n, v, 255);
}
static void warps(struct rt_options *o, const char *n, const char *v)
{
    o->cfg.warps = (unsigned)number(n, v, 32);
}
static void cores(struct rt_options *o, const char *n, const char *v)
{
    o->cfg.cores = (unsigned)number(n, v, 8);
}
static void depth(struct rt_options *o, const char *n, const char *v)
{
    o->cfg.stack_depth = (unsigned)number(n, v, 64);
}
static void mem_seed(struct rt_options *o, const char *n, const char *v)
{
    o->cfg.mem_seed = number(n, v, UINT64_MAX);
}
static void limit(struct rt_options *o, const char *n, const char *v)
{
    o->cfg.limit = number(n, v, UINT64_MAX);
}
static void jobs(struct rt_options *o, const char *n, const char *v)
{
    o->cfg.jobs = (unsigned)number(n, v, HD_JOBS);
}
static void third(struct rt_options *o, const char *n, const char *v)
{
    o->cfg.third_leg = number(n, v, 1);
}
static void strict(struct rt_options *o, const char *n, const char *v)
{
    o->strict = number(n, v, 1);
}
static void report(struct rt_options *o, const char *n, const char *v)
{
    o->report = number(n, v, 1);
}
static void native(struct rt_options *o, const char *n, const char *v)
{
    o->native = number(n, v, 1) ? RT_NATIVELY : RT_INTERPRETED;
}
static void arch(struct rt_options *o, const char *n, const char *v)
{
    o->arch = (unsigned)number(n, v, 129);
    if (o->arch < 70)
        rt_die(2, "%s=%s: 70 for sm_70, or more, is needed", n, v);
}
static void timing(struct rt_options *o, const char *n, const char *v)
{
    (void)n;
    o->cfg.timing = v;
}
/* A file whose name carries a launch's number: it cannot be standard output. */
static const char *file(const char *n, const char *v)
{
    if (!*v || v[strlen(v) - 1] == '/')
        rt_die(2, "%s=%s: the name of a file is needed", n, v);
    return v;
}
static void profile(struct rt_options *o, const char *n, const char *v) { o->profile = file(n, v); }
static void timeline(struct rt_options *o, const char *n, const char *v)
{
    o->timeline = file(n, v);
}
static void coverage(struct rt_options *o, const char *n, const char *v)
{
    o->coverage = file(n, v);
}
/* N, A:B (both count), or how a kernel's name begins, which is with no digit. */
static void only(struct rt_options *o, const char *n, const char *v)
{
    unsigned long long from, to;
    char after;
    if (strchr("0123456789:-", *v)) {
        int k = sscanf(v, "%llu:%llu%c", &from, &to, &after);
        bool one = !strchr(v, ':') && sscanf(v, "%llu%c", &from, &after) == 1;
        if (!(one || k == 2) || strchr(v, '-') || !from || (!one && to < from))
            rt_die(2, "%s=%s: N, A:B or how a kernel's name begins is needed", n, v);
        o->only_from = from, o->only_to = one ? from : to;
    }
    o->only = v;
}
static void cache(struct rt_options *o, const char *n, const char *v)
{
    (void)n;
    o->cache = strcmp(v, "off") ? v : NULL;
}
/* It says where cores are, which this library finds from where it lies. */
static void prefix(struct rt_options *o, const char *n, const char *v)
{
    (void)o, (void)n, (void)v;
}

static const struct {
    const char *name;
    void (*set)(struct rt_options *, const char *name, const char *value);
} known[] = {
    { "HEDDLE", kind },
    { "HEDDLE_BOARD_DIGEST", digest },
    { "HEDDLE_MODE", mode },
    { "HEDDLE_PREDICT", predict },
    { "HEDDLE_DECONFLICT", deconflict },
    { "HEDDLE_SOFT", soft },
    { "HEDDLE_MAXREGS", maxregs },
    { "HEDDLE_F64", f64 },
    { "HEDDLE_CONSTANTS", constants },
    { "HEDDLE_CORE", core },
    { "HEDDLE_LANES", lanes },
    { "HEDDLE_WARPS", warps },
    { "HEDDLE_CORES", cores },
    { "HEDDLE_STACK_DEPTH", depth },
    { "HEDDLE_MEM_SEED", mem_seed },
    { "HEDDLE_LIMIT", limit },
    { "HEDDLE_THIRD_LEG", third },
    { "HEDDLE_STRICT", strict },
    { "HEDDLE_JOBS", jobs },
    { "HEDDLE_TIMING", timing },
    { "HEDDLE_NATIVE", native },
    { "HEDDLE_ARCH", arch },
    { "HEDDLE_REPORT", report },
    { "HEDDLE_CACHE", cache },
    { "HEDDLE_PROFILE", profile },
    { "HEDDLE_TIMELINE", timeline },
    { "HEDDLE_COVERAGE", coverage },
    { "HEDDLE_ONLY", only },
    { "HEDDLE_PREFIX", prefix },
};

void rt_options_read(struct rt_options *o)
{
    *o = (struct rt_options){ .cfg.kind = HD_MODEL };
    o->cache = keep_folder(o->cache_buf, sizeof o->cache_buf) ? o->cache_buf : NULL;
    for (char **e = environ; *e; e++) {
        size_t n = strcspn(*e, "="), k = 0;
        if (strncmp(*e, "HEDDLE", 6) || !(*e)[n] || (n > 6 && (*e)[6] != '_'))
            continue;
        while (k < sizeof known / sizeof *known &&
               (strlen(known[k].name) != n || memcmp(known[k].name, *e, n)))
            k++;
        if (k == sizeof known / sizeof *known)
            rt_die(2, "the environment's %.*s is no option (docs/environment.md lists them)",
                   (int)n, *e);
        known[k].set(o, known[k].name, *e + n + 1);
    }
    if (o->only && !o->profile && !o->timeline)
        rt_die(2, "HEDDLE_ONLY=%s: of what?  HEDDLE_PROFILE or HEDDLE_TIMELINE is needed", o->only);
    if (o->cfg.cores > 1 && (o->profile || o->timeline || o->coverage))
        rt_die(2, "HEDDLE_CORES=%u: profiles, timelines and coverage are of one core",
               o->cfg.cores);
    if (o->native == RT_NATIVELY && !o->cache)
        rt_die(2, "HEDDLE_NATIVE=1 keeps what it translates in the cache: there is none");
    if (o->native == RT_NATIVELY || (o->native == RT_WHERE_IT_PAYS && o->cfg.kind == HD_MODEL))
        o->cfg.native = o->cache;
    o->cfg.native_where_it_pays = o->native == RT_WHERE_IT_PAYS;
    /* cycles by cause: only the core has them */
    o->cfg.issue = o->cfg.kind != HD_MODEL && o->profile;
}
