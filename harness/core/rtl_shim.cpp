// The Verilated core, which is C++, for the rest of the harness, which is C: clock and ports,
// commit records, what else of its wires a view shows, and waveforms that are kept in memory.
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <unistd.h>
#include "harness/core/eval_parts.h"
#ifdef RTL_TRACE
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "verilated_fst_c.h"
#include "harness/core/fst_calls.h"
#include "steps.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#include "harness/core/rtl_shim.h"

struct rtl_core {
    VerilatedContext context;
    std::unique_ptr<Vcore> top;
    eval_parts parts;
#ifdef RTL_TRACE
    VerilatedFstC fst;
#endif
};

#if VM_COVERAGE
// The core that was freed last holds the counts of all before it, and writes them when the process
// ends.
struct last_core {
    rtl_core *core = nullptr;
    void take(rtl_core *c)
    {
        constexpr size_t n = sizeof Vcore__Syms::__Vcoverage / sizeof *Vcore__Syms::__Vcoverage;
        for (size_t i = 0; core && i < n; i++)
            c->top->rootp->vlSymsp->__Vcoverage[i] += core->top->rootp->vlSymsp->__Vcoverage[i];
        delete core;
        core = c;
    }
    ~last_core()
    {
        if (const char *dir = core ? getenv("RTL_COVERAGE") : nullptr)
            core->context.coveragep()->write(
                (dir + ("/" + std::to_string(getpid()) + ".dat")).c_str());
        delete core;
    }
};
static last_core last;
#endif

static uint32_t *words(IData &x) { return &x; }
template <std::size_t N> static uint32_t *words(VlWide<N> &x) { return x.data(); }

// What is seen of the core's inside (rtl/events.def): see::NAME(root) is that wire.
namespace see {
#define IN1(a) simt_core__DOT__##a##__DOT__
#define IN2(a, b) simt_core__DOT__##a##__DOT__##b##__DOT__
#define IN3(a, b, c) simt_core__DOT__##a##__DOT__##b##__DOT__##c##__DOT__
#define WIRE_(place, wire) place##wire
#define WIRE(place, wire) WIRE_(place, wire)
// Verilator's storage of n elements; of a core with fewer warps some wires are narrower.
constexpr size_t bytes(unsigned bits, unsigned n)
{
    return n * (bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : bits <= 64 ? 8
                                                              : (bits + 31) / 32 * 4);
}
#define SEEN(name, place, module, wire, bits, n, guard, meaning) \
    static inline auto &name(Vcore___024root *r) { return r->WIRE(place, wire); } \
    static_assert(!(bits) || sizeof(Vcore___024root::WIRE(place, wire)) <= bytes(bits, n), \
                  "the width of " #name " in rtl/events.def");
#ifdef RTL_TRACE
#define SHOWN SEEN
#endif
#include "rtl/events.def"
#define C(port, field) (r->SEEN_COMMIT(WIRE, port, field))
#define BANK_(place, generate, k, wire) place##generate##__BRA__##k##__KET____DOT__##wire
#define BANK(place, module, generate, k, wire) BANK_(place, generate, k, wire)
}

static rtl_core *rtl_new(rtl_ports *p)
{
    rtl_core *c = new rtl_core;
#ifdef RTL_TRACE
    c->context.traceEverOn(true);
#endif
    if (p->x_seed) {
        c->context.randReset(2);
        c->context.randSeed((int)p->x_seed);
    }
    c->top.reset(new Vcore(&c->context));
    Vcore *t = c->top.get();
    Vcore___024root *r = t->rootp;
    p->clk = &t->clk;
    p->rst_n = &t->rst_n;
    p->mem = axi_port{
        &t->m_axi_arvalid, &t->m_axi_arid, &t->m_axi_arlen, &t->m_axi_arsize, &t->m_axi_arburst,
        &t->m_axi_araddr, &t->m_axi_arready,
        &t->m_axi_rvalid, &t->m_axi_rid, &t->m_axi_rresp, &t->m_axi_rlast, words(t->m_axi_rdata),
        &t->m_axi_rready,
        &t->m_axi_awvalid, &t->m_axi_awid, &t->m_axi_awlen, &t->m_axi_awsize, &t->m_axi_awburst,
        &t->m_axi_awaddr, &t->m_axi_awready,
        &t->m_axi_wvalid, &t->m_axi_wlast, words(t->m_axi_wdata), words(t->m_axi_wstrb),
        &t->m_axi_wready,
        &t->m_axi_bvalid, &t->m_axi_bid, &t->m_axi_bresp, &t->m_axi_bready, &t->rst_n };
    p->core = &t->core_i;
    p->cores = &t->cores_i;
    p->give = &t->block_give_i;
    p->skip = &t->block_skip_i;
    p->lock = &t->lock_i;
    p->stop = &t->stop_i;
    p->ask = &t->block_ask_o;
    p->placing = &t->block_placing_o;
    p->placed = &t->block_done_o;
    p->want = &t->lock_o;
    p->halted = &t->halted_o;
    p->awvalid = &t->s_axil_awvalid;
    p->awaddr = &t->s_axil_awaddr;
    p->awready = &t->s_axil_awready;
    p->wvalid = &t->s_axil_wvalid;
    p->wdata = &t->s_axil_wdata;
    p->wstrb = &t->s_axil_wstrb;
    p->wready = &t->s_axil_wready;
    p->bvalid = &t->s_axil_bvalid;
    p->bready = &t->s_axil_bready;
    p->arvalid = &t->s_axil_arvalid;
    p->araddr = &t->s_axil_araddr;
    p->arready = &t->s_axil_arready;
    p->rvalid = &t->s_axil_rvalid;
    p->rdata = &t->s_axil_rdata;
    p->rready = &t->s_axil_rready;
    p->commits = reinterpret_cast<const uint8_t *>(&see::commits(r));
    p->place_valid = &see::place_valid(r);
    p->place_slot = &see::place_slot(r);
    p->place_block = &see::place_block(r);
    p->clock_valid = &see::clock_valid(r);
    p->clock_slot = &see::clock_slot(r);
    p->clock_high = &see::clock_high(r);
    p->reads = &see::reads(r);
    p->writes = &see::writes(r);
    p->late = &see::late(r);
    p->late_slot = &see::late_slot(r);
    return c;
}

static void rtl_free(rtl_core *c)
{
    Verilated::threadContextp(&c->context);   // not that of a core which was freed before
    c->top->final();
#if VM_COVERAGE
    last.take(c);
#else
    delete c;
#endif
}

static void rtl_eval(rtl_core *c) { c->parts.eval(c->top.get()); }

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "wires are copied as they lie in memory");
static void pipe_commit(Vcore___024root *r, hd_commit *o)
{
#define MEMBER(type, name, dimensions) \
    static_assert(sizeof o->name == sizeof C(pipe, name), \
                  "commit.def and the probe's wire c_" #name); \
    memcpy(&o->name, &C(pipe, name), sizeof o->name);
#include "cmodel/isa/commit.def"
}
static void unit_commit(Vcore___024root *r, hd_commit *o)
{
#define MEMBER(type, name, dimensions) memcpy(&o->name, &C(unit, name), sizeof o->name);
#include "cmodel/isa/commit.def"
}

static void rtl_commit(rtl_core *core, unsigned port, hd_commit *o)
{
    (port ? unit_commit : pipe_commit)(core->top->rootp, o);
}

#define BANK_AT(k) bank[k] = &r->SEEN_BANK(BANK, k)[0];

enum { BANKS = RTL_LANES < 2 ? 2 : RTL_LANES };
static unsigned rtl_shared(rtl_core *core, uint32_t *bank[RTL_BANKS])
{
    Vcore___024root *r = core->top->rootp;
    BANK_AT(0) BANK_AT(1)
#if RTL_LANES >= 4
    BANK_AT(2) BANK_AT(3)
#endif
#if RTL_LANES >= 8
    BANK_AT(4) BANK_AT(5) BANK_AT(6) BANK_AT(7)
#endif
#if RTL_LANES >= 16
    BANK_AT(8) BANK_AT(9) BANK_AT(10) BANK_AT(11) BANK_AT(12) BANK_AT(13) BANK_AT(14) BANK_AT(15)
#endif
#if RTL_LANES >= 32
    BANK_AT(16) BANK_AT(17) BANK_AT(18) BANK_AT(19) BANK_AT(20) BANK_AT(21) BANK_AT(22) BANK_AT(23)
    BANK_AT(24) BANK_AT(25) BANK_AT(26) BANK_AT(27) BANK_AT(28) BANK_AT(29) BANK_AT(30) BANK_AT(31)
#endif
    return BANKS;
}

static uint32_t rtl_shared_size(void)
{
    return (uint32_t)(BANKS * sizeof(Vcore___024root::SEEN_BANK(BANK, 0)));
}

static void rtl_pending(rtl_core *core, struct rtl_pending out[RTL_SLOTS])
{
    Vcore___024root *r = core->top->rootp;
    for (unsigned k = 0; k < RTL_SLOTS; k++) {
        out[k].lanes = see::acted_lanes(r).data()[k];
        if (!out[k].lanes)                          /* nor may the core have so many slots */
            continue;
        out[k].bytes = see::acted_bytes(r).data()[k];
        for (int l = 0; l < HD_LANES; l++)
            out[k].addr[l] = see::acted_addr(r)[k].data()[l] + see::acted_base(r).data()[k];
    }
}

static unsigned rtl_lanes(void) { return RTL_LANES; }
extern "C" const char *rtl_sources(void) { return RTL_SOURCES; }

#ifdef RTL_TRACE
static void rtl_issue(rtl_core *core, hd_issue *o)
{
    Vcore___024root *r = core->top->rootp;
    o->issues = see::issues(r);
    o->slot = see::issue_slot(r);
    o->beats = see::beats_left(r) != 0;
    o->port_free = see::port_free(r);
    o->lsu_free = see::units_free(r) >> UNIT_LSU & 1;
    o->conv_free = see::conv_free(r);
    o->fetching = see::fetching(r);
    o->buffered = see::buffered(r);
    o->memory = 0;
    for (unsigned w = 0; w < 32; w++)
        o->memory |= static_cast<uint32_t>(see::accesses(r)[w] != 0) << w;
    o->filling = see::filling(r);
    o->ready_lsu = see::ready_lsu(r);
    o->ready_conv = see::ready_conv(r);
    o->ready_other = see::ready_other(r);
}
#endif

#ifdef RTL_TRACE
// Verilator's FST library looks at the result of no write, and maps its helper files: a full disk
// gives a waveform that is not whole, or ends the process with SIGBUS.  So the linker gives it
// these instead of the C library's functions (harness/build.mk): its files live in memory, what
// they refuse is noted, and a mapping always holds.
static const char fst_name[] = "heddle.fst (in memory)", fst_hier[] = "heddle.fst (in memory).hier";
static int fst_whole = -1, fst_why;

static int why_refused()
{
    struct rlimit size;
    return getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur != RLIM_INFINITY ? EFBIG : ENOMEM;
}

extern "C" {
FILE *__real_fopen(const char *name, const char *mode);
void *__real_mmap(void *at, size_t n, int prot, int flags, int fd, off_t off);
int __real_fclose(FILE *f);
int __real_unlink(const char *name);

FILE *__wrap_tmpfile()
{
    int fd = memfd_create("fst", MFD_CLOEXEC);
    return fd < 0 ? nullptr : fdopen(fd, "w+b");
}

FILE *__wrap_fopen(const char *name, const char *mode)
{
    if (strcmp(name, fst_name) && strcmp(name, fst_hier))
        return __real_fopen(name, mode);
    FILE *f = __wrap_tmpfile();
    if (f && !strcmp(name, fst_name))
        fst_whole = dup(fileno(f));
    return f;
}

int __wrap_unlink(const char *name)
{
    return strncmp(name, fst_name, sizeof fst_name - 1) ? __real_unlink(name) : 0;
}

int __wrap_fclose(FILE *f)
{
    if (ferror(f))
        fst_why = why_refused();
    return __real_fclose(f);
}

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t off)
{
    struct stat s;
    if (fd < 0 || (fstat(fd, &s) == 0 && static_cast<size_t>(s.st_size) >= off + n))
        return __real_mmap(at, n, prot, flags, fd, off);
    fst_why = why_refused();
    return __real_mmap(at, n, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

// The simulator's own way to die runs callbacks that wait for a mutex that it holds.
void __wrap__Z11VL_FATAL_MTPKciS0_S0_(const char *file, int line, const char *, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    abort();
}
}

// With no descriptor left for its files the library would go on with a null pointer.
static bool descriptors_left()
{
    enum { FILES = 8 };
    int fd[FILES], n = 0;
    while (n < FILES && (fd[n] = dup(STDERR_FILENO)) >= 0)
        n++;
    for (int i = 0; i < n; i++)
        close(fd[i]);
    return n == FILES;
}
#endif

#ifdef RTL_TRACE
// Verilator hands out neither its writer nor the library's context in it; an explicit instantiation
// may name both.
template <typename Of, typename Of::type Member> struct open_member {
    friend typename Of::type member(Of) { return Member; }
};
struct writer_of { using type = VerilatedFst VerilatedFstC::*; friend type member(writer_of); };
struct context_of { using type = void *VerilatedFst::*; friend type member(context_of); };
template struct open_member<writer_of, &VerilatedFstC::m_sptrace>;
template struct open_member<context_of, &VerilatedFst::m_fst>;
#endif

static bool rtl_trace_open(rtl_core *c, fst_out *beside)
{
#ifdef RTL_TRACE
    if (!descriptors_left())
        return false;
    fst_why = 0;
    c->top->trace(&c->fst, 99);
    c->fst.open(fst_name);
    if (c->fst.isOpen())
        fst_begin(beside, c->fst.*member(writer_of()).*member(context_of()));
    return c->fst.isOpen();
#else
    (void)c, (void)beside;
    return false;
#endif
}

#ifdef RTL_TRACE
// A field that begins at bit lo of a wire.
template <std::size_t N> static uint32_t field(const VlWide<N> &x, unsigned lo, unsigned width)
{
    uint64_t pair = x.data()[lo / 32];
    if (lo / 32 + 1 < N)
        pair |= static_cast<uint64_t>(x.data()[lo / 32 + 1]) << 32;
    return static_cast<uint32_t>(pair >> lo % 32 & ((1ull << width) - 1));
}
template <std::size_t N> static rtl_held held(bool valid, const VlWide<N> &x, unsigned lo = 0)
{
    return rtl_held{ valid, static_cast<uint8_t>(field(x, lo + SEEN_UOP_WARP, 5)),
                     field(x, lo + SEEN_UOP_PC, 32) };
}
#endif

#ifdef RTL_TRACE
// -Werror=switch: a step that the RTL gets has to have a name here.
static const char *name(conv_step s)
{
    switch (s) {
    case CONV_S_EXEC:   return "";
    case CONV_S_NEXT:   return "next";
    case CONV_S_GIVE:   return "give way";
    case CONV_S_SCANB:  return "scan barriers";
    case CONV_S_REL:    return "release";
    case CONV_S_BLOCK:  return "block barrier";
    case CONV_S_FAULT:  return "fault";
    }
    return "?";
}
static const char *name(stack_step s)
{
    switch (s) {
    case STACK_T_EXEC:  return "";
    case STACK_T_BLOCK: return "block barrier";
    case STACK_T_FAULT: return "fault";
    }
    return "?";
}
static const char *name(lsu_step s)
{
    switch (s) {
    case LSU_S_REQUEST: return "";
    case LSU_S_NEXT:    return "waiting";
    case LSU_S_DEVICE:  return "device memory";
    case LSU_S_SHARED:  return "shared memory";
    case LSU_S_RESULT:  return "result";
    case LSU_S_DONE:    return "done";
    case LSU_S_HALT:    return "halt";
    }
    return "?";
}
#endif

static bool rtl_units(rtl_core *core, rtl_inside *o)
{
#ifdef RTL_TRACE
    static const char *const ops[] = { "exec", "unwind", "pop" };
    Vcore___024root *r = core->top->rootp;
    *o = {};
    o->stack_mode = see::stack_mode(r);
    unsigned queue = (see::conv_put(r) - see::conv_get(r)) & 7;
    unsigned step = o->stack_mode ? see::stack_step(r)
                                  : field(see::conv_state(r), SEEN_CONV_STEP, 4);
    unsigned head = see::conv_get(r) & 3, lsu = see::lsu_step(r);
#define STAGE(name, row, valid, holds) o->unit[RTL_##name] = held(see::valid(r), see::holds(r));
#include "rtl/events.def"
    o->unit[RTL_FETCH] = rtl_held{ see::f1_valid(r) != 0, see::f1_slot(r), see::f1_pc(r) };
    o->unit[RTL_CONV] = held(queue != 0, see::control(r)[head], SEEN_CONTROL_UOP);
    o->unit[RTL_LSU] = rtl_held{ see::lsu_some(r) && lsu != LSU_S_HALT, see::lsu_warp(r),
                                 see::lsu_pc(r)[see::lsu_slot(r)] };
    rtl_issue(core, &o->issue);
    o->missed    = see::missed(r);
    o->held      = see::issue_held(r);
    o->lsu_queue = see::lsu_queue(r);
    o->conv_queue = see::conv_queue(r);
    unsigned op = !o->stack_mode ? 0 : see::stack_pops(r) ? 2 : see::stack_unwinds(r) ? 1 : 0;
    o->conv_step = step ? o->stack_mode ? name(static_cast<stack_step>(step))
                                        : name(static_cast<conv_step>(step))
                 : op || queue ? ops[op] : "";
    o->lsu_step  = name(static_cast<lsu_step>(lsu));
    return true;
#else
    (void)core, (void)o;
    return false;
#endif
}

static void rtl_trace_dump(rtl_core *c, uint64_t time)
{
#ifdef RTL_TRACE
    c->fst.dump(time);
#else
    (void)c, (void)time;
#endif
}

static int rtl_trace_close(rtl_core *c)
{
#ifdef RTL_TRACE
    c->fst.close();
    int fd = fst_whole;
    fst_whole = -1;
    if (fst_why && fd >= 0) {
        close(fd);
        fd = -1;
    }
    errno = fst_why ? fst_why : errno;
    return fd;
#else
    (void)c;
    return -1;
#endif
}

extern "C" const struct rtl_calls rtl_calls = {
    rtl_new, rtl_free, rtl_eval, rtl_commit, rtl_lanes, rtl_shared, rtl_shared_size, rtl_pending,
#ifdef RTL_TRACE
    rtl_issue,
#else
    nullptr,
#endif
    rtl_units, rtl_trace_open, rtl_trace_dump, rtl_trace_close
};
