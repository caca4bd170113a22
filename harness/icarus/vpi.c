/* Inside the simulator: drives the core's ports and reads its wires, as the harness asks.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The simulator's time goes on by one a request.  What is asked for is driven in that step; when
 * everything has settled (read-only synchronisation) the wires are read and the answer goes out.
 * Every register and every memory begins as X.  With the clock low after a reset a wire whose guard
 * is 1 must be known, bit by bit; the first that is not is named in `unknown`. */
#include "harness/icarus/icarus.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <vpi_user.h>

enum dir { DRIVEN, READ, RECORD };
struct wire {
    const char *path, *name;
    enum dir dir;
    size_t at, bytes, guard;                 /* in struct icarus_wires */
    vpiHandle handle;
    int bits;
    int rows;                                /* of an array; 0: a vector */
};
#define W(field) offsetof(struct icarus_wires, field)
static struct wire wires[] = {
#define IN(name, type, n, guard) \
    { "", #name, DRIVEN, W(name), sizeof(type) * (n), W(guard), NULL, 0, 0 },
#define OUT(name, type, n, guard) \
    { "", #name, READ, W(name), sizeof(type) * (n), W(guard), NULL, 0, 0 },
#include "harness/icarus/wires.def"
#define IN1(a) #a "."
#define IN2(a, b) #a "." #b "."
#define IN3(a, b, c) #a "." #b "." #c "."
#define SEEN(name, place, module, wire, bits, n, guard, meaning) \
    { place, #wire, READ, W(name), sizeof ((struct icarus_wires *)0)->name, W(guard), NULL, 0, 0 },
#include "rtl/events.def"
#define PLACE(place, wire) place
#define MEMBER(type, name, dimensions) \
    { SEEN_COMMIT(PLACE, pipe, ), "c_" #name, RECORD, W(commit[0].name), \
      sizeof ((struct hd_commit *)0)->name, W(commits), NULL, 0, 0 },
#include "cmodel/isa/commit.def"
#define MEMBER(type, name, dimensions) \
    { SEEN_COMMIT(PLACE, unit, ), "c_" #name, RECORD, W(commit[1].name), \
      sizeof ((struct hd_commit *)0)->name, W(commits) + 1, NULL, 0, 0 },
#include "cmodel/isa/commit.def"
};
enum { WIRES = sizeof wires / sizeof wires[0], MAX_WORDS = 128, MAX_BANKS = 32 };

static struct icarus_wires *w, driven;       /* as the ports are driven now */
static bool drives;                          /* they have been */
static int sock;
static vpiHandle bank[MAX_BANKS];
static int banks;

static void *at(struct icarus_wires *of, size_t offset) { return (char *)of + offset; }
static bool holds(struct icarus_wires *of, size_t guard) { return *(uint8_t *)at(of, guard); }

static void stop(const char *why)
{
    if (why && w && !w->unknown[0])
        snprintf(w->unknown, sizeof w->unknown, "%s", why);
    vpi_control(vpiFinish, 0);
}

/* ---- ports ---- */

/* Values change with the clock low or with its edge, as those of a testbench would. */
static void drive(const struct wire *p)
{
    s_vpi_vecval v[MAX_WORDS];
    s_vpi_value value = { .format = vpiVectorVal };
    bool known = holds(w, p->guard);
    uint32_t words[MAX_WORDS] = { 0 };
    if (drives && known == holds(&driven, p->guard) &&
        (!known || !memcmp(at(w, p->at), at(&driven, p->at), p->bytes)))
        return;
    memcpy(words, at(w, p->at), p->bytes);
    for (int i = 0; i < (p->bits + 31) / 32; i++) {
        v[i].aval = known ? (PLI_INT32)words[i] : -1;        /* both bits: X */
        v[i].bval = known ? 0 : -1;
    }
    value.value.vector = v;
    vpi_put_value(p->handle, &value, NULL, vpiNoDelay);
}

static void drive_all(void)
{
    for (struct wire *p = wires; p < wires + WIRES; p++)
        if (p->dir == DRIVEN)
            drive(p);
    w->cycle += *w->clk && !*driven.clk;
    driven = *w;
    drives = true;
}

static void say_unknown(const struct wire *p, const s_vpi_vecval *v, const uint32_t *mask)
{
    char bits[33] = "";
    int i = 0;
    while (!((uint32_t)v[i].bval & mask[i]))
        i++;
    for (int b = 0; b < 32; b++) {
        bool a = (uint32_t)v[i].aval >> b & 1, x = (uint32_t)v[i].bval >> b & 1;
        bits[31 - b] = x ? a ? 'x' : 'z' : a ? '1' : '0';
    }
    int n = p->bits - 32 * i < 32 ? p->bits - 32 * i : 32;
    snprintf(w->unknown, sizeof w->unknown,
             "unknown bits: %s%s[%d:%d] is %d'b%s, %llu cycles after power-up", p->path, p->name,
             32 * i + n - 1, 32 * i, n, bits + 32 - n, (unsigned long long)w->cycle);
}

/* Which bits must be known: all; of write data, the bytes that are written. */
static void must_be_known(const struct wire *p, uint32_t mask[MAX_WORDS])
{
    memset(mask, 0xff, MAX_WORDS * sizeof *mask);
    if (p->at == W(m_axi_wdata))
        for (int b = 0; b < 32; b++)
            if (!(w->m_axi_wstrb[0] >> b & 1))
                mask[b / 4] &= ~(0xffu << 8 * (b % 4));
}

static void read_array(const struct wire *p)
{
    size_t bytes = (size_t)p->bits / 8 / (size_t)p->rows;
    s_vpi_value value = { .format = vpiVectorVal };
    for (int row = 0; row < p->rows; row++) {
        vpi_get_value(vpi_handle_by_index(p->handle, row), &value);
        const s_vpi_vecval *v = value.value.vector;
        for (size_t i = 0; i < bytes / 4; i++) {
            uint32_t word = (uint32_t)(v[i].aval & ~v[i].bval);
            memcpy((char *)at(w, p->at) + (size_t)row * bytes + 4 * i, &word, 4);
        }
    }
}

static void read_wire(const struct wire *p, bool check)
{
    s_vpi_value value = { .format = vpiVectorVal };
    uint32_t words[MAX_WORDS] = { 0 }, mask[MAX_WORDS], unknown = 0;
    int n = (p->bits + 31) / 32;
    vpi_get_value(p->handle, &value);
    const s_vpi_vecval *v = value.value.vector;
    must_be_known(p, mask);
    for (int i = 0; i < n; i++) {
        words[i] = (uint32_t)(v[i].aval & ~v[i].bval);
        unknown |= (uint32_t)v[i].bval & mask[i];
    }
    memcpy(at(w, p->at), words, p->bytes);
    if (check && unknown && !w->unknown[0])
        say_unknown(p, v, mask);
}

static void read_all(void)
{
    bool settled = !*w->clk && *w->rst_n;
    for (struct wire *p = wires; p < wires + WIRES; p++)
        if (p->dir == READ ? p->guard != W(never)
                           : p->dir == RECORD && holds(w, p->guard) && settled)
            read_wire(p, settled && holds(w, p->guard));
}

static void peek(void)
{
    for (struct wire *p = wires; p < wires + WIRES; p++)
        if (p->dir == READ && p->guard == W(never))
            p->rows ? read_array(p) : read_wire(p, false);
}

/* ---- shared memory ---- */

static void shared_get(void)
{
    int rows = ICARUS_SHARED / banks;
    s_vpi_value value = { .format = vpiVectorVal };
    for (int i = 0; i < ICARUS_SHARED; i++) {
        vpi_get_value(vpi_handle_by_index(bank[i / rows], i % rows), &value);
        const s_vpi_vecval *v = value.value.vector;
        w->shared[i] = w->shared_was[i] = (uint32_t)(v->aval & ~v->bval);
        w->shared_unknown[i] = v->bval != 0;
    }
}

static void word_put(int i, int32_t a, int32_t b)
{
    int rows = ICARUS_SHARED / banks;
    s_vpi_vecval v = { a, b };
    s_vpi_value value = { .format = vpiVectorVal, .value.vector = &v };
    vpi_put_value(vpi_handle_by_index(bank[i / rows], i % rows), &value, NULL, vpiNoDelay);
}

/* The RTL lets it begin as zeros, as block RAM does; a program that relies on that is wrong. */
static void shared_forget(void)
{
    for (int i = 0; i < ICARUS_SHARED; i++)
        word_put(i, -1, -1);
}

static void shared_put(void)
{
    for (int i = 0; i < ICARUS_SHARED; i++)
        if (w->shared[i] != w->shared_was[i] || w->shared_unknown[i])
            word_put(i, (int32_t)w->shared[i], 0);
    w->shared_set = 0;
}

/* ---- requests ---- */

static PLI_INT32 step(struct t_cb_data *cb);
static PLI_INT32 settled(struct t_cb_data *cb);

static void call(PLI_INT32 reason, uint32_t delay, PLI_INT32 (*routine)(struct t_cb_data *))
{
    s_vpi_time time = { .type = vpiSimTime, .low = delay };
    s_cb_data cb = { .reason = reason, .cb_rtn = routine, .time = &time };
    vpi_free_object(vpi_register_cb(&cb));
}

static bool answer(char c) { return send(sock, &c, 1, MSG_NOSIGNAL) == 1; }

/* Serves whatever does not need time; false: the harness has gone. */
static bool serve(void)
{
    char c;
    while (recv(sock, &c, 1, 0) == 1) {
        if (c == ICARUS_EVAL)
            return true;
        if (c == ICARUS_SHARED_GET)
            shared_get();
        else if (c == ICARUS_PEEK)
            peek();
        if (!answer(c))
            return false;
    }
    return false;
}

static PLI_INT32 step(struct t_cb_data *cb)
{
    (void)cb;
    if (!drives)
        shared_forget();
    if (w->shared_set)
        shared_put();
    drive_all();
    call(cbReadOnlySynch, 0, settled);
    return 0;
}

static PLI_INT32 settled(struct t_cb_data *cb)
{
    (void)cb;
    read_all();
    if (answer(ICARUS_EVAL) && serve())
        call(cbAfterDelay, 1, step);
    else
        stop(NULL);
    return 0;
}

/* ---- the beginning ---- */

static bool find(struct wire *p)
{
    char name[96];
    snprintf(name, sizeof name, "simt_core.%s%s", p->path, p->name);
    p->handle = vpi_handle_by_name(name, NULL);
    p->bits = p->handle ? vpi_get(vpiSize, p->handle) : 0;
    if (p->handle && vpi_get(vpiType, p->handle) == vpiMemory) {
        p->rows = p->bits;
        p->bits *= vpi_get(vpiSize, vpi_handle_by_index(p->handle, 0));
    }
    int room = 8 * (int)p->bytes;
    if (p->bits == room || (p->dir != RECORD && p->bits > 0 && p->bits < room))
        return true;
    snprintf(w->unknown, sizeof w->unknown, "%s is no wire of %zu bits", name, 8 * p->bytes);
    return false;
}

#define BANK(place, module, generate, k, wire) place #generate "[" #k "]." #wire
static bool find_banks(void)
{
    char name[96];
    for (banks = 0; banks < MAX_BANKS; banks++) {
        snprintf(name, sizeof name, "simt_core." SEEN_BANK(BANK, %d), banks);
        if (!(bank[banks] = vpi_handle_by_name(name, NULL)))
            break;
    }
    return banks > 0 && vpi_get(vpiSize, bank[0]) * banks == ICARUS_SHARED;
}

/* Argument `+icarus=MAPPING,SOCKET`: two descriptors that this process has inherited. */
static bool meet(void)
{
    s_vpi_vlog_info info;
    int fd = -1;
    vpi_get_vlog_info(&info);
    for (int i = 0; i < info.argc; i++)
        if (sscanf(info.argv[i], "+icarus=%d,%d", &fd, &sock) == 2)
            break;
    w = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (w == MAP_FAILED)
        w = NULL;
    return w;
}

static PLI_INT32 begin(struct t_cb_data *cb)
{
    (void)cb;
    bool ok = meet();
    for (struct wire *p = wires; ok && p < wires + WIRES; p++)
        ok = find(p);
    if (ok && !find_banks()) {
        stop("the banks of shared memory are not those that were expected");
        return 0;
    }
    if (ok && serve())
        call(cbAfterDelay, 1, step);
    else
        stop(ok ? NULL : "the simulator was not started by the harness");
    return 0;
}

static void enter(void)
{
    s_cb_data cb = { .reason = cbStartOfSimulation, .cb_rtn = begin };
    vpi_free_object(vpi_register_cb(&cb));
}

void (*vlog_startup_routines[])(void) = { enter, NULL };
