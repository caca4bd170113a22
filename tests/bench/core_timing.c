/* Measures the core and prints it as a timing profile: cmodel/timing/core.ini.  `make timing-core`.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One warp runs a sequence of LONG and one of SHORT copies of a probe, twice, so that the second
 * run finds its code in the instruction cache; the difference of their clocks over that of their
 * lengths is the cost of a copy.  Costs that are no whole number are rounded up.  Between the runs
 * come more branches than targets.v keeps, so that control costs what it does where fetch has other
 * warps to serve.  Tokens need another program: pushes, then pops, of more tokens and of fewer.
 * For `busy' 32 warps run the probe: from the first one's start to the last one's end. */
#include "harness/device/device.h"
#include "cmodel/image/asm.h"
#include <stdlib.h>
#include <string.h>

/* copies; instructions of a cache line; chunks spilled; clocks of a warp; warps; branches between
 * the runs */
enum { SHORT = 16, LONG = 48, LINE = 4, CHUNKS = 4, CLOCKS = 8, WARPS = 32, OTHERS = 32 };

static const char head[] =
    ".kernel k\n.regs 40\n.shared 1024\n.local 64\n.param p u64 8 0\n.paramsize 8\n"
    "LDC.64 R2, [RZ]\nS2R R1, SR_LANEID\nSHL R32, R1, 2\nIADD.64 R34, R2, 0\nIADD R34, R34, R32\n"
    "SHL R36, R1, 5\n"
    "IADD R36, R36, R34\nMOV R37, R35\nMOV R9, 2\nMOV R4, 1.5\nISETP.LT.U32.AND P2, R1, 16, PT\n"
    "ISETP.EQ.U32.AND P3, R1, 99, PT\nagain:\nBAR.SYNC 0, RZ\nS2R R20, SR_CLOCKLO\n";
static const char end[] = "S2R R21, SR_CLOCKLO\n";
static const char tail[] =
    "IADD R9, R9, 0xffffffff\nISETP.NE.U32.AND P6, R9, 0, PT\n@P6 BRA again\nEXIT\n";

struct clocks { uint32_t read[CLOCKS]; unsigned n; };

static bool on_commit(void *user, const struct hd_commit *c)
{
    struct clocks *k = (struct clocks *)user + c->warp;
    if (c->is_clock && k->n < CLOCKS)
        k->read[k->n++] = c->val[0][0];
    return true;
}

/* The probe: %u becomes the number of the copy, %r one of eight registers in turn. */
static void put_copies(FILE *f, const char *probe, unsigned copies)
{
    for (unsigned i = 0; i < copies; i++) {
        for (const char *p = probe; *p; p++)
            if (p[0] == '%' && p[1] == 'u')
                fprintf(f, "%u", i), p++;
            else if (p[0] == '%' && p[1] == 'r')
                fprintf(f, "R%u", 22 + i % 8), p++;
            else
                fputc(*p, f);
        fputc('\n', f);
    }
}

/* So many warps run the text twice, between the first clock and the last; the clocks of both go to
 * k, one for each warp. */
static void run(const char *mode, const char *middle, unsigned warps, struct clocks *k)
{
    char *text = NULL;
    size_t size = 0;
    struct hd_err err = { 0 };
    struct hd_image *img = NULL;
    struct hd_config cfg = { .kind = HD_LOCKSTEP };
    hd_device *d = NULL;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, ".mode %s\n%s%s%s", mode, head, middle, end);
    for (unsigned i = 0; i < OTHERS; i++)
        fprintf(f, "BRA o%u\no%u:", i, i);
    fprintf(f, "%s", tail);
    fclose(f);
    uint64_t at = 0;
    hd_asm("probe", text, &img, &err);
    if (!img || hd_open(&cfg, &d) != HD_OK || hd_load(d, img) != HD_OK ||
        hd_malloc(d, 4096, &at) != HD_OK) {
        fprintf(stderr, "core_timing: %s\n", err.status ? err.text : hd_device_error(d));
        exit(2);
    }
    uint64_t p = at;
    struct hd_launch l = {
        .grid = { 1, 1, 1 }, .block = { warps * HD_LANES, 1, 1 }, .params = &p, .params_size = 8
    };
    memset(k, 0, warps * sizeof *k);
    hd_on_commit(d, on_commit, k);
    if (hd_launch_grid(d, &l) != HD_OK) {
        hd_explain(d, stderr);
        exit(1);
    }
    hd_close(d);
    hd_image_free(img);
    free(text);
}

static uint32_t cycles(const char *probe, unsigned copies, unsigned warps, bool cold)
{
    char *middle = NULL;
    size_t size = 0;
    struct clocks k[WARPS];
    uint32_t from = UINT32_MAX, to = 0;
    FILE *f = open_memstream(&middle, &size);
    put_copies(f, probe, copies);
    fclose(f);
    run("barrier", middle, warps, k);
    free(middle);
    for (unsigned w = 0; w < warps; w++) {
        uint32_t starts = k[w].read[cold ? 0 : 2], ends = k[w].read[cold ? 1 : 3];
        from = starts < from ? starts : from;
        to = ends > to ? ends : to;
    }
    return to - from;
}

/* So many pushes and then as many pops, warm: the cycles of both. */
struct ends { uint32_t pushes, pops; };
static struct ends push_and_pop(unsigned tokens)
{
    char *middle = NULL;
    size_t size = 0;
    struct clocks k;
    FILE *f = open_memstream(&middle, &size);
    for (unsigned i = tokens; i-- > 0; )
        fprintf(f, "SSY l%u\n", i);
    fprintf(f, "S2R R22, SR_CLOCKLO\n");
    for (unsigned i = 0; i < tokens; i++)
        fprintf(f, "NOP.S\nl%u:\n", i);
    fclose(f);
    run("stack", middle, 1, &k);
    free(middle);
    return (struct ends){ k.read[4] - k.read[3], k.read[5] - k.read[4] };
}

static unsigned cost(const char *probe)
{
    unsigned d = cycles(probe, LONG, 1, false) - cycles(probe, SHORT, 1, false), n = LONG - SHORT;
    return (d + n - 1) / n;
}

/* Hundredths of a cycle for each of WARPS warps. */
static unsigned shared(const char *probe)
{
    unsigned d = cycles(probe, LONG, WARPS, false) - cycles(probe, SHORT, WARPS, false);
    return d * 100 / ((LONG - SHORT) * WARPS);
}

/* With a dependent form, the line has two numbers. */
static const struct probe { const char *key, *independent, *dependent, *what; } probes[] = {
    { "insn", "MOV %r, R4", "IADD R4, R4, R4",
      "one integer instruction after another; a reader of its result" },
    { "MUL", "IMAD %r, R4, R4, R4", "IMAD R4, R4, R4, R4", "IMAD" },
    { "FPU", "FADD %r, R4, R4", "FADD R4, R4, R4", "FADD" },
    { "SFU", "MUFU.RCP %r, R4", "MUFU.RCP R4, R4", "MUFU.RCP" },
    { "F64", "DADD R38, R4, R6", NULL, "DADD" },
    { "LSU", "LDG R5, [R2]", NULL, "LDG of one word by all lanes; also what is not listed" },
    { "LDC", "LDC R5, [RZ]", NULL, "LDC" },
    { "LDS", "LDS R5, [R32]", NULL, "LDS" },
    { "STS", "STS [R32], R4", NULL, "STS" },
    { "STG", "STG [R2], R4", NULL, "STG of one word by all lanes" },
    { "ATOMG", "ATOMG.ADD R5, [R2], R4, RZ", NULL, "ATOMG on one word by all lanes" },
    { "ATOMS", "ATOMS.ADD R5, [R32], R4, RZ", NULL, "ATOMS on 32 words" },
    { "CTL", "@P3 BRA again", NULL, "BRA that no lane takes; taken costs the same" },
    { "BSSY", "BSSY B1, l%u\nl%u:", NULL, "BSSY" },
    { "BSYNC", "BSYNC B2", NULL, "BSYNC of no lane" },
    { "BAR.SYNC", "BAR.SYNC 0, RZ", NULL, "BAR.SYNC of a block that is one warp" },
};

static void print_probes(void)
{
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        const struct probe *p = &probes[i];
        unsigned next = cost(p->independent), result = p->dependent ? cost(p->dependent) : 0;
        char two[32];
        snprintf(two, sizeof two, result > next ? "%u %u" : "%u", next, result);
        printf("%-8s = %-4s # %s\n", p->key, two, p->what);
    }
}

static const struct { const char *key, *probe, *what; } units[] = {
    { "F64", "DADD R38, R4, R6", "DADD" },
    { "LSU", "LDG %r, [R2]", "LDG of one word by all lanes, all of the same" },
    { "LDC", "LDC %r, [RZ]", "LDC of one address" },
    { "LDS", "LDS %r, [R32]", "LDS of 32 words" },
    { "STS", "STS [R32], R4", "STS of 32 words" },
    { "STG", "STG [R2], R4", "STG of one word by all lanes, all to the same" },
    { "ATOMG", "ATOMG.ADD R5, [R2], R4, RZ", "ATOMG on one word by all lanes" },
    { "ATOMS", "ATOMS.ADD R5, [R32], R4, RZ", "ATOMS on 32 words" },
};

/* For each 32 bytes after the first, of 32. */
static unsigned sector(const char *far, const char *near)
{
    return (shared(far) - shared(near)) / 31;
}

static void print_busy(void)
{
    printf("# %u warps that do nothing else, cycles for each.\n", WARPS);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        printf("busy.%-5s = %-3u # %s\n", units[i].key, (shared(units[i].probe) + 99) / 100,
               units[i].what);
    printf("busy.sector = %u %u  # LDG, STG of 32 words, 32 bytes apart: hundredths of a cycle\n",
           sector("LDG %r, [R36]", "LDG %r, [R2]"), sector("STG [R36], R4", "STG [R2], R4"));
}

/* What is left of `whole` when the cost of its instructions is gone; none where a group finds in
 * targets.v what another has just begun with. */
static void print_rest(const char *key, unsigned whole, unsigned parts, unsigned times,
                       const char *what)
{
    printf("%-8s = %-4u # %s\n", key, whole > parts ? (whole - parts) / times : 0, what);
}

int main(void)
{
    printf(
        "# Our own core, LANES=32, one warp alone, memory of fixed latency: what `make "
        "timing-core` measured.\n"
        "# Meaning of the keys: docs/timing.md.\n");
    print_probes();
    unsigned ctl = cost("@P3 BRA again");
    print_rest("taken", cost("@!P3 BRA l%u\nl%u:"), ctl, 1, "BRA that every lane takes");
    print_rest("wait", cost("BSSY B1, l%u\n@P2 BRA m%u\nm%u:BSYNC B1\nl%u:"),
               ctl + cost("BSSY B1, l%u\nl%u:") + 2 * cost("BSYNC B2"), 1,
               "BSSY, BRA that half of the lanes take, BSYNC twice: of them the first waits");
    unsigned nop = cost("NOP");
    struct ends full = push_and_pop(16), more = push_and_pop(16 + 4 * CHUNKS);
    unsigned ssy = (full.pushes - push_and_pop(8).pushes) / 8;
    printf("%-8s = %-4u # %s\n", "SSY", ssy, "SSY");
    unsigned pop = (full.pops - push_and_pop(8).pops) / 8;
    print_rest("pop", pop, nop, 1, "NOP.S that pops a token");
    print_rest("spill", more.pushes - full.pushes, 4 * CHUNKS * ssy, CHUNKS,
               "SSY beyond 16 tokens");
    print_rest("fill", more.pops - full.pops, 4 * CHUNKS * pop, CHUNKS,
               "NOP.S that comes to them again");
    print_rest("line", cycles("@P3 BRA again", LONG, 1, true),
               cycles("@P3 BRA again", LONG, 1, false),
               LONG / LINE, "BRA that no lane takes, cold over warm");
    print_rest("sector", cost("LDG R5, [R36]"), cost("LDG R5, [R2]"), 31,
               "LDG of 32 words, 32 bytes apart");
    print_busy();
    return 0;
}
