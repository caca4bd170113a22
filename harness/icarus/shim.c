/* The core in four states, with the same table of functions as the Verilated one (rtl_shim.h): the
 * simulator, Icarus Verilog, is a process of its own; its side is vpi.c.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/icarus/icarus.h"
#include "harness/core/rtl_shim.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 60 };                      /* seconds for one evaluation */

struct rtl_core {
    struct icarus_wires *w;
    int sock;
    pid_t pid;
};

/* ---- the process ---- */

/* The files beside this library. */
static bool folder(char *out, size_t n)
{
    Dl_info info;
    if (!dladdr((void *)(uintptr_t)rtl_sources, &info) ||
        (size_t)snprintf(out, n, "%s", info.dli_fname) >= n)
        return false;
    char *slash = strrchr(out, '/');
    if (!slash)
        return false;
    *slash = 0;
    return true;
}

/* Ctrl-C is for the harness, which then asks the core to stop: the simulator is in another
 * process group. */
static void become_simulator(int mapping, int sock, const char *dir)
{
    char program[4200], where[64];
    int null = open("/dev/null", O_RDONLY);
    snprintf(program, sizeof program, "%s/core_l%u.vvp", dir, RTL_LANES);
    snprintf(where, sizeof where, "+icarus=%d,%d", mapping, sock);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(null, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execlp("vvp", "vvp", "-n", "-M", dir, "-m", "icarus", program, where, (char *)NULL);
    _exit(127);
}

static bool start(rtl_core *c)
{
    int pair[2], mapping = memfd_create("icarus", 0);
    char dir[4096];
    struct timeval patience = { .tv_sec = PATIENCE };
    bool ok = mapping >= 0 && ftruncate(mapping, sizeof *c->w) == 0 && folder(dir, sizeof dir);
    c->w = !ok ? MAP_FAILED
               : mmap(NULL, sizeof *c->w, PROT_READ | PROT_WRITE, MAP_SHARED, mapping, 0);
    if (c->w == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return false;
    c->w->always = 1;
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    c->pid = fork();
    if (c->pid == 0)
        become_simulator(mapping, pair[1], dir);
    close(mapping);
    close(pair[1]);
    c->sock = pair[0];
    return c->pid > 0;
}

/* A simulator that has ended, or takes for ever, is the verdict of the run. */
static void ask(rtl_core *c, char what)
{
    ssize_t n = send(c->sock, &what, 1, MSG_NOSIGNAL);
    while (n == 1 && (n = recv(c->sock, &what, 1, 0)) < 0 && errno == EINTR)
        n = 1;
    if (n != 1 && !c->w->unknown[0])
        snprintf(c->w->unknown, sizeof c->w->unknown, "the simulator, vvp, %s",
                 n < 0 && errno == EAGAIN ? "does not come to an end of a cycle"
                                          : "has ended, or could not be started");
}

static void rtl_free(rtl_core *c)
{
    close(c->sock);
    if (c->pid > 0) {
        kill(c->pid, SIGKILL);
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    munmap(c->w, sizeof *c->w);
    free(c);
}

/* ---- the core ---- */

static rtl_core *rtl_new(struct rtl_ports *p)
{
    rtl_core *c = calloc(1, sizeof *c);
    if (!c || !start(c)) {
        free(c);
        return NULL;
    }
    struct icarus_wires *w = c->w;
    p->clk = w->clk;
    p->rst_n = w->rst_n;
    p->mem = (struct axi_port){
        w->m_axi_arvalid, w->m_axi_arid, w->m_axi_arlen, w->m_axi_arsize, w->m_axi_arburst,
        w->m_axi_araddr, w->m_axi_arready,
        w->m_axi_rvalid, w->m_axi_rid, w->m_axi_rresp, w->m_axi_rlast, w->m_axi_rdata,
        w->m_axi_rready,
        w->m_axi_awvalid, w->m_axi_awid, w->m_axi_awlen, w->m_axi_awsize, w->m_axi_awburst,
        w->m_axi_awaddr, w->m_axi_awready,
        w->m_axi_wvalid, w->m_axi_wlast, w->m_axi_wdata, w->m_axi_wstrb, w->m_axi_wready,
        w->m_axi_bvalid, w->m_axi_bid, w->m_axi_bresp, w->m_axi_bready, w->rst_n };
    p->core = w->core_i;
    p->cores = w->cores_i;
    p->give = w->block_give_i;
    p->skip = w->block_skip_i;
    p->lock = w->lock_i;
    p->stop = w->stop_i;
    p->ask = w->block_ask_o;
    p->placing = w->block_placing_o;
    p->placed = w->block_done_o;
    p->want = w->lock_o;
    p->halted = w->halted_o;
    p->awvalid = w->s_axil_awvalid;
    p->awaddr = w->s_axil_awaddr;
    p->awready = w->s_axil_awready;
    p->wvalid = w->s_axil_wvalid;
    p->wdata = w->s_axil_wdata;
    p->wstrb = w->s_axil_wstrb;
    p->wready = w->s_axil_wready;
    p->bvalid = w->s_axil_bvalid;
    p->bready = w->s_axil_bready;
    p->arvalid = w->s_axil_arvalid;
    p->araddr = w->s_axil_araddr;
    p->arready = w->s_axil_arready;
    p->rvalid = w->s_axil_rvalid;
    p->rdata = w->s_axil_rdata;
    p->rready = w->s_axil_rready;
    p->commits = (const uint8_t *)w->commits;
    p->place_valid = w->place_valid;
    p->place_slot = w->place_slot;
    p->place_block = w->place_block;
    p->clock_valid = w->clock_valid;
    p->clock_slot = w->clock_slot;
    p->clock_high = w->clock_high;
    p->reads = w->reads;
    p->writes = w->writes;
    p->late = w->late;
    p->late_slot = w->late_slot;
    p->unknown = w->unknown;
    return c;
}

static void rtl_eval(rtl_core *c) { ask(c, ICARUS_EVAL); }
static void rtl_commit(rtl_core *c, unsigned port, struct hd_commit *out)
{
    *out = c->w->commit[port];
}
static unsigned rtl_lanes(void) { return RTL_LANES; }
const char *rtl_sources(void) { return RTL_SOURCES; }

static uint32_t rtl_shared_size(void)
{
    return ICARUS_SHARED * 4;
}

static unsigned rtl_shared(rtl_core *c, uint32_t *bank[RTL_BANKS])
{
    unsigned banks = RTL_LANES < 2 ? 2 : RTL_LANES;
    ask(c, ICARUS_SHARED_GET);
    for (unsigned b = 0; b < banks; b++)
        bank[b] = c->w->shared + b * (ICARUS_SHARED / banks);
    c->w->shared_set = 1;
    return banks;
}

static void rtl_pending(rtl_core *c, struct rtl_pending out[RTL_SLOTS])
{
    struct icarus_wires *w = c->w;
    ask(c, ICARUS_PEEK);
    for (unsigned k = 0; k < RTL_SLOTS; k++) {
        out[k].lanes = w->acted_lanes[k];
        out[k].bytes = w->acted_bytes[k];
        for (int l = 0; l < HD_LANES; l++)
            out[k].addr[l] = w->acted_addr[HD_LANES * k + l] + w->acted_base[k];
    }
}

/* Waveforms come from the Verilated core. */
static bool rtl_units(rtl_core *c, struct rtl_inside *o) { return (void)c, (void)o, false; }
static bool rtl_trace_open(rtl_core *c, struct fst_out *o) { return (void)c, (void)o, false; }
static void rtl_trace_dump(rtl_core *c, uint64_t time) { (void)c, (void)time; }
static int rtl_trace_close(rtl_core *c) { return (void)c, -1; }

const struct rtl_calls rtl_calls = { .new_core = rtl_new, .free_core = rtl_free, .eval = rtl_eval,
                                     .commit = rtl_commit, .lanes = rtl_lanes,
                                     .shared = rtl_shared, .shared_size = rtl_shared_size,
                                     .pending = rtl_pending, .inside = rtl_units,
                                     .trace_open = rtl_trace_open, .trace_dump = rtl_trace_dump,
                                     .trace_close = rtl_trace_close };
