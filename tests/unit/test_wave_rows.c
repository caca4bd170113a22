/* The rows of a waveform against the commits that they are derived from, cycle by cycle, as another
 * program reads them from the file: of a window in the core with tracing, and of a whole run in the
 * core without; both modes.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmodel/image/asm.h"
#include "cmodel/isa/compare.h"
#include "cmodel/isa/isa.h"
#include "harness/cmd/wave.h"
#include "harness/device/device.h"

enum { SLOTS = 4, MOST = 20000, LANES = 4 };
static const char *const unit_names[] = {
#define UNIT(name, what) what,
#include "rtl/events.def"
};
enum { UNITS = sizeof unit_names / sizeof *unit_names };

/* Lanes part by their number, wait for each other twice, and the two warps of each block at its
 * barrier, where they come in parts. */
static const char barriers[] =
    ".text\n.kernel k\n.regs 16\n.param data u64 8\n"
    "    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n    IMAD.W.U32 R6, R0, 4, R4\n"
    "    LOP.AND R1, R0, 7\n"
    "    BSSY B3, done\nmore:\n    IADD R2, R2, 1\n    BSSY B0, odd_done\n    LOP.AND R3, R2, 1\n"
    "    ISETP.EQ.U32 P1, R3, R1, PT\n    @P1 BRA odd_done\n    IADD R8, R8, 1\nodd_done:\n"
    "    BSYNC B0\n"
    "    ISETP.LT.U32.AND P0, R2, R1, PT\n    @P0 BRA more\ndone:\n    BSYNC B3\n"
    "    ISETP.LT.U32.AND P2, R1, 3, PT\n    @P2 BRA few\n    BAR.SYNC B5, 0\n    BRA met\nfew:\n"
    "    BAR.SYNC B5, 0\n"
    "met:\n    STG [R6], R2\n    STG.U8 [R6+2], R1\n    EXIT\n";
static const char stacks[] =
    ".mode stack\n.text\n.kernel k\n.regs 16\n.param data u64 8\n"
    "    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n    IMAD.W.U32 R6, R0, 4, R4\n"
    "    LOP.AND R1, R0, 7\n"
    "    SSY done\n    CAL count\ndone:\n    STG [R6], R2\n    EXIT\n"
    "count:\n    ISETP.EQ.U32 P0, R1, 0, PT\n    IADD R2, R2, 1\n    SSY out\n    @P0 BRA last\n"
    "    IADD R1, R1, -1\n"
    "    CAL count\n    NOP.S\nlast:\n    NOP.S\nout:\n    RET.T\n";

/* ---- the launch, and what it commits ---- */

enum { WORDS = 64 };
/* memory: at data, in the end */
struct log { struct hd_commit *c; size_t n; uint64_t data; uint32_t memory[WORDS]; };

static bool note(void *user, const struct hd_commit *c)
{
    struct log *l = user;
    assert_true(l->n < MOST);
    l->c[l->n++] = *c;
    return true;
}

static struct log run(const char *text, const char *fst, bool rows_only, uint64_t from, uint64_t to)
{
    struct hd_image *img = NULL;
    struct hd_err err = { 0 };
    if (hd_asm("program", text, &img, &err))
        fail_msg("%s", err.text);
    struct hd_config how = { .kind = HD_LOCKSTEP,
                             .lanes = LANES,
                             .stack_depth = 4,
                             .wave = fst,
                             .wave_from = from,
                             .wave_to = to,
                             .wave_rows = rows_only };
    struct log l = { .c = calloc(MOST, sizeof *l.c) };
    hd_device *d;
    uint64_t param;
    if (hd_open(&how, &d) != HD_OK)
        fail_msg("%s", hd_device_error(d));
    assert_int_equal(hd_load(d, img), HD_OK);
    assert_int_equal(hd_malloc(d, sizeof l.memory, &l.data), HD_OK);
    param = l.data;
    struct hd_launch g = {
        .grid = { 2, 1, 1 }, .block = { 64, 1, 1 }, .params = &param, .params_size = sizeof param
    };
    hd_on_commit(d, note, &l);
    assert_int_equal(hd_launch_grid(d, &g), HD_OK);
    assert_int_equal(hd_end_wave(d), HD_OK);
    assert_int_equal(hd_read(d, l.data, l.memory, sizeof l.memory), HD_OK);
    hd_close(d);
    hd_image_free(img);
    return l;
}

/* ---- the file, as fst2vcd reads it ---- */

struct signal { char name[64], id[12], value[512]; };
struct vcd { FILE *in; struct signal *s; size_t n; uint64_t time, next; };

static struct signal *by_id(struct vcd *v, const char *id)
{
    for (size_t i = 0; i < v->n; i++)
        if (!strcmp(v->s[i].id, id))
            return &v->s[i];
    return NULL;
}

static const char *value(struct vcd *v, const char *form, unsigned slot, const char *what)
{
    char name[64];
    snprintf(name, sizeof name, form, slot, what);
    for (size_t i = 0; i < v->n; i++)
        if (!strcmp(v->s[i].name, name))
            return v->s[i].value;
    fail_msg("the waveform has no %s", name);
    return NULL;
}

static uint32_t mask(struct vcd *v, const char *form, unsigned slot, const char *what)
{
    return (uint32_t)strtoul(value(v, form, slot, what), NULL, 2);
}

static void declare(struct vcd *v, const char *scope, const char *line)
{
    struct signal *s = &v->s[v->n];
    char name[64];
    if (strncmp(scope, "heddle", 6) || sscanf(line, "$var %*s %*d %11s %63s", s->id, name) != 2)
        return;
    snprintf(s->name, sizeof s->name, "%.20s.%.40s", scope, name);
    s->value[0] = 0;
    v->n++;
}

static void open_vcd(struct vcd *v, const char *fst)
{
    char command[200], line[1024], scope[256] = "";
    snprintf(command, sizeof command, "fst2vcd %s", fst);
    *v = (struct vcd){ .in = popen(command, "r"), .s = calloc(8000, sizeof *v->s) };
    while (fgets(line, sizeof line, v->in) && line[0] != '#') {
        char name[64];
        if (sscanf(line, "$scope %*s %63s", name) == 1)
            snprintf(scope + strlen(scope), sizeof scope - strlen(scope), "%s%s",
                     scope[0] ? "." : "", name);
        else if (!strncmp(line, "$upscope", 8)) {
            char *dot = strrchr(scope, '.');
            *(dot ? dot : scope) = 0;
        } else if (!strncmp(line, "$var", 4) && v->n < 8000)
            declare(v, scope, line);
    }
    assert_true(line[0] == '#');
    v->next = strtoull(line + 1, NULL, 10);
}

/* Text has its spaces as \040. */
static void set(struct signal *s, const char *text)
{
    char *o = s->value;
    for (; *text && o < s->value + sizeof s->value - 1; text++)
        if (*text == '\\' && strlen(text) > 3) {
            *o++ = (char)strtol((char[]){ text[1], text[2], text[3], 0 }, NULL, 8);
            text += 3;
        } else
            *o++ = *text;
    *o = 0;
}

/* Everything of the next time; false: that was the last. */
static bool next_time(struct vcd *v)
{
    char line[1024];
    if (!v->in)
        return false;
    v->time = v->next;
    while (fgets(line, sizeof line, v->in)) {
        line[strcspn(line, "\n")] = 0;
        char *blank = strchr(line, ' ');
        if (line[0] == '#') {
            v->next = strtoull(line + 1, NULL, 10);
            return true;
        }
        if (!blank || line[0] == '$')
            continue;
        struct signal *s = by_id(v, blank + 1);
        *blank = 0;
        if (s)
            set(s, line + 1);
    }
    pclose(v->in);
    v->in = NULL;
    return true;
}

/* ---- both compared ---- */

static const char *state(const struct hd_commit *c, unsigned l, char text[16])
{
    unsigned w = c->wait[l];
    snprintf(text, 16,
             w == HD_WAIT_NONE     ? "run"
             : w == HD_WAIT_READY  ? ""
             : w == HD_WAIT_STACK  ? "token"
             : w == HD_WAIT_EXITED ? "exit"
             : w >= HD_WAIT_BLOCK  ? "bar %u"
                                   : "wait B%u",
             w & 15);
    return text;
}

static void compare(struct vcd *v, const struct hd_commit *c, bool stack_mode, const char *form)
{
    char text[32], name[32];
    uint32_t waits[HD_BARRIERS] = { 0 };
    assert_int_equal(mask(v, form, c->slot, "active"), c->next_active);
    assert_int_equal(mask(v, form, c->slot, "exec"), c->exec);
    assert_int_equal(mask(v, form, c->slot, "live"), c->live);
    snprintf(text, sizeof text, "0x%04x  ", c->pc);
    assert_memory_equal(value(v, form, c->slot, "retired"), text, strlen(text));
    if (c->next_active) {
        snprintf(text, sizeof text, "0x%04x  ", c->npc[__builtin_ctz(c->next_active)]);
        assert_memory_equal(value(v, form, c->slot, "pc"), text, strlen(text));
    } else
        assert_string_equal(value(v, form, c->slot, "pc"), "");
    for (unsigned l = 0; l < HD_LANES; l++) {
        snprintf(name, sizeof name, "lane%02u", l);
        assert_string_equal(value(v, form, c->slot, name), state(c, l, text));
        if ((c->wait[l] & 0x30) == HD_WAIT_BARRIER)
            waits[c->wait[l] & 15] |= 1u << l;
    }
    for (unsigned b = 0; b < HD_BARRIERS && !stack_mode; b++) {
        snprintf(name, sizeof name, "B%u_arrived", b);
        assert_int_equal(mask(v, form, c->slot, name), waits[b]);
        snprintf(name, sizeof name, "B%u", b);
        if (c->conv && c->bx == b)
            assert_int_equal(mask(v, form, c->slot, name), c->bafter);
    }
    if (!stack_mode)
        return;
    assert_int_equal(mask(v, form, c->slot, "depth"), c->depth);
    if (c->pushed) {
        snprintf(text, sizeof text, "0x%04x %08x", c->push.pc_kind & ~3u, c->push.mask);
        assert_non_null(strstr(value(v, form, c->slot, "token00"), text));
    }
}

/* Lanes at the block barrier that the program uses, and lanes that live, of each warp slot. */
enum { BAR = 5, WARPS = 2 };
struct meeting { uint32_t there[SLOTS], live[SLOTS]; };

/* Where no lane that executes BAR.SYNC waits after it, the barrier is complete: no record tells the
 * other warp's release. */
static void meet(struct meeting *m, const struct hd_commit *c)
{
    struct hd_word word;
    struct hd_insn in;
    unsigned first = c->slot / WARPS * WARPS;
    m->live[c->slot] = c->live;
    m->there[c->slot] = 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        m->there[c->slot] |= (uint32_t)(c->wait[l] == HD_WAIT_BLOCK + BAR) << l;
    memcpy(word.w, c->insn, sizeof word.w);
    if (hd_decode(&word, false, &in) && in.op == OP_BAR && !(m->there[c->slot] & c->active))
        m->there[first] = m->there[first + 1] = 0;
}

static void add_warp(char *text, size_t n, unsigned slot, uint32_t lanes, uint32_t live)
{
    size_t at = strlen(text);
    if (lanes)
        snprintf(text + at, n - at, lanes == live ? "%sw%02u" : "%sw%02u %08x", at ? ", " : "",
                 slot, lanes);
}

/* Returns the barrier's lanes, of which the rows tell. */
static unsigned met(struct vcd *v, const struct meeting *m, unsigned block_slot)
{
    char count[32] = "", arrived[64] = "", absent[64] = "", bar[16];
    unsigned lanes = 0;
    for (unsigned s = block_slot * WARPS; s < (block_slot + 1) * WARPS; s++) {
        lanes += (unsigned)__builtin_popcount(m->there[s]);
        add_warp(arrived, sizeof arrived, s, m->there[s], m->live[s]);
        add_warp(absent, sizeof absent, s, m->live[s] & ~m->there[s], m->live[s]);
    }
    if (lanes)
        snprintf(count, sizeof count, "%u of 64 lanes", lanes);
    snprintf(bar, sizeof bar, "bar%u", BAR);
    assert_string_equal(value(v, "heddle.b%02u.%s", block_slot, bar), count);
    snprintf(bar, sizeof bar, "bar%u_arrived", BAR);
    assert_string_equal(value(v, "heddle.b%02u.%s", block_slot, bar), arrived);
    snprintf(bar, sizeof bar, "bar%u_absent", BAR);
    assert_string_equal(value(v, "heddle.b%02u.%s", block_slot, bar), lanes ? absent : "");
    assert_string_equal(value(v, "heddle.b%02u.%s", block_slot, "bar0_arrived"), "");
    return lanes;
}

/* The core without tracing: why a warp waits, from its next commit and from reads of code under
 * way. */
struct code { uint32_t base; bool known; };
enum { WAIT_MEMORY, WAIT_CONTROL, WAIT_PIPELINE, WAIT_FETCH, WAIT_BLOCK, WAITS };

static bool code_comes(struct vcd *v, struct code *code, unsigned pc)
{
    for (unsigned i = 0; i < 16; i++) {
        char name[16];
        uint32_t addr;
        snprintf(name, sizeof name, "read%02u", i);
        if (sscanf(value(v, "heddle.axi.%.0u%s", 0, name), "ID 16 icache 0x%x", &addr) != 1)
            continue;
        if (!code->known)
            /* the first read is that of the first instruction */
            *code = (struct code){ addr, true };
        if (addr - code->base <= pc && pc < addr - code->base + 64)
            return true;
    }
    return false;
}

static unsigned waits_for(struct vcd *v, const struct log *l, size_t next, const struct meeting *m,
                          struct code *code, unsigned slot)
{
    static const char *const said[WAITS] = { "memory", "convergence unit", "pipeline",
                                             "fetch: line", "block barrier" };
    unsigned pc, is = WAIT_BLOCK;
    const char *why = value(v, "heddle.w%02u.%s", slot, "why");
    if (sscanf(value(v, "heddle.w%02u.%s", slot, "pc"), "0x%x", &pc) == 1) {
        struct hd_word word;
        struct hd_insn in;
        while (next < l->n && l->c[next].slot != slot)
            next++;
        assert_true(next < l->n && l->c[next].pc == pc);
        memcpy(word.w, l->c[next].insn, sizeof word.w);
        assert_true(hd_decode(&word, false, &in));
        is = code_comes(v, code, pc) ? WAIT_FETCH : hd_ops[in.op].unit == UNIT_LSU ? WAIT_MEMORY
           : hd_ops[in.op].unit == UNIT_CTL ? WAIT_CONTROL : WAIT_PIPELINE;
    } else if (!m->there[slot]) {
        assert_string_equal(why, "");
        return WAITS;
    }
    assert_string_equal(why, said[is]);
    return is;
}

/* What a unit holds, its warp retires some time; but fetch runs ahead. */
static void units(struct vcd *v, const struct log *l, size_t held[UNITS])
{
    for (unsigned u = 0; u < UNITS; u++) {
        const char *text = value(v, "heddle.units.%.0u%s", 0, unit_names[u]);
        unsigned warp = 0, pc = 1;
        bool known = false;
        sscanf(text, "w%2u 0x%x", &warp, &pc);
        for (size_t i = 0; i < l->n && !known; i++)
            known = l->c[i].pc == pc && l->c[i].slot == warp;
        if (*text && !known && u)
            fail_msg("cycle %llu: %s holds `%s'", (unsigned long long)v->time, unit_names[u], text);
        held[u] += known;
    }
}

/* What the writes of a whole run say that they write, in the order in which their data come. */
static unsigned writes(struct vcd *v, char (*last)[512], const struct log *l,
                       uint32_t memory[WORDS])
{
    unsigned partial = 0;
    for (unsigned i = 0; i < 16; i++) {
        char name[16], word[8][9];
        uint32_t addr, strobe;
        int bytes;
        snprintf(name, sizeof name, "write%02u", i);
        const char *text = value(v, "heddle.axi.%.0u%s", 0, name);
        if (!strcmp(last[i], text))
            continue;
        snprintf(last[i], sizeof last[i], "%s", text);
        if (sscanf(text,
                   "ID %*d LSU 0x%x, %d bytes, strobe %x, data %8s %8s %8s %8s %8s %8s %8s %8s",
                   &addr, &bytes, &strobe, word[0], word[1], word[2], word[3], word[4], word[5],
                   word[6], word[7]) != 11)
            continue;
        assert_int_equal(bytes, __builtin_popcount(strobe));
        partial += strobe != UINT32_MAX;
        for (unsigned b = 0; b < 32; b++)
            if (strobe >> b & 1 && addr - l->data + b < sizeof l->memory)
                ((uint8_t *)memory)[addr - l->data + b] =
                    (uint8_t)(strtoul(word[b / 4], NULL, 16) >> 8 * (b % 4));
    }
    return partial;
}

static void check(const char *text, bool stack_mode, bool rows_only, uint64_t from, uint64_t to)
{
    char fst[] = "/tmp/rowsXXXXXX";
    struct vcd v;
    char last[16][512] = { { 0 } };
    uint32_t memory[WORDS] = { 0 };
    size_t i = 0, seen = 0, spilled = 0, why = 0, partial = 0, held[UNITS] = { 0 };
    struct meeting m = { .live = { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX } };
    struct code code = { .known = false };
    uint64_t meetings = 0;                           /* a bit for each number of lanes */
    unsigned waits = 0;                              /* a bit for each reason */
    close(mkstemp(fst));
    struct log l = run(text, fst, rows_only, from, to);
    open_vcd(&v, fst);
    assert_int_equal(v.next, from);
    while (next_time(&v)) {
        while (i < l.n && l.c[i].cycle < v.time)
            meet(&m, &l.c[i++]);
        if (i < l.n && l.c[i].cycle == v.time) {
            meet(&m, &l.c[i]);
            meetings |= 1ull << met(&v, &m, l.c[i].slot / WARPS);
            compare(&v, &l.c[i], stack_mode, "heddle.w%02u.%s");
            if (!rows_only)
                compare(&v, &l.c[i], stack_mode, "heddle.model.w%02u.%s");
            const char *event = value(&v, "heddle.w%02u.%s", l.c[i].slot, "event");
            assert_int_equal(strstr(event, "release") != NULL, l.c[i].released != 0);
            assert_int_equal(strstr(event, "spill") != NULL, l.c[i].spilled != 0);
            assert_int_equal(strstr(event, "fill") != NULL, l.c[i].filled != 0);
            seen++;
        }
        bool commits = i < l.n && l.c[i].cycle == v.time;
        for (unsigned w = 0; w < SLOTS && rows_only && !stack_mode; w++)
            waits |= 1u << waits_for(&v, &l, i + commits, &m, &code, w);
        for (unsigned w = 0; w < SLOTS; w++)
            if (stack_mode)
                spilled += !strncmp(value(&v, "heddle.w%02u.%s", w, "token04"), "SPILLED", 7);
        partial += writes(&v, last, &l, memory);
        if (!rows_only)
            units(&v, &l, held);
        /* Where a warp's instruction is on its way to memory, that is why it issues nothing. */
        if (!rows_only)
            why += !strcmp(value(&v, "heddle.w%02u.%s", 0, "why"), "memory");
    }
    assert_true(v.time + 1 >= (to < l.c[l.n - 1].cycle ? to : l.c[l.n - 1].cycle));
    assert_true(seen > 100 && (spilled || !stack_mode) && (why || rows_only));
    assert_true(!rows_only || stack_mode || waits == (2u << WAITS) - 1);
    /* none, a part of a warp, one, and one more */
    assert_true(stack_mode || __builtin_popcountll(meetings) >= 4);
    if (rows_only) {
        assert_memory_equal(memory, l.memory, sizeof memory);
        assert_true(partial || stack_mode);
    }
    for (unsigned u = 0; u < UNITS && !rows_only; u++)
        if (!held[u] && !strstr("X_between_lanes F3_float F4_float L2_integer_late", unit_names[u]))
            /* the others execute what the program has not */
            fail_msg("%s holds no instruction", unit_names[u]);
    print_message("%zu of %zu commits in the waveform\n", seen, l.n);
    unlink(fst);
    free(v.s);
    free(l.c);
}

static void window_barriers(void **u) { (void)u; check(barriers, false, false, 60, 2800); }
static void window_stack(void **u) { (void)u; check(stacks, true, false, 300, 3300); }
static void whole_barriers(void **u) { (void)u; check(barriers, false, true, 0, UINT64_MAX); }
static void whole_stack(void **u) { (void)u; check(stacks, true, true, 0, UINT64_MAX); }

/* A difference in memory opens the view of memory, one in a record the view of lanes, with those
 * that differ. */
static void views(void **u)
{
    (void)u;
    static struct hd_device d;
    d.verdict.trouble = HD_TROUBLE_MEMORY;
    d.verdict.cycle = 1000;
    struct window w = wave_window(&d);
    assert_string_equal(w.view, "memory");
    assert_true(w.event == 1000 && w.from < 900 && w.to > 1080 && !w.apart);
    d.verdict.trouble = HD_TROUBLE_FIELD;
    d.verdict.diff.field = commit_fields;
    d.verdict.rtl.wait[7] = 1;
    d.verdict.model.npc[30] = 16;
    w = wave_window(&d);
    assert_string_equal(w.view, "difference");
    assert_int_equal(w.apart, 1u << 7 | 1u << 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(window_barriers), cmocka_unit_test(window_stack),
        cmocka_unit_test(whole_barriers),  cmocka_unit_test(whole_stack),
        cmocka_unit_test(views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
