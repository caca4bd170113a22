// The Verilated LSU with a C interface: ports as word arrays, and one clock edge.
// SPDX-License-Identifier: Apache-2.0
#include "Vlsu.h"
#include "verilated.h"
#include "lsu_port.h"
#include <cstring>

// A port is an integer up to 64 bits and an array of words above; both are little endian in memory.
template <class T> static void put(T &port, const void *from, size_t n)
{
    std::memset(&port, 0, sizeof port);
    std::memcpy(&port, from, n < sizeof port ? n : sizeof port);
}
template <class T> static void get(void *to, const T &port, size_t n)
{
    std::memcpy(to, &port, n < sizeof port ? n : sizeof port);
}

extern "C" struct lsu *lsu_open(void)
{
    Vlsu *v = new Vlsu;
    v->rst_n = 0;
    v->clk = 0;
    return reinterpret_cast<struct lsu *>(v);
}

extern "C" void lsu_close(struct lsu *d)
{
    Vlsu *v = reinterpret_cast<Vlsu *>(d);
    v->final();
    delete v;
}

extern "C" void lsu_drive(struct lsu *d, const struct lsu_in *in)
{
    Vlsu *v = reinterpret_cast<Vlsu *>(d);
#define IN(name) put(v->name, &in->name, sizeof in->name);
#include "lsu_ports.def"
    v->eval();
}

extern "C" void lsu_look(struct lsu *d, struct lsu_out *out)
{
    Vlsu *v = reinterpret_cast<Vlsu *>(d);
#define OUT(name) get(&out->name, v->name, sizeof out->name);
#include "lsu_ports.def"
}

extern "C" void lsu_clock(struct lsu *d)
{
    Vlsu *v = reinterpret_cast<Vlsu *>(d);
    v->clk = 1;
    v->eval();
    v->clk = 0;
}
