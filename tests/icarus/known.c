/* Inside the simulator: resets the core and prints every register of which no bit is unknown then.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One that loses its reset leaves the list, also where every `if` that looks at it would take an
 * unknown value for 0.  Ports that say nothing while their valid is 0 are left floating. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vpi_user.h>

enum { EDGES = 2 };                          /* rtl/README.md: what a reset needs at least */

static void put(const char *port, int value)
{
    char name[64];
    s_vpi_value v = { .format = vpiIntVal, .value.integer = value };
    snprintf(name, sizeof name, "simt_core.%s", port);
    vpi_put_value(vpi_handle_by_name(name, NULL), &v, NULL, vpiNoDelay);
}

static bool known(vpiHandle h)
{
    s_vpi_value v = { .format = vpiVectorVal };
    vpi_get_value(h, &v);
    for (int i = 0; i < (vpi_get(vpiSize, h) + 31) / 32; i++)
        if (v.value.vector[i].bval)
            return false;
    return true;
}

static bool memory_known(vpiHandle memory)
{
    vpiHandle all = vpi_iterate(vpiMemoryWord, memory), word;
    while ((word = all ? vpi_scan(all) : NULL))
        if (!known(word)) {
            vpi_free_object(all);
            return false;
        }
    return true;
}

/* Variables of functions and loops are no state. */
static void print_scope(vpiHandle scope)
{
    static const int kinds[] = { vpiModule, vpiGenScope };
    vpiHandle all = vpi_iterate(vpiReg, scope), h;
    while ((h = all ? vpi_scan(all) : NULL))
        if (known(h))
            printf("%s\n", vpi_get_str(vpiFullName, h));
    all = vpi_iterate(vpiMemory, scope);
    while ((h = all ? vpi_scan(all) : NULL))
        if (memory_known(h))
            printf("%s\n", vpi_get_str(vpiFullName, h));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        all = vpi_iterate(kinds[i], scope);
        while ((h = all ? vpi_scan(all) : NULL))
            print_scope(h);
    }
}

static PLI_INT32 step(struct t_cb_data *cb);

static void later(PLI_INT32 reason, uint32_t delay)
{
    s_vpi_time time = { .type = vpiSimTime, .low = delay };
    s_cb_data cb = { .reason = reason, .cb_rtn = step, .time = &time };
    vpi_free_object(vpi_register_cb(&cb));
}

static PLI_INT32 step(struct t_cb_data *cb)
{
    static const char *const quiet[] = {
        "s_axil_awvalid", "s_axil_wvalid", "s_axil_bready", "s_axil_arvalid", "s_axil_rready",
        "m_axi_arready", "m_axi_rvalid", "m_axi_awready", "m_axi_wready", "m_axi_bvalid" };
    static int n;
    if (cb->reason == cbReadOnlySynch) {
        print_scope(vpi_handle_by_name("simt_core", NULL));
        vpi_control(vpiFinish, 0);
        return 0;
    }
    for (size_t i = 0; n == 0 && i < sizeof quiet / sizeof quiet[0]; i++)
        put(quiet[i], 0);                           /* before, the simulator would forget it */
    put("clk", n % 2);
    put("rst_n", n > 2 * EDGES);
    if (n++ <= 2 * EDGES)
        later(cbAfterDelay, 1);
    else
        later(cbReadOnlySynch, 0);
    return 0;
}

static PLI_INT32 begin(struct t_cb_data *cb)
{
    (void)cb;
    later(cbAfterDelay, 1);
    return 0;
}

static void enter(void)
{
    s_cb_data cb = { .reason = cbStartOfSimulation, .cb_rtn = begin };
    vpi_free_object(vpi_register_cb(&cb));
}

void (*vlog_startup_routines[])(void) = { enter, NULL };
