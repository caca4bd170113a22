/* Judges what header functions answer: Heddle's answers against those that an H200 recorded.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   judge functions.tsv h200.txt RAW...                 RAW: what the programs of generate.pl wrote
 *   judge --pack functions.tsv LEFT_OUT RAW             prints h200.txt, of what record.sh brought
 *
 * A row of h200.txt is `prototype, side, answers'.  Of an exact function: a sum of each BLOCK
 * cases.  Of one within a bound: how many numbers each answer lies above the one nearest to the
 * exact value (truth.c), n for a NaN where that is none, = before the bits where that is a NaN, -
 * after a zero below zero.  A NaN's bits count in rows that say `bits' alone. */
#include "judge.h"
#include <math.h>
#include <stdlib.h>

enum { BLOCK = 32, MAX_ROWS = 4000, TEXT = CASES * 4 * 24 };
enum how { EXACT, BITS, BOUND };
struct row {
    char prototype[200], name[64], sides[4], text[64];
    enum how how;
    double ulp, slope, absolute, limit;              /* ULP + SLOPE x or ABSOLUTE within LIMIT */
    int args, words, parts, arg_parts;
    struct type arg[MAX_ARGS];
    struct part part[MAX_PARTS];
    const char *recorded[2];                         /* of the device, of the host */
    bool as_host, unrecorded;
};
static struct row rows[MAX_ROWS];
static int count, failures;

static void die(const char *what, const char *which)
{
    fprintf(stderr, "judge: %s: %s\n", what, which);
    exit(2);
}

/* ---- functions.tsv ---- */
static void add_parts(struct row *r, const char *type)
{
    struct type t;
    if (!type_of(type, &t)) die("a type that is not known", r->prototype);
    for (int k = 0; k < t.parts; k++) {
        r->part[r->parts] = t.part[k];
        r->part[r->parts++].word += r->words;
    }
    r->words += t.words;
}

static void read_prototype(struct row *r)
{
    char *copy = strdup(r->prototype), *paren = strchr(copy, '('), *name = strstr(copy, "operator");
    copy[strlen(copy) - 1] = 0;
    if (paren != strrchr(copy, '(')) name = paren, paren = strrchr(copy, '(');   /* T (T)(A) */
    if (!name)
        for (name = paren; name[-1] != ' '; name--) ;
    *paren = 0;
    snprintf(r->name, sizeof r->name, "%s", name);
    name[-1] = 0;
    if (strcmp(copy, "void") && !strchr(copy, '&')) add_parts(r, copy);
    for (char *a = strtok(paren + 1, ","); a; a = strtok(NULL, ",")) {
        while (*a == ' ') a++;
        size_t len = strlen(a);
        char out = a[len - 1];
        if (out == '*' || out == '&') a[len - 2] = 0, add_parts(r, a);
        if (!type_of(a, &r->arg[r->args])) die("a type that is not known", r->prototype);
        if (out == '*') r->arg[r->args].parts = 0;
        r->arg_parts += r->arg[r->args].parts, r->args++;
    }
    free(copy);
}

static double number(char *s, char **end)
{
    return !strncmp(s, "2^", 2) ? exp2(strtod(s + 2, end)) : strtod(s, end);
}
static void read_how(struct row *r)
{
    char *s;
    if (!strcmp(r->text, "exact")) return;
    if (!strcmp(r->text, "bits")) { r->how = BITS; return; }
    if (!strcmp(r->text, "exact, as on the host")) { r->as_host = true; return; }
    r->how = BOUND, r->ulp = strtod(r->text, &s), r->limit = INFINITY;
    if (strncmp(s, " ulp", 4)) die("neither exact nor a bound", r->prototype);
    s += 4;
    if (!strncmp(s, " + ", 3)) r->slope = strtod(s + 3, &s), s += !strncmp(s, " x", 2) ? 2 : 0;
    if (!strncmp(s, " or ", 4)) r->absolute = number(s + 4, &s);
    if (!strncmp(s, " within ", 8)) r->limit = strtod(s + 8, &s);
    if (*s) die("neither exact nor a bound", r->prototype);
}

static void read_rows(const char *path)
{
    static char line[190];
    FILE *f = fopen(path, "r");
    if (!f) die("cannot be read", path);
    while (fgets(line, sizeof line, f)) {
        struct row *r = &rows[count];
        char *tab = strchr(line, '\t'), *tab2 = tab ? strchr(tab + 1, '\t') : NULL;
        if (*line == '#' || !tab2) continue;
        tab2[strcspn(tab2, "\n")] = 0, *tab = *tab2 = 0;
        if (!strncmp(tab2 + 1, "elsewhere", 9) || !strncmp(tab2 + 1, "refused", 7)) continue;
        memcpy(r->prototype, line, strlen(line) + 1);
        snprintf(r->sides, sizeof r->sides, "%s", tab + 1);
        snprintf(r->text, sizeof r->text, "%s", tab2 + 1);
        read_prototype(r), read_how(r);
        if (++count == MAX_ROWS) die("too many rows", path);
    }
    fclose(f);
}
static struct row *row_of(const char *prototype)
{
    for (int k = 0; k < count; k++)
        if (!strcmp(rows[k].prototype, prototype)) return &rows[k];
    return NULL;
}

/* ---- one case ---- */
/* The name whose arguments are not of the whole type (generate.pl). */
static enum kind kind_of(const struct row *r, int arg, enum kind k)
{
    size_t len = strlen(r->name);
    if (!strcmp(r->name, "__fns")) return arg == 1 ? LANE : arg == 2 ? OFFSET : k;
    return arg == 0 && len < 4 && (r->name[0] == 'j' || r->name[0] == 'y') && r->name[1] == 'n'
         ? ORDER : k;
}
static word argument(const struct row *r, int arg, int e, int i)
{
    const struct type *t = &r->arg[arg];
    return argument_of(kind_of(r, arg, t->part[e].kind), r->args * t->parts, arg * t->parts + e, i);
}
static word part_of(const word *out, const struct part *p, int i)
{
    word w = out[p->word * CASES + i] >> p->shift;
    return p->width == 64 ? w : w & ((1ull << p->width) - 1);
}
static unsigned sum_on(unsigned crc, word w)
{
    for (int b = 0; b < 8; b++) {
        crc ^= (unsigned)(w >> 8 * b & 255);
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return crc;
}
/* A signalling NaN is among the arguments: what a host's library makes of it is its own. */
static bool signals(const struct row *r, int i)
{
    for (int a = 0; a < r->args; a++)
        for (int e = 0; e < r->arg[a].parts; e++) {
            enum kind k = r->arg[a].part[e].kind;
            word w = argument(r, a, e, i);
            if (is_nan_bits(k, w) && !(w >> (format_of(k).precision - 2) & 1)) return true;
        }
    return false;
}
static unsigned sum_of(const struct row *r, const word *out, int block, bool host)
{
    unsigned crc = ~0u;
    for (int i = block * BLOCK; i < (block + 1) * BLOCK; i++)
        for (int p = 0; p < r->parts && !(host && signals(r, i)); p++) {
            word w = part_of(out, &r->part[p], i);
            if (r->how == EXACT && is_nan_bits(r->part[p].kind, w)) w = ~0ull;
            crc = sum_on(crc, w);
        }
    return ~crc;
}
/* The exact value of part p in case i, of x, the arguments. */
static void truth(const struct row *r, int p, int i, mpfr_t exact, double *value)
{
    mpfr_t x[MAX_ARGS];
    int n = 0, e = r->part[p].shift / r->part[p].width;
    for (int a = 0; a < r->args; a++) {
        const struct type *t = &r->arg[a];
        if (!t->parts) continue;
        const struct part *q = &t->part[t->parts > 1 ? e : 0];
        word w = argument(r, a, t->parts > 1 ? e : 0, i);
        if (q->width < 64) w &= (1ull << q->width) - 1;
        mpfr_init2(x[n], 64);
        value[n] = value_of(q->kind, q->sign, w);
        mpfr_set_d(x[n], value[n], MPFR_RNDN), n++;
    }
    if (!truth_of(r->name, p, exact, x, n)) die("whose exact value is not known", r->prototype);
    for (int k = 0; k < n; k++) mpfr_clear(x[k]);
}

/* What SLOPE is for: the first argument; of __powf, whose logarithm has an error of its own, and of
 * __tanf, how much theirs counts. */
static double steepness(const struct row *r, const double *x)
{
    if (!strcmp(r->name, "__powf")) return fabs(x[1]) * fmax(1, fabs(log2(x[0])));
    if (!strcmp(r->name, "__tanf")) return 1 / fabs(sin(x[0])) + 1 / fabs(cos(x[0]));
    return fabs(x[0]);
}
/* Does `got' lie within the bound of the exact value? */
static bool within(const struct row *r, enum kind k, word got, mpfr_t exact, const double *x)
{
    struct format f = format_of(k);
    if (is_nan_bits(k, got) || mpfr_nan_p(exact)) return is_nan_bits(k, got) && mpfr_nan_p(exact);
    if (fabs(x[0]) > r->limit) return true;          /* nothing is promised there */
    double v = value_of(k, true, got), bound = r->ulp;
    if (r->slope > 0) bound += floor(r->slope * steepness(r, x));
    if (mpfr_inf_p(exact)) return isinf(v) && (v < 0) == (mpfr_sgn(exact) < 0);
    mpfr_t off, past;                                /* past: the number that infinity stands for */
    mpfr_init2(off, mpfr_get_prec(exact)), mpfr_init2(past, mpfr_get_prec(exact));
    mpfr_set_si_2exp(past, mpfr_sgn(exact) < 0 ? -1 : 1, f.most + 1, MPFR_RNDN);
    if (mpfr_cmpabs(exact, past) < 0) mpfr_set(past, exact, MPFR_RNDN);
    if (isinf(v)) {
        mpfr_set_si_2exp(off, v < 0 ? -1 : 1, f.most + 1, MPFR_RNDN);
        mpfr_sub(off, off, past, MPFR_RNDN);
    } else {
        mpfr_d_sub(off, v, past, MPFR_RNDN);
    }
    mpfr_clear(past);
    mpfr_abs(off, off, MPFR_RNDN);
    bool ok = r->absolute > 0 && mpfr_cmp_d(off, r->absolute) <= 0;
    long e = mpfr_zero_p(exact) ? f.least : mpfr_get_exp(exact) - 1;
    e = e < f.least ? f.least : e;
    mpfr_mul_2si(off, off, f.precision - 1 - (e > f.most ? f.most : e), MPFR_RNDN);
    ok = ok || mpfr_cmp_d(off, bound) <= 0;
    mpfr_clear(off);
    return ok;
}

static void say(const struct row *r, const char *side, int i, const char *what)
{
    if (++failures > 200) return;
    printf("FAIL: %s, %s: case %d (", r->prototype, side, i);
    for (int a = 0; a < r->args; a++)
        for (int e = 0; e < r->arg[a].parts; e++) {
            const struct part *p = &r->arg[a].part[e];
            word w = argument(r, a, e, i) & (p->width == 64 ? ~0ull : (1ull << p->width) - 1);
            printf("%s%0*llx", a || e ? ", " : "", p->width / 4, w);
        }
    printf("): %s\n", what);
}

/* ---- pack ---- */
static void answer(char *to, enum kind k, word got, mpfr_t exact)
{
    bool nan = is_nan_bits(k, got);
    if (nan || mpfr_nan_p(exact)) {
        if (nan && mpfr_nan_p(exact)) strcpy(to, "0");
        else if (nan) strcpy(to, "n");
        else sprintf(to, "=%llx", got);
        return;
    }
    long long d = order_of(k, got) - order_of_exact(k, exact);
    sprintf(to, "%lld%s", d, !order_of(k, got) && got ? "-" : "");
}
static int precision_of(const struct row *r) { return r->part[0].kind == F64 ? 160 : 100; }

static void pack_row(const struct row *r, const char *side, const word *out)
{
    printf("%s\t%s\t", r->prototype, side);
    if (r->how != BOUND) {
        for (int b = 0; b < CASES / BLOCK; b++) printf("%08x", sum_of(r, out, b, *side == 'H'));
    } else {
        mpfr_t exact;
        int beyond = 0;
        mpfr_init2(exact, precision_of(r));
        for (int i = 0; i < CASES; i++)
            for (int p = 0; p < r->parts; p++) {
                char text[40];
                double x[MAX_ARGS];
                word got = part_of(out, &r->part[p], i);
                truth(r, p, i, exact, x);
                beyond += !within(r, r->part[p].kind, got, exact, x);
                answer(text, r->part[p].kind, got, exact);
                printf("%s%s", i || p ? " " : "", text);
            }
        mpfr_clear(exact);
        if (beyond)
            fprintf(stderr, "%s, %s: %d answers of the GPU beyond %s\n", r->prototype, side, beyond,
                    r->text);
    }
    printf("\n");
}

/* ---- judge ---- */
static void judge_bound(const struct row *r, const char *side, const word *out,
                        const char *recorded)
{
    mpfr_t exact;
    int bad = 0;
    mpfr_init2(exact, precision_of(r));
    const char *s = recorded;
    for (int i = 0; i < CASES; i++)
        for (int p = 0; p < r->parts; p++) {
            char want[40], have[40], what[120];
            double x[MAX_ARGS];
            int len = 0;
            enum kind k = r->part[p].kind;
            if (sscanf(s, "%39s%n", want, &len) != 1) die("recorded too short", r->prototype);
            s += len;
            word got = part_of(out, &r->part[p], i);
            truth(r, p, i, exact, x);
            answer(have, k, got, exact);
            if (!strcmp(have, want)) continue;
            bool ok = within(r, k, got, exact, x), plain = strcspn(want, "n=") == strlen(want);
            if (plain && !mpfr_nan_p(exact))         /* where the H200 is beyond, twice as far */
                ok = ok || (strcspn(have, "n=") == strlen(have) &&
                            fabs(atof(have)) <= 2 * fabs(atof(want)));
            if (plain && !order_of(k, got) && !order_of_exact(k, exact) && !atof(want) &&
                !strchr(have, '-') != !strchr(want, '-'))
                ok = false;                          /* a zero's sign */
            if (ok) continue;
            snprintf(what, sizeof what, "%llx is %s from the nearest, the H200's %s (%s)",
                     got, have, want, r->text);
            if (bad++ < 3) say(r, side, i, what);
        }
    mpfr_clear(exact);
    if (bad > 3)
        printf("      %s, %s: %d of %d\n", r->prototype, side, bad, CASES * r->parts);
}
static void judge_exact(const struct row *r, const char *side, const word *out,
                        const char *recorded)
{
    int bad = 0;
    for (int b = 0; b < CASES / BLOCK; b++) {
        unsigned want, have = sum_of(r, out, b, *side == 'h' || r->as_host);
        if (sscanf(recorded + 8 * b, "%8x", &want) != 1) die("recorded too short", r->prototype);
        if (have != want && !bad++) {
            char what[80];
            snprintf(what, sizeof what, "to %d: %llx and the next, not the H200's",
                     b * BLOCK + BLOCK - 1, part_of(out, &r->part[0], b * BLOCK));
            say(r, side, b * BLOCK, what);
        }
    }
    if (bad > 1)
        printf("      %s, %s: %d of %d blocks\n", r->prototype, side, bad, CASES / BLOCK);
}

static char *whole(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = malloc(64 << 20);
    if (!f || !text) die("cannot be read", path);
    text[fread(text, 1, (64 << 20) - 1, f)] = 0;
    fclose(f);
    return text;
}
static void read_recorded(char *text)
{
    for (char *l = strtok(text, "\n"); l; l = strtok(NULL, "\n")) {
        char *tab = strchr(l, '\t');
        if (*l == '#' || !tab) continue;
        *tab = 0;
        struct row *r = row_of(l);
        if (!r) {
            printf("FAIL: %s: recorded, and not in the list\n", l), failures++;
            continue;
        }
        r->recorded[tab[1] == 'H'] = tab + 3;
    }
}

/* The programs' answers, one file after the other. */
struct answers { char **file; FILE *f; };
static void next_answers(struct answers *a, const struct row *r, word *out, word *same)
{
    while (*a->file) {
        if (!a->f) a->f = fopen(*a->file, "rb");
        if (!a->f) die("cannot be read", *a->file);
        if (fread(out, sizeof(word) * CASES, (size_t)r->words, a->f) == (size_t)r->words) {
            if (fread(same, sizeof *same, 1, a->f) == 1) return;
            break;
        }
        fclose(a->f), a->f = NULL, a->file++;
    }
    die("no answers", r->prototype);
}

enum side { DEVICE, HEDDLE_CC, HOST, SIDES };
static const char letters[] = "DCH";
static void pack_all(const char *left_out, struct answers *a)
{
    static word out[MAX_PARTS * CASES], same;
    for (struct row *r = rows; r < rows + count; r++) {
        char key[sizeof r->prototype + 2];
        snprintf(key, sizeof key, "%.199s\n", r->prototype);
        if (strstr(left_out, key)) {
            fprintf(stderr, "not recorded: %s", key);
            continue;
        }
        for (int s = 0; s < SIDES; s++) {
            if (s == HEDDLE_CC || !strchr(r->sides, letters[s])) continue;
            next_answers(a, r, out, &same);
            if (!same) fprintf(stderr, "another type: %s\n", r->prototype);
            if (s == HOST || !r->as_host) pack_row(r, s == HOST ? "H" : "D", out);
        }
    }
}
static void judge_row(struct row *r, struct answers *a)
{
    static const char *const names[] = { "device", "device, heddle cc", "host" };
    static word out[MAX_PARTS * CASES], same;
    for (int s = 0; s < SIDES; s++) {
        if (!strchr(r->sides, letters[s])) continue;
        next_answers(a, r, out, &same);
        const char *recorded = r->recorded[s == HOST || r->as_host], *wrong = NULL;
        if (!same) wrong = "another type";
        if (!recorded) wrong = "the H200's answers are missing", r->unrecorded = true;
        if (wrong) printf("FAIL: %s, %s: %s\n", r->prototype, names[s], wrong), failures++;
        if (!recorded) continue;
        if (r->how == BOUND) judge_bound(r, names[s], out, recorded);
        else judge_exact(r, names[s], out, recorded);
    }
}

int main(int argc, char **argv)
{
    bool pack = argc == 5 && !strcmp(argv[1], "--pack");
    int exact = 0, bound = 0, missing = 0;
    if (argc < 4)
        return fprintf(stderr, "usage: judge [--pack] functions.tsv h200.txt|LEFT_OUT RAW...\n"), 2;
    read_rows(argv[pack ? 2 : 1]);
    if (!count) die("holds no rows", argv[pack ? 2 : 1]);
    char *text = whole(argv[pack ? 3 : 2]);
    struct answers a = { argv + (pack ? 4 : 3), NULL };
    if (pack) return pack_all(text, &a), 0;
    read_recorded(text);
    for (struct row *r = rows; r < rows + count; r++) {
        int before = failures;
        judge_row(r, &a);
        missing += r->unrecorded;
        if (failures == before) *(r->how == BOUND ? &bound : &exact) += 1;
    }
    truth_forget(), free(text);
    printf("judge: %d functions: %d exact, %d within bounds, %d wrong, missing %d\n", count, exact,
           bound, count - exact - bound, missing);
    return failures != 0;
}
