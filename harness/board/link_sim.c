/* A link to a simulated board: the top level under Verilator, and its memory; or what Yosys has
 * made of it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Time is the board's own, so a slow machine makes no board silent.  `stall=SEED': the link takes a
 * byte from the board now and then only; memory goes on meanwhile, so no run is like another.
 * `same': the board stays from launch to launch, as one on a table does.  `pins': it does, and has
 * a serial line and an SDRAM chip (tests/fpga/board/pins_board.v). */
#include "harness/board/link.h"
#include "harness/core/axi_mem.h"
#include "harness/core/library.h"
#include "cmodel/base/reserve.h"
#include "cmodel/places.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SILENCE = 200000,         /* cycles; a board that lives says so every 65,536 */
       PAUSE = 8,                /* cycles without a byte that end what is collected */
       ROOM = 65536 };           /* bytes that came while others were sent */
#define SPACE_BYTES ((size_t)HD_MEMORY)

struct sim {
    struct link link;
    void *lib;
    const struct board_calls *calls;
    board_top *top;
    struct board_ports p;
    struct axi_mem mem;
    uint8_t *bytes;
    bool mem_open, exact;
    uint64_t stall;              /* state of its random numbers; 0: the link is always free */
    unsigned full;               /* cycles for which it takes nothing */
    uint8_t early[ROOM];
    size_t nearly;
};

static uint64_t chance(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    return *x ^= *x << 17;
}

/* Whether the link takes a byte in this cycle: it is full for a while, rarely for long. */
static bool takes(struct sim *s)
{
    if (!s->stall)
        return true;
    if (s->full)
        return s->full--, false;
    const uint64_t r = chance(&s->stall);
    if (r % 16 == 0)
        s->full = r % 4096 == 0 ? 5000 : (unsigned)(r >> 32) % 40;
    return r % 16;
}

/* A cycle; true: it has brought a byte. */
static bool step(struct sim *s, uint8_t *byte)
{
    struct board_ports *p = &s->p;
    const bool sent = *p->tx_valid && *p->tx_ready, taken = *p->rx_valid && *p->rx_ready;
    const bool frozen = s->exact && *p->stands;
    *byte = *p->tx_byte;
    if (!frozen)
        axi_sample(&s->mem);
    *p->clk = 1;
    s->calls->eval(s->top);
    if (!frozen)
        axi_drive(&s->mem);
    if (taken)
        *p->rx_valid = 0;
    *p->tx_ready = takes(s);
    *p->clk = 0;
    s->calls->eval(s->top);
    return sent;
}

static long receive(struct link *l, uint8_t *to, size_t room)
{
    struct sim *s = (struct sim *)l;
    size_t n = s->nearly < room ? s->nearly : room;
    memcpy(to, s->early, n);
    memmove(s->early, s->early + n, s->nearly -= n);
    for (unsigned i = 0; i < (n ? PAUSE : SILENCE) && n < room; i++)
        if (step(s, &to[n])) {
            n++;
            i = 0;
        }
    return (long)n;
}

/* The board may have something to say before it takes more. */
static bool send(struct link *l, const uint8_t *bytes, size_t n)
{
    struct sim *s = (struct sim *)l;
    for (size_t i = 0; i < n; i++) {
        *s->p.rx_byte = bytes[i];
        *s->p.rx_valid = 1;
        s->calls->eval(s->top);
        for (unsigned k = 0; *s->p.rx_valid && k < SILENCE && s->nearly < ROOM; k++)
            s->nearly += step(s, &s->early[s->nearly]);
        if (*s->p.rx_valid)
            return false;
    }
    return true;
}

static bool renew(struct link *l, bool exact)
{
    struct sim *s = (struct sim *)l;
    uint8_t none;
    if (s->top)
        s->calls->free_board(s->top);
    if (s->mem_open)
        axi_close(&s->mem);
    s->exact = exact;
    s->nearly = 0;
    s->top = s->calls->new_board(&s->p);
    s->mem_open = s->top && axi_open(&s->mem, &s->p.mem, s->bytes, l->mem_seed, 1);
    if (!s->mem_open)
        return false;
    *s->p.clk = *s->p.rst_n = *s->p.rx_valid = *s->p.tx_ready = 0;
    s->calls->eval(s->top);
    for (int i = 0; i < 8; i++) {
        *s->p.clk = 1;
        s->calls->eval(s->top);
        *s->p.clk = 0;
        s->calls->eval(s->top);
    }
    *s->p.rst_n = 1;
    s->calls->eval(s->top);
    step(s, &none);
    return true;
}

static void sim_close(struct link *l)
{
    struct sim *s = (struct sim *)l;
    if (s->top)
        s->calls->free_board(s->top);
    if (s->mem_open)
        axi_close(&s->mem);
    reserve_end(s->bytes, SPACE_BYTES);
    if (s->lib)
        rtl_library_close(s->lib);
    free(s);
}

static struct link *open_board(const char *library, unsigned lanes, uint64_t mem_seed,
                               unsigned long long stall, bool same, char *why, size_t room)
{
    struct sim *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->link = (struct link){ .receive = receive, .send = send, .renew = same ? NULL : renew,
                             .close = sim_close, .mem_seed = mem_seed };
    s->link.repeats = !stall && !same;
    s->stall = stall * 0x9e3779b97f4a7c15u;
    s->lib = rtl_library_board(lanes, library, why, room);
    s->calls = s->lib ? rtl_library_board_calls(s->lib) : NULL;
    s->bytes = s->calls ? reserve(SPACE_BYTES) : NULL;
    if (!s->bytes || !renew(&s->link, false)) {
        if (s->lib)
            snprintf(why, room, "no memory, or the board's library is not ours");
        sim_close(&s->link);
        return NULL;
    }
    return &s->link;
}

struct link *link_sim(const char *rest, unsigned lanes, uint64_t mem_seed, char *why, size_t room)
{
    unsigned long long seed = 0;
    char more;
    const bool pins = !strcmp(rest, "pins"), same = pins || !strcmp(rest, "same");
    if (*rest && !same && (sscanf(rest, "stall=%20llu%c", &seed, &more) != 1 || !seed)) {
        snprintf(why, room, "`sim:%s': what may follow is stall=SEED, from 1, same, or pins", rest);
        return NULL;
    }
    return open_board(pins ? "_pins" : "", lanes, mem_seed, seed, same, why, room);
}

struct link *link_netlist(const char *rest, unsigned lanes, uint64_t mem_seed, char *why,
                          size_t room)
{
    if (!*rest)
        return open_board("_netlist", lanes, mem_seed, 0, false, why, room);
    snprintf(why, room, "`netlist:%s': nothing may follow", rest);
    return NULL;
}
