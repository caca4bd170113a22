/* Of a circuit in ASCII AIGER, with inputs mutsel[..] fixed to K, the cone of its output in binary
 * AIGER.
 * SPDX-License-Identifier: Apache-2.0
 *
 * use: cofactor FILE.aag OUT K...      for each K: OUT.K.aig, and OUT.K.in, its inputs' names in
 *                                      their
 * order; prints `K equal' and writes nothing where the output is 0 by now.
 *
 * Equal gates are made once (structural hashing).  The circuit holds a unit twice, with and without
 * a mutant, so of the two copies only what the mutant reaches is left, and a solver has a hundredth
 * of the work.  ABC, which goes on from here, has no command that fixes an input of a file. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t u32;
struct gate { u32 out, a, b; };                 /* literals, as in the file */
struct circuit {
    u32 vars, inputs, gates, output;
    u32 *input;                             /* literals */
    int *select;                            /* the bit of mutsel that an input is, -1: none */
    char (*name)[64];
    struct gate *gate;
};
/* What is made: variables 1 to n; those up to `inputs` are inputs, the others ANDs.  map: the
 * literal of an old variable; slot: a hash table of ANDs. */
struct made { u32 n, inputs, mask, *a, *b, *slot, *map; };

static void *get(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    if (!p)
        fprintf(stderr, "cofactor: no memory\n"), exit(4);
    return p;
}

static void fail(const char *path, const char *what)
{
    fprintf(stderr, "cofactor: %s: %s\n", path, what);
    exit(2);
}

static u32 number(const char *path, FILE *f)
{
    u32 v;
    if (fscanf(f, "%u", &v) != 1)
        fail(path, "is not AIGER: a number is missing");
    return v;
}

static struct circuit load(const char *path)
{
    struct circuit c = { 0 };
    u32 latches, outputs, k;
    char name[64];
    FILE *f = fopen(path, "r");
    if (!f)
        fail(path, "cannot be opened");
    if (fscanf(f, "aag %u %u %u %u %u", &c.vars, &c.inputs, &latches, &outputs, &c.gates) != 5
        || latches || outputs != 1)
        fail(path, "is not ASCII AIGER with one output and no latch");
    c.input = get(c.inputs, sizeof *c.input);
    c.select = get(c.inputs, sizeof *c.select);
    c.name = get(c.inputs, sizeof *c.name);
    c.gate = get(c.gates, sizeof *c.gate);
    for (k = 0; k < c.inputs; k++)
        c.input[k] = number(path, f), c.select[k] = -1;
    c.output = number(path, f);
    for (k = 0; k < c.gates; k++) {
        c.gate[k].out = number(path, f);
        c.gate[k].a = number(path, f);
        c.gate[k].b = number(path, f);
    }
    while (fscanf(f, " i%u %63s%*[^\n]", &k, name) >= 2)
        if (k < c.inputs) {
            memcpy(c.name[k], name, sizeof name);
            if (sscanf(name, "mutsel[%d]", &c.select[k]) != 1)
                c.select[k] = -1;
        }
    fclose(f);
    return c;
}

/* Gates so that those that a gate reads come before it. */
static void sort_gates(struct circuit *c)
{
    struct gate *sorted = get(c->gates, sizeof *sorted);
    u32 *of = get(c->vars, sizeof *of), *stack = get(2 * (size_t)c->gates + 2, sizeof *stack),
        n = 0;
    char *state = get(c->gates, 1);         /* 1: on the stack, its inputs above it; 2: sorted */
    for (u32 k = 0; k < c->gates; k++)
        of[c->gate[k].out >> 1] = k + 1;
    for (u32 root = 0; root < c->gates; root++) {
        u32 depth = 0;
        if (!state[root])
            stack[depth++] = root;
        while (depth) {
            u32 g = stack[depth - 1];
            if (state[g]) {
                if (state[g] == 1)
                    sorted[n++] = c->gate[g];
                state[g] = 2;
                depth--;
                continue;
            }
            state[g] = 1;
            u32 in[2] = { of[c->gate[g].a >> 1], of[c->gate[g].b >> 1] };
            for (int i = 0; i < 2; i++)
                if (in[i] && !state[in[i] - 1])
                    stack[depth++] = in[i] - 1;
        }
    }
    free(c->gate), free(of), free(stack), free(state);
    c->gate = sorted;
}

static u32 make_and(struct made *m, u32 p, u32 q)
{
    if (p < q) {
        u32 t = p;
        p = q, q = t;
    }
    if (q == 0 || p == (q ^ 1))
        return 0;
    if (q == 1 || p == q)
        return p;
    u32 h = (u32)((((uint64_t)p << 32 | q) * 0x9e3779b97f4a7c15ull) >> 32) & m->mask;
    for (; m->slot[h]; h = (h + 1) & m->mask)
        if (m->a[m->slot[h]] == p && m->b[m->slot[h]] == q)
            return 2 * m->slot[h];
    m->slot[h] = ++m->n;
    m->a[m->n] = p, m->b[m->n] = q;
    return 2 * m->n;
}

static u32 literal(const struct made *m, u32 old) { return m->map[old >> 1] ^ (old & 1); }

static void put_delta(FILE *f, u32 d)
{
    for (; d > 127; d >>= 7)
        fputc((int)((d & 127) | 128), f);
    fputc((int)d, f);
}

static FILE *create(const char *out, unsigned k, const char *ending)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%u.%s", out, k, ending);
    FILE *f = fopen(path, "w");
    if (!f)
        fail(path, "cannot be written");
    return f;
}

/* The cone of `root`, renumbered; its inputs first. */
static void save(const struct circuit *c, const struct made *m, u32 root, const char *out,
                 unsigned k)
{
    u32 *to = get(m->n, sizeof *to), n = 0, inputs = 0;
    to[root >> 1] = 1;
    for (u32 v = m->n; v > m->inputs; v--)
        if (to[v])
            to[m->a[v] >> 1] = to[m->b[v] >> 1] = 1;
    FILE *names = create(out, k, "in"), *f = create(out, k, "aig");
    for (u32 i = 0; i < c->inputs; i++)
        if (c->select[i] < 0 && to[m->map[c->input[i] >> 1] >> 1])
            fprintf(names, "%s\n", c->name[i]);
    fclose(names);
    for (u32 v = 1; v <= m->n; v++) {
        to[v] = to[v] ? ++n : 0;
        if (v == m->inputs)
            inputs = n;
    }
    fprintf(f, "aig %u %u 0 1 %u\n%u\n", n, inputs, n - inputs, 2 * to[root >> 1] + (root & 1));
    for (u32 v = m->inputs + 1; v <= m->n; v++)
        if (to[v]) {
            u32 p = 2 * to[m->a[v] >> 1] + (m->a[v] & 1), q = 2 * to[m->b[v] >> 1] + (m->b[v] & 1);
            put_delta(f, 2 * to[v] - (p > q ? p : q));
            put_delta(f, p > q ? p - q : q - p);
        }
    fclose(f);
    free(to);
}

static void cofactor(const struct circuit *c, struct made *m, const char *out, unsigned k)
{
    m->n = 0;
    memset(m->slot, 0, ((size_t)m->mask + 1) * sizeof *m->slot);
    for (u32 i = 0; i < c->inputs; i++)
        m->map[c->input[i] >> 1] = c->select[i] >= 0 ? k >> c->select[i] & 1 : 2 * ++m->n;
    m->inputs = m->n;
    for (u32 g = 0; g < c->gates; g++)
        m->map[c->gate[g].out >> 1] = make_and(m, literal(m, c->gate[g].a),
                                               literal(m, c->gate[g].b));
    u32 root = literal(m, c->output);
    if (root)
        save(c, m, root, out, k);
    printf("%u %s\n", k, root ? "open" : "equal");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "use: cofactor FILE.aag OUT K...\n");
        return 2;
    }
    struct circuit c = load(argv[1]);
    sort_gates(&c);
    size_t most = (size_t)c.inputs + c.gates;
    struct made m = { .mask = 1 };
    while (m.mask < 2 * most)
        m.mask = 2 * m.mask + 1;
    m.a = get(most, sizeof *m.a), m.b = get(most, sizeof *m.b), m.map = get(c.vars, sizeof *m.map);
    m.slot = get(m.mask, sizeof *m.slot);
    for (int i = 3; i < argc; i++)
        cofactor(&c, &m, argv[2], (unsigned)atoi(argv[i]));
    return 0;
}
