/* Records the state of an H200's convergence unit before every instruction of small programs.
 * SPDX-License-Identifier: Apache-2.0
 *
 *     record SKELETON.cubin PROGRAMS [STATES]
 *
 * The skeleton (skeleton.pl) is one block of code that reads the unit by BMOV, writes a record and
 * leaves room for one control instruction.  The block is copied once for each instruction of a
 * program, so that all of its control flow is ours.  A program runs twice; one whose runs differ is
 * counted and left out.  The driver is opened at run time: nothing but a C compiler is needed.
 *
 * A program: `program NAME LANES`, then its instructions (programs.pl writes them).  `@`: guarded,
 * with the lanes of each visit; `^`: no record before it.  BRX and RET list each lane's target,
 * WARPSYNC and BMOV their mask.  After `states` a line for each record, up to `end`: instruction,
 * active lanes, and what has changed:
 *
 *     r y w kB  selectors 16 to 20, five bits a lane.  1: ready (or active), 3: yielded, 11: at a
 *               WARPSYNC, 16 + B: blocked on B, 0: exited.  2, 4 to 10 and 12 to 15 do not occur
 *     mB        selector B: participants of barrier B
 *     a p       23: lanes of the group deferred last; 21, 22: its PC as a place, 4k for the start
 *               of instruction k, + 2 for itself, + 3 for what follows, 65535 for none
 *     s         28: the stack, five bits an entry, its size from bit 25 on
 *     n         29, from bit 8 on: the pointer
 *
 * 24, 26, 27: exited, active, started; 25, 30, 31: zero. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LANES = 32, SLOTS = 48, RECORDS = 500, WORDS = 32, READS = 24, INSN = 16 };
enum { LOG_WORDS = (RECORDS + 1) * WORDS, DIR_WORDS = SLOTS * LANES };

/* BMOV's selectors in the order of a record's words: B0 to B7, then the unit's state. */
static const uint8_t selector[READS] = { 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23,
                                         24, 25, 26, 28, 29, 30, 31, 15 };

struct insn { uint64_t lo, hi; };

struct skeleton {
    uint8_t *elf;
    size_t size;
    struct insn *text;
    size_t n, begin, end;               /* the block: text[begin..end) */
    size_t wait, control;               /* where it waits for its loads; where the instruction goes */
    unsigned word;                      /* the register that holds the lane's direction word */
};

struct program {
    char name[64], *line[SLOTS];
    unsigned n, lanes;
    struct insn code[SLOTS];
    unsigned target[SLOTS];             /* of a branch: the instruction it goes to */
    bool branch[SLOTS], dense[SLOTS];   /* dense: without a record before it */
    uint32_t at[SLOTS + 1];             /* where it is, in instructions */
    uint32_t dir[SLOTS][LANES];
    bool indirect[SLOTS];
};

static void die(const char *what, const char *with)
{
    fprintf(stderr, "record: %s: %s\n", what, with);
    exit(2);
}

/* ---- machine code ---- */

static unsigned opcode(struct insn i)
{
    return i.lo & 0xfff;
}

/* The word with the stall count and the barriers to write, to read and to wait for.  A long stall
 * counts in full only with bit 4 clear. */
static uint64_t control(unsigned stall, unsigned write, unsigned read, unsigned wait)
{
    return (uint64_t)(stall | (stall < 9 ? 1u << 4 : 0) | write << 5 | read << 8 | wait << 11) << 41;
}

static struct insn nop(unsigned wait)
{
    return (struct insn){ 0x7918, control(15, 7, 7, wait) };
}

/* A branch's distance counts words of four bytes and is in two parts. */
static struct insn far(uint64_t op, uint64_t hi, int64_t distance)
{
    uint64_t words = (uint64_t)(distance / 4);
    return (struct insn){ op | (words & 255) << 16 | words >> 8 << 34,
                          hi | (distance < 0 ? 0x3ffff : 0) | control(5, 7, 7, 0) };
}

static size_t find(const struct skeleton *s, unsigned mark)
{
    for (size_t i = 0; i < s->n; i++)
        if (opcode(s->text[i]) == 0x801 && s->text[i].lo >> 32 == mark)
            return i;
    die("the skeleton lacks a mark", mark == 1 ? "1" : "2 to 4");
    return 0;
}

static void read_skeleton(struct skeleton *s, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        die("cannot open", path);
    s->elf = malloc(1 << 22);
    s->size = fread(s->elf, 1, 1 << 22, f);
    fclose(f);
    uint64_t table, names = 0;
    uint16_t dim[3];
    memcpy(&table, s->elf + 40, 8);
    memcpy(dim, s->elf + 58, 6);
    memcpy(&names, s->elf + table + (uint64_t)dim[2] * dim[0] + 24, 8);
    for (unsigned i = 0; i < dim[1]; i++) {
        uint32_t name;
        uint64_t at[2];
        memcpy(&name, s->elf + table + (uint64_t)i * dim[0], 4);
        memcpy(at, s->elf + table + (uint64_t)i * dim[0] + 24, 16);
        if (!strncmp((char *)s->elf + names + name, ".text", 5)) {
            s->text = (struct insn *)(s->elf + at[0]);
            s->n = at[1] / INSN;
        }
    }
    if (!s->text)
        die("no machine code in", path);
    s->begin = find(s, 1);
    s->wait = find(s, 2);
    s->control = find(s, 3);
    s->end = find(s, 4) + 1;
    for (size_t i = s->begin; i < s->wait; i++)
        if (opcode(s->text[i]) == 0x981)
            s->word = s->text[i].lo >> 16 & 255;
    if (s->begin + (s->end - s->begin) * SLOTS + 1 > s->n)
        die("too little room in", path);
}

/* Makes block k of the program at `to`. */
static void put_block(const struct skeleton *s, struct insn *to, const struct program *p, unsigned k)
{
    unsigned reads = 0;
    size_t n = s->end - s->begin;
    memcpy(to, s->text + s->begin, n * sizeof *to);
    to[0] = nop(0x3f);
    to[s->wait - s->begin] = nop(0x3f);
    to[n - 1] = nop(0);
    for (size_t i = 1; i < s->wait - s->begin; i++) {
        uint64_t reg = to[i].lo & 0xff0000;
        if (opcode(to[i]) == 0x805 && reads <= READS) {
            if (!reads)                             /* VIADD reg, RZ, k */
                to[i] = (struct insn){ (uint64_t)k << 32 | 0xff007836 | reg, control(6, 7, 7, 0) };
            else                                    /* BMOV.32 reg, selector */
                to[i] = (struct insn){ 0x7355 | reg | (uint64_t)selector[reads - 1] << 24,
                                       control(5, 0, 7, reads > 1) };
            reads++;
        } else if (p->indirect[k] && opcode(to[i]) == 0x819) {
            to[i].lo = (to[i].lo & 0xffffffff) | 31ull << 32;   /* the high word of the target: 0 */
        } else if (p->indirect[k] && opcode(to[i]) == 0x986 && to[i].lo >> 32 == s->word + 1) {
            to[i].lo = (to[i].lo & 0xffffffff) | (uint64_t)s->word << 32;
        }
    }
    struct insn c = p->code[k];
    uint64_t guard = to[s->control - s->begin].lo & 0xf000;
    if (!(c.lo & 0xf000))
        c.lo |= guard;
    to[s->control - s->begin] = c;
}

static void patch(const struct skeleton *s, uint8_t *elf, const struct program *p)
{
    memcpy(elf, s->elf, s->size);
    struct insn *text = (struct insn *)(elf + ((uint8_t *)s->text - s->elf));
    for (size_t i = 0; i < s->begin; i++)
        if (opcode(text[i]) == 0x945 || opcode(text[i]) == 0x946)
            text[i] = nop(0);
    for (unsigned k = 0; k < p->n; k++)
        if (p->dense[k])
            text[p->at[k]] = p->code[k];
        else
            put_block(s, text + p->at[k], p, k);
    text[p->at[p->n]] = (struct insn){ 0x794d, 0x3800000 | control(5, 7, 7, 0) };
}

/* ---- programs ---- */

/* The address of instruction k: of its block, or of itself where it has none. */
static int64_t address(const struct program *p, unsigned k)
{
    return (int64_t)p->at[k] * INSN;
}

/* Lays the program out: branches get their distances, indirect ones their targets. */
static void place(const struct skeleton *s, struct program *p)
{
    p->at[0] = (uint32_t)s->begin;
    for (unsigned k = 0; k < p->n; k++)
        p->at[k + 1] = p->at[k] + (p->dense[k] ? 1 : (uint32_t)(s->end - s->begin));
    for (unsigned k = 0; k < p->n; k++) {
        int64_t next = address(p, k) + (p->dense[k] ? 1 : (int64_t)(s->control - s->begin + 1)) * INSN;
        if (p->branch[k]) {
            int64_t to = p->indirect[k] ? 0 : address(p, p->target[k]);
            struct insn f = far(p->code[k].lo, p->code[k].hi & ~(0x1fffffull << 41), to - next);
            p->code[k] = f;
        }
        for (unsigned l = 0; p->branch[k] && p->indirect[k] && l < LANES; l++)
            p->dir[k][l] = (uint32_t)address(p, p->dir[k][l]);
    }
}

/* One line: `[@]NAME [operand] [: words]`.  Words: the guard's lanes, one mask a visit; for BRX and
 * RET the target of each lane. */
static bool parse(const struct skeleton *s, struct program *p, char *line)
{
    static const struct { const char *name; uint64_t op, hi; } plain[] = {
        { "NOP", 0x918, 0 }, { "YIELD", 0x946, 0x3800000 }, { "EXIT", 0x94d, 0x3800000 },
        { "WARPSYNC.ALL", 0x948, 0x3800000 }, { "BAR", 0xb1d, 0x10000 } };
    unsigned k = p->n++;
    p->line[k] = strdup(line);
    p->dense[k] = *line == '^';
    line += p->dense[k];
    bool guard = *line == '@';
    char name[16], *words = strchr(line, ':');
    unsigned arg = 0;
    uint64_t g = guard ? 0 : 0x7000;
    if (k >= SLOTS - 1 || sscanf(line + guard, "%15s %u", name, &arg) < 1)
        return false;
    struct insn *c = &p->code[k];
    bool known = true;
    if (!strcmp(name, "BRA"))
        *c = (struct insn){ 0x947 | g, 0x3800000 };
    else if (!strcmp(name, "CALL"))
        *c = (struct insn){ 0x944 | g, 0x3c00000 };
    else if (!strcmp(name, "BRX"))
        *c = (struct insn){ 0x949 | g | (uint64_t)s->word << 24, 0x3800000 };
    else if (!strcmp(name, "RET"))
        *c = (struct insn){ 0x950 | g | (uint64_t)s->word << 24, 0x3c00000 };
    else if (!strcmp(name, "BSSY"))
        *c = (struct insn){ 0x945 | g | arg << 16, 0x3800000 | control(5, 7, 7, 0) };
    else if (!strcmp(name, "BSYNC"))
        *c = (struct insn){ 0x941 | g | arg << 16, 0x3800000 | control(5, 7, 7, 0) };
    else if (!strcmp(name, "BREAK"))
        *c = (struct insn){ 0x942 | g | arg << 16, 0x3800000 | control(5, 7, 7, 0) };
    else if (!strcmp(name, "WARPSYNC"))         /* of the lane's word */
        *c = (struct insn){ 0x348 | g | (uint64_t)s->word << 24, 0x3800000 | control(5, 7, 7, 0) };
    else if (!strcmp(name, "BMOV"))             /* into the barrier register */
        *c = (struct insn){ 0x356 | g | (uint64_t)arg << 24 | (uint64_t)s->word << 32, control(5, 7, 0, 0) };
    else if (!strcmp(name, "BMOV.CLEAR"))       /* out of it, into a register that is free by now */
        *c = (struct insn){ 0x355 | g | (uint64_t)(s->word + 1) << 16 | (uint64_t)arg << 24,
                            0x100000 | control(5, 0, 7, 0) };
    else
        known = false;
    for (size_t i = 0; i < sizeof plain / sizeof *plain && !known; i++)
        if ((known = !strcmp(name, plain[i].name)))
            *c = (struct insn){ plain[i].op | g, plain[i].hi | control(5, 7, 7, 0) };
    p->indirect[k] = !strcmp(name, "BRX") || !strcmp(name, "RET") || !strcmp(name, "WARPSYNC") ||
                     !strcmp(name, "BMOV");
    p->target[k] = arg;
    p->branch[k] = !strcmp(name, "BRA") || !strcmp(name, "CALL") || !strcmp(name, "BRX") || !strcmp(name, "RET");
    bool to = !strcmp(name, "BRX") || !strcmp(name, "RET");
    for (unsigned i = 0; words && *words && i < LANES; i++) {
        char *end;
        uint32_t m = (uint32_t)strtoul(words + 1, &end, to ? 10 : 16);
        if (end == words + 1)
            break;
        words = end;
        for (unsigned l = 0; l < LANES; l++) {
            if (to)
                p->dir[k][i] = m;
            else if (p->indirect[k])
                p->dir[k][l] = m;
            else
                p->dir[k][l] |= (m >> l & 1) << i;
        }
    }
    return known;
}

/* ---- the driver ---- */

static struct {
    int (*init)(unsigned), (*device)(int *, int), (*context)(void **, int), (*make)(void **, unsigned, int);
    int (*load)(void **, const void *), (*function)(void **, void *, const char *), (*unload)(void *);
    int (*alloc)(uint64_t *, size_t), (*zero)(uint64_t, unsigned, size_t);
    int (*write)(uint64_t, const void *, size_t), (*read)(void *, uint64_t, size_t), (*sync)(void);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void *, void **, void **);
} cu;

static void *symbol(void *lib, const char *name)
{
    void *f = dlsym(lib, name);
    if (!f)
        die("the driver lacks", name);
    return f;
}

static void ok(int code, const char *what)
{
    if (code) {
        fprintf(stderr, "record: %s: error %d\n", what, code);
        exit(1);
    }
}

#define SYMBOL(field, name) *(void **)&cu.field = symbol(lib, name)
static void open_driver(uint64_t *log, uint64_t *dir)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW), *context;
    int device;
    if (!lib)
        die("no NVIDIA driver", "libcuda.so.1");
    SYMBOL(init, "cuInit");
    SYMBOL(device, "cuDeviceGet");
    SYMBOL(context, "cuDevicePrimaryCtxRetain");
    SYMBOL(load, "cuModuleLoadData");
    SYMBOL(function, "cuModuleGetFunction");
    SYMBOL(unload, "cuModuleUnload");
    SYMBOL(alloc, "cuMemAlloc_v2");
    SYMBOL(zero, "cuMemsetD32_v2");
    SYMBOL(write, "cuMemcpyHtoD_v2");
    SYMBOL(read, "cuMemcpyDtoH_v2");
    SYMBOL(sync, "cuCtxSynchronize");
    SYMBOL(launch, "cuLaunchKernel");
    int (*current)(void *);
    *(void **)&current = symbol(lib, "cuCtxSetCurrent");
    ok(cu.init(0), "cuInit");
    ok(cu.device(&device, 0), "cuDeviceGet");
    ok(cu.context(&context, device), "cuDevicePrimaryCtxRetain");
    ok(current(context), "cuCtxSetCurrent");
    ok(cu.alloc(log, LOG_WORDS * 4), "cuMemAlloc");
    ok(cu.alloc(dir, DIR_WORDS * 4), "cuMemAlloc");
}

static void run(const uint8_t *elf, const struct program *p, uint64_t log, uint64_t dir, uint32_t *out)
{
    void *module, *kernel, *params[] = { &log, &dir };
    ok(cu.load(&module, elf), "cuModuleLoadData");
    ok(cu.function(&kernel, module, "k"), "cuModuleGetFunction");
    ok(cu.zero(log, 0, LOG_WORDS), "cuMemsetD32");
    ok(cu.write(dir, p->dir, sizeof p->dir), "cuMemcpyHtoD");
    ok(cu.launch(kernel, 1, 1, 1, p->lanes, 1, 1, 0, NULL, params, NULL), "cuLaunchKernel");
    ok(cu.sync(), p->name);
    ok(cu.read(out, log, LOG_WORDS * 4), "cuMemcpyDtoH");
    ok(cu.unload(module), "cuModuleUnload");
}

/* ---- recordings ---- */

/* The words of a record that say what the unit did: no clock, no PC. */
static bool same(const uint32_t *a, const uint32_t *b)
{
    for (unsigned i = 0; i < LOG_WORDS; i++) {
        unsigned w = i % WORDS;
        if (a[i] != b[i] && w != READS + 2 && w != 14 && w != 15)
            return false;
    }
    return true;
}

static unsigned records(const uint32_t *log)
{
    unsigned n = 0;
    while (n < RECORDS && log[n * WORDS + READS + 1])
        n++;
    return n;
}

/* The lanes in state `state`: one bit of it in each of five words. */
static uint32_t in_state(const uint32_t *r, unsigned state)
{
    uint32_t m = ~0u;
    for (unsigned i = 0; i < 5; i++)
        m &= state >> i & 1 ? r[9 + i] : ~r[9 + i];
    return m;
}

/* Where the deferred group stands, as harness/states/unit.h numbers places.  The code of a kernel
 * begins at a multiple of 64 KiB. */
static uint32_t place_of(const struct skeleton *s, const struct program *p, const uint32_t *r)
{
    uint32_t at = (r[14] & 0xffff) / INSN, k = 0;
    if (!r[14] && !r[15])
        return 0xffff;
    while (k < p->n && p->at[k + 1] <= at)
        k++;
    at -= p->at[k];
    return 4 * k + (p->dense[k] || !at ? 0 : at == s->control - s->begin ? 2 : 3);
}

struct fields { uint32_t value[40]; };

static void field(FILE *f, struct fields *was, unsigned i, const char *key, uint32_t v, bool decimal)
{
    if (was->value[i] != v)
        fprintf(f, decimal ? " %s=%u" : " %s=%x", key, v);
    was->value[i] = v;
}

/* One line a record: the instruction, the lanes that run, and what has changed. */
static void put_record(FILE *f, const struct skeleton *s, const struct program *p,
                       const uint32_t *r, struct fields *was)
{
    uint32_t active = r[READS + 1], known = in_state(r, 0) | in_state(r, 1) | in_state(r, 3) |
                                            in_state(r, 11);
    char key[8];
    fprintf(f, "%u %x", r[0], active);
    field(f, was, 0, "r", in_state(r, 1) & ~active, false);
    field(f, was, 1, "y", in_state(r, 3), false);
    field(f, was, 2, "w", in_state(r, 11), false);
    for (unsigned b = 0; b < 16; b++) {
        snprintf(key, sizeof key, "k%u", b);
        field(f, was, 3 + b, key, in_state(r, 16 + b), false);
        known |= in_state(r, 16 + b);
    }
    for (unsigned b = 0; b < 8; b++) {
        snprintf(key, sizeof key, "m%u", b);
        field(f, was, 19 + b, key, r[1 + b], false);
    }
    field(f, was, 27, "a", r[16], false);
    field(f, was, 28, "p", place_of(s, p, r), true);
    if (was->value[29] != r[20]) {
        for (unsigned i = 0; i < r[20] >> 25 && i < 5; i++)
            fprintf(f, "%s%u", i ? "," : " s=", r[20] >> 5 * i & 31);
        fprintf(f, r[20] >> 25 ? "" : " s=-");
        was->value[29] = r[20];
    }
    field(f, was, 30, "n", r[21] >> 8, true);
    fputc('\n', f);
    if (~known || r[18] || r[22] || r[23] || r[17] != in_state(r, 0) || r[19] != active)
        die("a state that is not known, in program", p->name);
}

static void put(FILE *f, const struct skeleton *s, const struct program *p, const uint32_t *log)
{
    struct fields was = { .value = { [28] = 0xffff } };
    fprintf(f, "program %s %u\n", p->name, p->lanes);
    for (unsigned k = 0; k < p->n; k++)
        fputs(p->line[k], f);
    fputs("states\n", f);
    for (unsigned i = 0; i < records(log); i++)
        put_record(f, s, p, log + i * WORDS, &was);
    fputs("end\n", f);
}

int main(int argc, char **argv)
{
    static struct program p;
    static uint32_t one[LOG_WORDS], two[LOG_WORDS];
    struct skeleton s = { 0 };
    if (argc < 3)
        die("use", "record SKELETON.cubin PROGRAMS [OUT]");
    read_skeleton(&s, argv[1]);
    uint8_t *elf = malloc(s.size);
    FILE *in = fopen(argv[2], "r"), *out = argc > 3 ? fopen(argv[3], "wb") : NULL;
    uint64_t log = 0, dir = 0;
    if (!in || (argc > 3 && !out))
        die("cannot open", argv[2]);
    if (out)
        open_driver(&log, &dir);
    unsigned n = 0, differ = 0;
    time_t start = time(NULL);
    for (char line[1024]; fgets(line, sizeof line, in);) {
        if (!strncmp(line, "program ", 8)) {
            memset(&p, 0, sizeof p);
            p.lanes = LANES;
            sscanf(line + 8, "%63s %u", p.name, &p.lanes);
        } else if (!strncmp(line, "end", 3)) {
            place(&s, &p);
            patch(&s, elf, &p);
            if (!out) {
                FILE *f = fopen("patched.cubin", "wb");
                fwrite(elf, 1, s.size, f);
                fclose(f);
                continue;
            }
            run(elf, &p, log, dir, one);
            run(elf, &p, log, dir, two);
            n++;
            if (same(one, two))
                put(out, &s, &p, one);
            else
                differ++;
        } else if (*line > ' ' && *line != '#' && !parse(&s, &p, line)) {
            die("not an instruction", line);
        }
    }
    printf("record: %u programs, %u of them differ between two runs, %ld s\n", n, differ,
           (long)(time(NULL) - start));
    return 0;
}
