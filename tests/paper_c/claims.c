/* What paper C states, beside what we find: one line a claim, in the form that scripts read.
 * SPDX-License-Identifier: Apache-2.0 */
#include "paper_c.h"
#include "tests/claims.h"
#include <math.h>
#include <stdlib.h>

static bool near(double a, double b, double within)
{
    return fabs(a - b) <= within;
}

static uint64_t kepler(const struct point *at) { return at->kepler; }
static uint64_t maxwell(const struct point *at) { return at->maxwell; }
static uint64_t core_stack(const struct point *at) { return at->core_stack; }

/* What ran in stack mode: the core in lockstep, or the model alone. */
static const struct loop_run *run_of(const struct paper *p, const struct point *at)
{
    return p->rtl ? &at->core : &at->model;
}

/* ---- section IV: pushes, depths, spills ---- */

static void stack_claims(const struct paper *p, struct claims *c)
{
    for (int k = LOOP_SINGLE; k <= LOOP_DOUBLE; k++) {
        unsigned pushes = 0, deepest = 0, pops = 0, emulated = 0, divergences = 0,
                 first = LOOP_POINTS;
        for (unsigned n = 0; n < LOOP_POINTS; n++) {
            const struct point *at = &p->at[k][n];
            const struct loop_run *r = run_of(p, at);
            pushes += r->loop.pushes == (k ? n * (65 - n) / 2 + 33 : n + 1);
            deepest += r->loop.deepest == (k ? n + 2 : n + 1);
            pops += r->loop.pops == r->loop.pushes;
            emulated += r->loop.spills == at->emu.spills && r->loop.fills == at->emu.fills;
            divergences += r->loop.divergent == at->emu.pushes - p->at[k][0].emu.pushes;
            first = r->loop.spills && n < first ? n : first;
        }
        const char *loop = loop_names[k];
        claim(c, loop, "pushes", k ? "n(65-n)/2+33" : "n+1", pushes == LOOP_POINTS,
              "so at %u of 32 points", pushes);
        claim(c, loop, "deepest", k ? "n+2" : "n+1", deepest == LOOP_POINTS,
              "so at %u of 32 points", deepest);
        claim(c, loop, "pops", "as many as pushes", pops == LOOP_POINTS, "so at %u of 32 points",
              pops);
        claim(c, loop, "divergences", k ? "n(65-n)/2" : "n", divergences == LOOP_POINTS,
              "so at %u of 32 points", divergences);
        claim(c, loop, "spills", "the emulator's", emulated == LOOP_POINTS, "so at %u of 32 points",
              emulated);
        claim(c, loop, "first_spill", k ? "n = 15 (n+2 exceeds 16)" : "n = 16",
              first == (k ? 15 : 16), "n = %u", first);
    }
    unsigned more = 0;
    for (unsigned n = 1; n < 16; n++)
        more += run_of(p, &p->at[LOOP_SINGLE][n])->loop.insns ==
                run_of(p, &p->at[LOOP_SINGLE][n - 1])->loop.insns + 1;
    claim(c, "single", "instructions", "one more for each n up to 15", more == 15,
          "so at %u of 15 points", more);
}

/* ---- slopes and jumps ---- */

/* Where the single loop's curve leaves its slope, as text. */
static bool jumps(const struct paper *p, uint64_t (*cycles)(const struct point *), char *text,
                  size_t size)
{
    struct costs c = paper_costs(p, cycles);
    const struct point *at = p->at[LOOP_SINGLE];
    size_t len = 0;
    bool every_four = true;
    text[0] = 0;
    for (unsigned n = 1; n < LOOP_POINTS; n++) {
        bool jump = (double)cycles(&at[n]) - (double)cycles(&at[n - 1]) > c.divergence + 1;
        every_four &= jump == (n >= 16 && n % 4 == 0);
        if (jump && len < size)
            len += (size_t)snprintf(text + len, size - len, "%s%u", len ? " " : "", n);
    }
    return every_four;
}

static void profile_claims(const struct paper *p, struct claims *c)
{
    struct costs k = paper_costs(p, kepler), m = paper_costs(p, maxwell);
    const struct point *one = p->at[LOOP_SINGLE], *two = p->at[LOOP_DOUBLE];
    char at[128];
    claim(c, "kepler", "divergence", "32 exactly (section IV)", near(k.divergence, 32, 0), "%.2f",
          k.divergence);
    claim(c, "kepler", "spill_and_fill", "~84 (sections IV and V)", near(k.chunk, 84, 1), "%.2f",
          k.chunk);
    claim(c, "maxwell", "divergence", "26 (section IV)", near(m.divergence, 26, 0), "%.2f",
          m.divergence);
    claim(c, "maxwell", "spill_and_fill", "176 (section IV)", near(m.chunk, 176, 1), "%.2f",
          m.chunk);
    bool ok = jumps(p, kepler, at, sizeof at);
    claim(c, "kepler", "jumps", "above 15, every four steps", ok, "n = %s", at);
    double over1 = 100 * ((double)one[14].kepler / (double)one[0].kepler - 1);
    double over2 = 100 * ((double)two[14].kepler / (double)two[0].kepler - 1);
    claim(c, "kepler", "single.overhead14", "~25% (section V)", near(over1, 25, 2.5), "%.1f%%",
          over1);
    claim(c, "kepler", "double.overhead14", "~20% (section V)", near(over2, 20, 2.5), "%.1f%%",
          over2);
    unsigned h200 = 0;
    for (unsigned n = 0; n < LOOP_POINTS; n++)
        h200 += (one[n].hopper == one[n].h200) + (two[n].hopper == two[n].h200);
    claim(c, "hopper", "points", "64 measured on an H200", h200 == 64, "%u equal", h200);
}

/* ---- section IV-A: Listing 5, thread 0 ---- */

static void split_claims(const struct paper *p, struct claims *c)
{
    const struct point *at = p->at[LOOP_PRECISE];
    struct split s15 = paper_split(&at[15].model, &at[0].model),
                 s31 = paper_split(&at[31].model, &at[0].model);
    unsigned chunks = p->at[LOOP_SINGLE][31].emu.spills;
    claim(c, "kepler", "push", "0: all in the unwinding (n <= 15)",
          s15.branches == 0 && s15.unwinding == 15 * 32, "branches %lld + unwinding %lld at n = 15",
          (long long)s15.branches, (long long)s15.unwinding);
    claim(c, "kepler", "spill", "~40 longer branch", near((double)s31.branches / chunks, 40, 2),
          "%.1f", (double)s31.branches / chunks);
    double fill = (double)(s31.unwinding - 31 * 32) / chunks;
    claim(c, "kepler", "fill", "~42 longer unwinding", near(fill, 42, 2), "%.1f", fill);
}

/* ---- the method, on our core ---- */

static void core_claims(const struct paper *p, struct claims *c)
{
    struct costs cost = paper_costs(p, core_stack);
    const struct point *at = p->at[LOOP_PRECISE];
    struct split s = paper_split(&at[15].core, &at[0].core);
    char where[128];
    double worst = 0, relative = 0;
    for (unsigned n = 0; n < LOOP_POINTS; n++) {
        double ours = (double)p->at[LOOP_DOUBLE][n].core_stack,
               off = fabs(ours - paper_predict(p, n));
        worst = off > worst ? off : worst;
        relative = off / ours > relative ? off / ours : relative;
    }
    claim(c, "core", "divergence", "32 Kepler; 26 Maxwell; 13 H200", cost.divergence < 13, "%.2f",
          cost.divergence);
    claim(c, "core", "spill_and_fill", "~84 Kepler; 176 Maxwell", cost.chunk < 84, "%.2f",
          cost.chunk);
    bool ok = jumps(p, core_stack, where, sizeof where);
    claim(c, "core", "jumps", "above 15, every four steps", ok, "n = %s", where);
    claim(c, "core", "push", "0: all in the unwinding (n <= 15)", !s.branches,
          "branches %lld + unwinding %lld at n = 15", (long long)s.branches,
          (long long)s.unwinding);
    claim(c, "core", "prediction", "within 0.3% (76 cycles)", 100 * relative <= 0.3,
          "within %.2f%% (%.0f cycles)", 100 * relative, worst);
}

bool paper_claims(const struct paper *p)
{
    struct claims c = { .paper = "paper-c", .yes = "ok" };
    stack_claims(p, &c);
    profile_claims(p, &c);
    split_claims(p, &c);
    if (p->rtl)
        core_claims(p, &c);
    return claims_as_known(&c, "tests/paper_c/differs.txt", p->rtl ? "core" : "model");
}
