/* Puts an image into memory, and computes the launch registers from a kernel's needs and a core's
 * limits; refuses what does not fit.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/machine/launch.h"
#include "cmodel/base/counted.h"
#include <stdarg.h>
#include <string.h>

static enum hd_status refuse(enum hd_status s, char *why, size_t size, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, size, fmt, ap);
    va_end(ap);
    return s;
}

static uint64_t round_up(uint64_t v, uint64_t to)
{
    return (v + to - 1) / to * to;
}

static bool dims_fit(struct hd_dim3 d, uint64_t max, uint64_t *product)
{
    *product = (uint64_t)d.x * d.y;
    if (!*product || !d.z || *product > max || *product * d.z > max)
        return false;
    *product *= d.z;
    return true;
}

static void put(uint8_t *p, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

enum hd_status launch_load(uint8_t *mem, const struct hd_image *img, char *why, size_t why_size)
{
    return launch_load_at(mem, img, LAUNCH_DATA, why, why_size);
}

enum hd_status launch_load_at(uint8_t *mem, const struct hd_image *img, uint32_t data, char *why,
                              size_t why_size)
{
    const uint32_t place[HD_SEC_COUNT] = {
        [HD_SEC_TEXT] = LAUNCH_CODE, [HD_SEC_CONST] = LAUNCH_CONST + HD_CONST_DATA,
        [HD_SEC_GLOBAL] = data,
    };
    const uint32_t size[HD_SEC_COUNT] = { img->text_size, img->cdata_size, img->gdata_size };
    if (img->text_size > LAUNCH_CODE_MAX || img->cdata_size > LAUNCH_CONST_MAX - HD_CONST_DATA ||
        img->gdata_size > LAUNCH_DATA_MAX - (data - LAUNCH_DATA) || img->galign > LAUNCH_DATA_MAX)
        return refuse(HD_TOO_BIG, why, why_size,
                      "the image does not fit: %u bytes of code, "
                      "%u of constants, %u of data",
                      img->text_size, img->cdata_size, img->gdata_size);
    if (img->text_size)
        memcpy(mem + LAUNCH_CODE, img->text, img->text_size);
    if (img->cdata_size)
        memcpy(mem + LAUNCH_CONST + HD_CONST_DATA, img->cdata, img->cdata_size);
    if (img->gdata_size)
        memcpy(mem + data, img->gdata, img->gdata_size);
    for (uint32_t i = 0; i < img->nrelocs; i++) {
        const struct hd_reloc *r = &img->relocs[i];
        unsigned bytes = r->kind == HD_REL_ABS64 ? 8 : 4;
        uint64_t at = (uint64_t)r->off + (r->kind == HD_REL_IMM32 ? ISA_IMM_LSB / 8 : 0);
        if (r->section >= HD_SEC_COUNT || r->sym >= img->nsyms || at + bytes > size[r->section])
            return refuse(HD_BAD_IMAGE, why, why_size, "relocation %u is outside its section", i);
        const struct hd_symbol *s = &img->syms[r->sym];
        uint64_t v = s->value + (s->section == HD_SEC_GLOBAL ? data : 0);
        put(mem + place[r->section] + at, v + (uint64_t)r->add, bytes);
    }
    return HD_OK;
}

/* Grid, block, registers, memories: whether they fit. */
static enum hd_status check(const struct launch *k, const struct hd_kernel *kernel,
                            const struct hd_launch *l, const struct launch_limits *limits,
                            char *why, size_t n)
{
    uint64_t product, shared = round_up((uint64_t)kernel->shared + l->shared_bytes, 128);
    uint64_t local = round_up(kernel->local, 16);
    if (!dims_fit(l->grid, UINT32_MAX, &product))
        return refuse(HD_BAD_ARGUMENT, why, n, "grid %u,%u,%u: must be 1 to 2^32-1 blocks",
                      l->grid.x, l->grid.y, l->grid.z);
    if (!dims_fit(l->block, (uint64_t)limits->warps * HD_LANES, &product))
        return refuse(HD_TOO_BIG, why, n,
                      "block %u,%u,%u: must be 1 to %u threads, 32 for each of the core's %u %s",
                      l->block.x, l->block.y, l->block.z, limits->warps * HD_LANES,
                      COUNTED(limits->warps, "warp"));
    if (kernel->regs > limits->regs)
        return refuse(HD_TOO_BIG, why, n, "%s needs %u registers a thread, the core has %u",
                      kernel->name, kernel->regs, limits->regs);
    if (shared > limits->shared_bytes)
        return refuse(HD_TOO_BIG, why, n,
                      "a block needs %llu bytes of shared memory, the core has %u",
                      (unsigned long long)shared, limits->shared_bytes);
    if (local * HD_LANES * limits->warps > LAUNCH_LOCAL_MAX)
        return refuse(HD_TOO_BIG, why, n,
                      "%s needs %llu bytes of local memory a thread, at most %u fit", kernel->name,
                      (unsigned long long)local, LAUNCH_LOCAL_MAX / HD_LANES / limits->warps);
    if (l->params_size != kernel->params_size || kernel->params_size > HD_PARAMS_MAX ||
        (l->params_size && !l->params))
        return refuse(HD_BAD_ARGUMENT, why, n, "%s takes %u bytes of parameters, not %zu",
                      kernel->name, kernel->params_size, l->params_size);
    if (k->mode && !limits->stack_depth)
        return refuse(HD_TOO_BIG, why, n, "the core has no stack mode");
    if (!k->mode && limits->no_barriers)
        return refuse(HD_TOO_BIG, why, n, "the core has no barrier mode");
    return HD_OK;
}

enum hd_status launch_prepare(struct launch *out, uint8_t *mem, const struct hd_image *img,
                              const struct hd_launch *l, const struct launch_limits *limits,
                              char *why, size_t why_size)
{
    struct hd_err err = { 0 };
    const struct hd_kernel *k = hd_image_kernel(img, l->kernel, &err);
    if (!k)
        return refuse(HD_NO_KERNEL, why, why_size, "%s", err.text);
    uint32_t lacks = limits->no_units ? limits->no_units & hd_image_units(img) : 0;
    if (lacks & 1u << UNIT_F64)
        return refuse(HD_TOO_BIG, why, why_size,
                      "the core has no f64 unit, which this image needs: compile with "
                      "--f64 routines");
    if (lacks & HD_CONSTANTS)
        return refuse(HD_TOO_BIG, why, why_size,
                      "the core has no constant cache (CONST_BYTES=0), and this image has "
                      "constants as operands: compile with --constants loads");
    if (lacks)
        return refuse(HD_TOO_BIG, why, why_size, "the core has no %s, which this image needs",
                      lacks & 1u << UNIT_FPU ? "float unit (FLOAT_LANES=0)"
                                             : "MUFU for approximated functions (SFU=0)");
    *out = (struct launch){ .mode = img->stack_mode };
    enum hd_status s = check(out, k, l, limits, why, why_size);
    if (s)
        return s;
    uint32_t bank = img->cdata_size ? HD_CONST_DATA + img->cdata_size : k->params_size;
    uint32_t threads = l->block.x * l->block.y * l->block.z;
    *out = (struct launch){
        .mode = img->stack_mode, .entry = k->entry,
        .code_base = LAUNCH_CODE, .code_size = img->text_size,
        .const_base = LAUNCH_CONST, .const_size = (uint32_t)round_up(bank, 16),
        .local_base = LAUNCH_LOCAL, .local_size = (uint32_t)round_up(k->local, 16),
        .spill_base = LAUNCH_SPILL, .spill_size = LAUNCH_SPILL_WARP,
        .stack_depth = limits->stack_depth,
        .grid = l->grid, .block = l->block, .threads = threads, .clock = l->clock,
        .warps_block = (threads + HD_LANES - 1) / HD_LANES,
        .shared_size = (uint32_t)round_up((uint64_t)k->shared + l->shared_bytes, 128),
    };
    out->block_slots = limits->warps / out->warps_block;
    if (out->shared_size && out->block_slots > limits->shared_bytes / out->shared_size)
        out->block_slots = limits->shared_bytes / out->shared_size;
    if (out->block_slots > launch_blocks(out))
        out->block_slots = (uint32_t)launch_blocks(out);
    memset(mem + LAUNCH_CONST, 0, HD_CONST_DATA);
    if (l->params_size)
        memcpy(mem + LAUNCH_CONST, l->params, l->params_size);
    if (img->cdata_size && l->params_size <= HD_CONST_SHARED)
        memcpy(mem + LAUNCH_CONST + HD_CONST_SHARED,
               (uint32_t[]){ l->shared_bytes, out->shared_size }, 8);
    if (img->gdata_size)
        launch_add_range(out, LAUNCH_DATA, img->gdata_size, true);
    return HD_OK;
}

bool launch_add_range(struct launch *l, uint64_t base, uint64_t bytes, bool writable)
{
    uint32_t i = l->nranges;
    while (i && l->range[i - 1].base > base)
        i--;
    if (i && l->range[i - 1].limit == base && l->range[i - 1].writable == writable) {
        l->range[i - 1].limit = base + bytes;
        return true;
    }
    if (l->nranges == LAUNCH_RANGES)
        return false;
    memmove(&l->range[i + 1], &l->range[i], (l->nranges - i) * sizeof *l->range);
    l->range[i] = (struct launch_range){ base, base + bytes, writable };
    l->nranges++;
    return true;
}
