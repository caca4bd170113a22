/* Reports for people: differences, faults, and how an instruction reads.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/report.h"
#include "cmodel/image/asm.h"
#include <string.h>

enum { LAST = 8, CHAIN = 12 };

static const struct hd_commit *at(const hd_device *d, uint64_t i)
{
    return &d->history->rec[i % HISTORY];
}

static uint64_t oldest(const hd_device *d)
{
    return d->history->n > HISTORY ? d->history->n - HISTORY : 0;
}

void report_source(const hd_device *d, uint32_t pc, char *buf, size_t n)
{
    const char *file = "";
    unsigned line = 0;
    hd_image_line(d->image, pc, &file, &line);
    const char *slash = strrchr(file, '/');
    snprintf(buf, n, line ? "%s:%u" : "", slash ? slash + 1 : file, line);
}

static void text_of(const struct hd_commit *c, char *buf, size_t n)
{
    struct hd_word w;
    memcpy(w.w, c->insn, sizeof w.w);
    if (c->unwind)
        snprintf(buf, n, "(unwinding)");
    else
        hd_dis_insn(buf, n, &w, NULL, NULL);
}

/* What the record did to the reconvergence stack. */
static void print_token(const struct hd_commit *c, FILE *out)
{
    static const char *const kind[] = { "?", "SYNC", "DIV", "CALL" };
    const struct hd_token *t = c->pushed ? &c->push : &c->pop;
    if (c->pushed || c->popped)
        fprintf(out, "  %s %s 0x%x %08x, depth %u%s",
                c->pushed ? "push" : "pop", kind[t->pc_kind & 3],
                t->pc_kind & ~3u, t->mask, c->depth,
                c->spilled ? ", spill" : c->filled ? ", fill" : "");
}

void report_insn(const hd_device *d, const struct hd_commit *c, FILE *out)
{
    char text[160], src[160];
    text_of(c, text, sizeof text);
    report_source(d, c->pc, src, sizeof src);
    fprintf(out, "  %8llu %8llu  b%u.w%u  %06x  %08x  %-44s %s", (unsigned long long)c->seq,
            (unsigned long long)c->cycle, c->block, c->warp, c->pc, c->exec, text, src);
    print_token(c, out);
    fputc('\n', out);
}

static void header(FILE *out)
{
    fprintf(out, "  %8s %8s  %-6s %-6s  %-8s  %-44s %s\n", "commit", "cycle", "warp", "pc", "exec",
            "instruction", "source");
}

/* ---- faults ---- */

void report_fault(const hd_device *d, const struct hd_commit *c, FILE *out)
{
    char src[160];
    unsigned lane = c->fault_m ? (unsigned)__builtin_ctz(c->fault_m) : 0;
    bool memory = (c->fault >= HD_FAULT_MISALIGNED && c->fault <= HD_FAULT_SPACE) || c->fault == HD_FAULT_BUS;
    report_source(d, c->pc, src, sizeof src);
    fprintf(out, "fault: %s", hd_fault_name((enum hd_fault)c->fault));
    if (memory)
        fprintf(out, " at address 0x%llx", (unsigned long long)c->fault_addr);
    fprintf(out, ": kernel %s, %s%sPC 0x%x, lane %u (block %u, thread %u; lanes %08x)\n",
            d->kernel ? d->kernel->name : "?", src, src[0] ? ", " : "", c->pc, lane, c->block,
            c->warp * HD_LANES + lane, c->fault_m);
    header(out);
    report_insn(d, c, out);
    for (size_t i = 0; memory && i < d->nallocs; i++) {
        const struct alloc *a = &d->allocs[i];
        uint64_t end = (uint64_t)a->addr + a->bytes;
        bool past_end = c->fault_addr >= end;
        if (c->fault_addr >= a->addr && c->fault_addr < end + 4096)
            fprintf(out, "  buffer %zu is [0x%08x, 0x%08llx): the address is %lld bytes %s\n", i,
                    a->addr,
                    (unsigned long long)end, (long long)(c->fault_addr - (past_end ? end : a->addr)),
                    past_end ? "after its end" : "after its start");
    }
}

/* ---- differences ---- */

static void print_value(FILE *out, const struct commit_field *f, uint64_t v)
{
    if (f->kind == FIELD_DEC)
        fprintf(out, "%llu", (unsigned long long)v);
    else
        fprintf(out, f->kind == FIELD_MASK ? "%08llx" : "0x%llx", (unsigned long long)v);
}

static void print_difference(FILE *out, const struct difference *x)
{
    fprintf(out, "%s", x->field->name);
    if (x->field->count == HD_LANES)
        fprintf(out, " of lane %u", x->lane);
    else if (x->field->count > 1)
        fprintf(out, "[%u]", x->lane);
    fprintf(out, ": RTL ");
    print_value(out, x->field, x->rtl);
    fprintf(out, ", model ");
    print_value(out, x->field, x->model);
    fprintf(out, "\n");
}

static void print_all_differences(const struct verdict *v, FILE *out)
{
    struct difference x[16];
    unsigned n = commit_differences(&v->rtl, &v->model, x, 16);
    for (unsigned i = 0; i < n && i < 16; i++) {
        fprintf(out, "  ");
        print_difference(out, &x[i]);
    }
    if (n > 16)
        fprintf(out, "  and %u more\n", n - 16);
}

static void last_commits(const hd_device *d, const struct hd_commit *bad, FILE *out)
{
    uint64_t found[LAST];
    unsigned n = 0;
    for (uint64_t i = d->history->n; i-- > oldest(d) && n < LAST;)
        if (at(d, i)->slot == bad->slot && at(d, i)->seq <= bad->seq)
            found[n++] = i;
    fprintf(out, "the warp's last commits:\n");
    header(out);
    while (n--)
        report_insn(d, at(d, found[n]), out);
}

/* One character a lane: x runs, r ready, y yielded, B barrier, w
 * WARPSYNC, t in a token, # block barrier, . exited. */
static char lane_char(const struct hd_commit *c, unsigned l)
{
    if (c->next_active >> l & 1)
        return 'x';
    switch (c->wait[l] & 0x30) {
    case HD_WAIT_BARRIER: return 'B';
    case HD_WAIT_BLOCK: return '#';
    case HD_WAIT_EXITED: return '.';
    }
    switch (c->wait[l]) {
    case HD_WAIT_READY: return 'r';
    case HD_WAIT_YIELD: return 'y';
    case HD_WAIT_WARPSYNC: return 'w';
    case HD_WAIT_STACK: return 't';
    default: return ' ';
    }
}

static void lane_picture(const struct verdict *v, FILE *out)
{
    const struct { const char *name; uint32_t m; } rows[] = {
        { "active", v->rtl.active }, { "exec", v->rtl.exec }, { "live", v->rtl.live },
        { "next RTL", v->rtl.next_active }, { "next model", v->model.next_active },
    };
    fprintf(out, "lanes:        0       8       16      24\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fprintf(out, "  %-11s ", rows[i].name);
        for (unsigned l = 0; l < HD_LANES; l++)
            fputc(rows[i].m >> l & 1 ? 'x' : '.', out);
        fputc('\n', out);
    }
    for (int side = 0; side < 2; side++) {
        fprintf(out, "  %-11s ", side ? "state model" : "state RTL");
        for (unsigned l = 0; l < HD_LANES; l++)
            fputc(lane_char(side ? &v->model : &v->rtl, l), out);
        fputc('\n', out);
    }
    fprintf(out, "  (x runs, r ready, y yielded, B at BSYNC, w at WARPSYNC, t in a token, "
            "# at a block barrier, . exited)\n");
}

/* The newest commit before i, of the same warp, that wrote register reg (predicates: 256 +
 * number) in a lane. */
static int64_t writer(const hd_device *d, uint64_t i, unsigned reg, unsigned lane)
{
    const struct hd_commit *c = at(d, i);
    while (i-- > oldest(d)) {
        const struct hd_commit *w = at(d, i);
        if (w->slot != c->slot || w->block != c->block || !(w->exec >> lane & 1))
            continue;
        if (reg < 256 ? w->nd && reg >= w->rd && reg < (unsigned)w->rd + w->nd
                      : w->npd && w->pd == reg - 256)
            return (int64_t)i;
    }
    return -1;
}

/* Registers and predicates that an instruction reads. */
static unsigned sources(const hd_device *d, const struct hd_commit *c, unsigned reg[16])
{
    struct hd_word w;
    struct hd_insn in;
    unsigned n = 0;
    memcpy(w.w, c->insn, sizeof w.w);
    if (!hd_decode(&w, d->image->stack_mode, &in))
        return 0;
    const uint8_t r[4] = { 0, in.ra, in.rb, in.rc };
    for (int k = 1; k < 4; k++)
        for (int j = 0; r[k] != HD_RZ && !(k == 2 && in.bi) && j < hd_insn_width(&in, k) && n < 12;
             j++)
            reg[n++] = r[k] + (unsigned)j;
    if (in.pg != HD_PT)
        reg[n++] = 256u + in.pg;
    if (strchr(hd_ops[in.op].operands, 's') && in.ps != HD_PT)
        reg[n++] = 256u + in.ps;
    if (strchr(hd_ops[in.op].operands, 't') && in.pq != HD_PT)
        reg[n++] = 256u + in.pq;
    return n;
}

/* Where the operands came from, newest first: a backward slice in one lane. */
static void chain(const hd_device *d, uint64_t start, unsigned lane, FILE *out)
{
    uint64_t queue[CHAIN] = { start };
    unsigned n = 1;
    unsigned none[16];
    if (!sources(d, at(d, start), none))
        return;                                      /* it reads none */
    fprintf(out, "where lane %u's operands came from:\n", lane);
    for (unsigned q = 0; q < n; q++) {
        unsigned reg[16], nr = sources(d, at(d, queue[q]), reg);
        for (unsigned k = 0; k < nr; k++) {
            int64_t w = writer(d, queue[q], reg[k], lane);
            bool seen = w < 0;
            for (unsigned j = 0; j < n && !seen; j++)
                seen = queue[j] == (uint64_t)w;
            if (seen || n == CHAIN)
                continue;
            queue[n++] = (uint64_t)w;
            const struct hd_commit *c = at(d, (uint64_t)w);
            if (reg[k] < 256)
                fprintf(out, "  R%-3u = 0x%08x by", reg[k], c->val[reg[k] - c->rd][lane]);
            else
                fprintf(out, "  P%-3u = %-10u by", reg[k] - 256,
                        c->pval >> lane & 1);
            report_insn(d, c, out);
        }
    }
    if (n == 1)
        fprintf(out, "  nothing in the last %d commits\n", HISTORY);
}

static void write_difference(hd_device *d, FILE *out)
{
    const struct verdict *v = &d->verdict;
    char src[160];
    fprintf(out, "lockstep: difference at cycle %llu, commit %llu, block %u warp %u, PC 0x%x: ",
            (unsigned long long)v->cycle, (unsigned long long)v->rtl.seq, v->rtl.block,
            v->rtl.warp, v->rtl.pc);
    print_difference(out, &v->diff);
    report_source(d, v->rtl.pc, src, sizeof src);
    fprintf(out, "all fields that differ (kernel %s%s%s):\n", d->kernel->name, src[0] ? ", " : "",
            src);
    print_all_differences(v, out);
    last_commits(d, &v->rtl, out);
    lane_picture(v, out);
    uint64_t i = d->history->n;
    while (i-- > oldest(d) && at(d, i)->seq != v->rtl.seq)
        ;
    unsigned lane = v->diff.field->count == HD_LANES ? v->diff.lane
                  : v->rtl.exec ? (unsigned)__builtin_ctz(v->rtl.exec) : 0;
    if (i != UINT64_MAX)
        chain(d, i, lane, out);
    if (v->differing > 1)
        fprintf(out, "%llu records differ up to where the run was ended\n",
                (unsigned long long)v->differing);
}

static void write_last_store(const hd_device *d, FILE *out)
{
    const struct verdict *v = &d->verdict;
    for (uint64_t i = d->history->n; i-- > oldest(d);) {
        const struct hd_commit *c = at(d, i);
        for (unsigned l = 0; c->mem >= 2 && c->space == SPACE_GLOBAL && l < HD_LANES; l++)
            if ((c->exec >> l & 1) && v->addr - c->addr[l] < c->size) {
                fprintf(out, "the last store to it, by lane %u:\n", l);
                report_insn(d, c, out);
                return;
            }
    }
}

static void write_memory(hd_device *d, FILE *out)
{
    const struct verdict *v = &d->verdict;
    fprintf(out, "lockstep: %s at 0x%08x: RTL 0x%02x, model 0x%02x\n", v->why, v->addr,
            v->rtl_byte, v->model_byte);
    write_last_store(d, out);
}

static void write_third(const hd_device *d, FILE *out)
{
    fprintf(out, "third leg: %s\n", d->verdict.why);
    if (d->verdict.addr && d->history)
        write_last_store(d, out);
}

void report_write(hd_device *d, FILE *out)
{
    const struct verdict *v = &d->verdict;
    switch (v->trouble) {
    case HD_TROUBLE_NONE:
        if (d->has_fault)
            report_fault(d, &d->fault, out);
        if (d->status == HD_DEADLOCK)
            noprogress_write(d, out);
        return;
    case HD_TROUBLE_FIELD:
        write_difference(d, out);
        return;
    case HD_TROUBLE_MEMORY:
        write_memory(d, out);
        return;
    case HD_TROUBLE_THIRD:
        write_third(d, out);
        return;
    default:
        fprintf(out, "lockstep: %s (cycle %llu)\n", v->why, (unsigned long long)v->cycle);
        if (v->trouble == HD_TROUBLE_SCHEDULE && v->rtl.seq)
            last_commits(d, &v->rtl, out);
        if ((v->trouble == HD_TROUBLE_STRAY || v->trouble == HD_TROUBLE_STATUS || v->trouble == HD_TROUBLE_UNKNOWN) && d->history->n)
            last_commits(d, at(d, d->history->n - 1), out);
        if (v->trouble == HD_TROUBLE_HANG || v->trouble == HD_TROUBLE_END || v->trouble == HD_TROUBLE_DEADLOCK)
            noprogress_write(d, out);
    }
}
