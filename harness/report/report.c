/* Reports for people: differences, faults, and how an instruction reads.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/report.h"
#include "cmodel/isa/waits.h"
#include <string.h>

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
    report_text(c, text, sizeof text);
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

/* Why an instruction whose second source is a constant could not be fetched with it. */
static void constant_fault(const hd_device *d, const struct hd_commit *c, FILE *out)
{
    struct hd_word w;
    struct hd_insn in;
    memcpy(w.w, c->insn, sizeof w.w);
    if (!hd_decode(&w, d->image->stack_mode, &in) || !in.cb)
        return;
    if (c->fault == HD_FAULT_ILLEGAL)
        fprintf(out, "  c[0x%x] lies after the constant bank, which has %u bytes\n", in.imm,
                d->launch.const_size);
    else if (c->fault == HD_FAULT_BUS)
        fprintf(out, "  the bus answered c[0x%x] with an error\n", in.imm);
}

void report_fault(const hd_device *d, const struct hd_commit *c, FILE *out)
{
    char src[160];
    unsigned lane = c->fault_m ? (unsigned)__builtin_ctz(c->fault_m) : 0;
    bool memory = report_at_address(c);
    report_source(d, c->pc, src, sizeof src);
    fprintf(out, "fault: %s", hd_fault_name((enum hd_fault)c->fault));
    if (memory)
        fprintf(out, " at address 0x%llx", (unsigned long long)c->fault_addr);
    fprintf(out, ": kernel %s, %s%sPC 0x%x, lane %u (block %u, thread %u; lanes %08x)\n",
            d->kernel ? d->kernel->name : "?", src, src[0] ? ", " : "", c->pc, lane, c->block,
            c->warp * HD_LANES + lane, c->fault_m);
    header(out);
    report_insn(d, c, out);
    constant_fault(d, c, out);
    for (size_t i = 0; memory && i < d->nallocs; i++) {
        const struct alloc *a = &d->allocs[i];
        uint64_t end = a->addr + a->bytes;
        bool past_end = c->fault_addr >= end;
        if (c->fault_addr >= a->addr && c->fault_addr < end + 4096)
            fprintf(out, "  buffer %zu is [0x%08llx, 0x%08llx): the address is %lld bytes %s\n", i,
                    (unsigned long long)a->addr, (unsigned long long)end,
                    (long long)(c->fault_addr - (past_end ? end : a->addr)),
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
    const struct hd_commit *last[REPORT_LAST];
    unsigned n = report_last(d, bad, last);
    fprintf(out, "the warp's last commits:\n");
    header(out);
    for (unsigned i = 0; i < n; i++)
        report_insn(d, last[i], out);
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
            fputc(report_lane(side ? &v->model : &v->rtl, l), out);
        fputc('\n', out);
    }
    for (unsigned i = 0; i < wait_nforms; i++)
        fprintf(out, "%s%c %s", i ? ", " : "  (", wait_forms[i].letter, wait_forms[i].where);
    fputs(")\n", out);
}

/* Where the operands came from, newest first: a backward slice in one lane. */
static void chain(const hd_device *d, const struct verdict *v, FILE *out)
{
    struct report_origin o[REPORT_CHAIN];
    unsigned n, lane = report_chain_lane(v);
    if (!report_chain(d, &v->rtl, lane, o, &n))
        return;
    fprintf(out, "where lane %u's operands came from:\n", lane);
    for (unsigned i = 0; i < n; i++) {
        if (o[i].reg < 256)
            fprintf(out, "  R%-3u = 0x%08x by", o[i].reg, o[i].value);
        else
            fprintf(out, "  P%-3u = %-10u by", o[i].reg - 256, o[i].value);
        report_insn(d, o[i].by, out);
    }
    if (!n)
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
    report_lanes(&v->rtl, &v->model, out);
    report_source(d, v->rtl.pc, src, sizeof src);
    fprintf(out, "all fields that differ (kernel %s%s%s):\n", d->kernel->name, src[0] ? ", " : "",
            src);
    print_all_differences(v, out);
    last_commits(d, &v->rtl, out);
    lane_picture(v, out);
    chain(d, v, out);
    if (v->differing > 1)
        fprintf(out, "%llu records differ up to where the run was ended\n",
                (unsigned long long)v->differing);
}

static void write_last_store(const hd_device *d, FILE *out)
{
    uint32_t lanes;
    const struct hd_commit *c = report_last_store(d, &lanes);
    if (!c)
        return;
    unsigned lane = 31u - (unsigned)__builtin_clz(lanes);
    fprintf(out, "the last store to it, by lane %u", lane);
    if (lanes & (lanes - 1))
        fprintf(out, ", after lanes %08x", lanes & ~(1u << lane));
    fputs(":\n", out);
    report_insn(d, c, out);
}

static void write_memory(hd_device *d, FILE *out)
{
    const struct verdict *v = &d->verdict;
    fprintf(out, "lockstep: %s at 0x%08llx: RTL 0x%02x, model 0x%02x\n", v->why,
            (unsigned long long)v->addr,
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
        else if (d->status == HD_FAULT)
            fprintf(out, "fault: %s\n", d->error);
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
        if ((v->trouble == HD_TROUBLE_STRAY || v->trouble == HD_TROUBLE_STATUS ||
             v->trouble == HD_TROUBLE_UNKNOWN) &&
            report_newest(d))
            last_commits(d, report_newest(d), out);
        if (v->trouble == HD_TROUBLE_HANG || v->trouble == HD_TROUBLE_END ||
            v->trouble == HD_TROUBLE_DEADLOCK)
            noprogress_write(d, out);
    }
}
