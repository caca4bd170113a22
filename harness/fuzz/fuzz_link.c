/* A failing case as an address of the page (docs/page.md).
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/fuzz.h"
#include "harness/cli/beside.h"
#include "harness/view/page_link.h"
#include "cmodel/image/asm.h"
#include <inttypes.h>
#include <stdlib.h>

/* What of it no launch of a page has; NULL: nothing. */
static const char *beyond(const struct fuzz_machine *m, const struct fuzz_case *c)
{
    return m->core || m->board                    ? "it is of a core of another size, or a board"
           : m->x_seed || m->four_state           ? "it is of registers that begin at random"
           : c->cores > 1                         ? "it takes several cores"
           : c->nbefore                           ? "it takes the kernels before it"
           : c->stop || c->start_again || c->halt ? "the host stops it, or starts it again"
           : c->bus_seed                          ? "addresses answer with errors"
           : c->high_seed                         ? "its buffers lie above 4 GiB"
           : c->words                             ? "operands are among its parameters"
                                                  : NULL;
}

static void write_launch(FILE *f, const struct fuzz_case *c, const struct fuzz_result *r)
{
    static const char *const predict[] = { "off", "user", "auto" };
    uint64_t params[FUZZ_PARAMS] = { 0 };
    const struct hd_launch launch = fuzz_launch(c, params);
    fprintf(f, "--grid %u,%u,%u --block %u,%u,%u", c->grid.x, c->grid.y, c->grid.z, c->block.x,
            c->block.y, c->block.z);
    if (c->lanes != HD_LANES)
        fprintf(f, " --lanes %u", c->lanes);
    if (c->stack_mode)
        fprintf(f, " --stack-depth %u", c->stack_depth);
    if (c->dynamic)
        fprintf(f, " --shared %u", c->dynamic);
    if (c->mem_seed)
        fprintf(f, " --mem-seed %" PRIu64 " --clock %" PRIu64, c->mem_seed, launch.clock);
    if (r->trouble == HD_TROUBLE_THIRD)
        fprintf(f, " --third-leg");
    if (c->ptx && c->maxregs)
        fprintf(f, " --maxregs %d", c->maxregs);
    if (c->ptx && c->no_ifconv)
        fprintf(f, " --no-ifconv");
    if (c->ptx && c->predict)
        fprintf(f, " --predict %s --deconflict %s", predict[c->predict],
                c->deconflict ? "dynamic" : "static");
    if (c->ptx && c->soft)
        fprintf(f, " --soft %d", c->soft);
    fprintf(f, " in:u32[%d]", FUZZ_IN / 4);
    if (c->data_seed)
        fprintf(f, "=mixed:%" PRIu64, c->data_seed);
    fprintf(f, " out:u32[%u] sum:u32[%d]", fuzz_room(c) * FUZZ_SLOT / 4, FUZZ_SUM / 4);
}

void fuzz_link(const struct fuzz_machine *m, const struct fuzz_case *c,
               const struct fuzz_result *r, FILE *out)
{
    if (!r->trouble && r->status != HD_DEADLOCK)     /* RTL and model agree: nothing to see there */
        return;
    const char *why = beyond(m, c);
    char *launch = NULL, *listing = NULL, folder[4096];
    const bool known = beside_folder(folder, sizeof folder);
    size_t n;
    FILE *f = why ? NULL : open_memstream(&launch, &n);
    if (f) {
        write_launch(f, c, r);
        fclose(f);
    }
    if (launch && !c->ptx && (f = open_memstream(&listing, &n))) {
        hd_dis_image(f, c->img);
        fclose(f);
    }
    char *page = launch && (c->ptx || listing) ? page_link(c->ptx ? c->ptx : listing, launch,
                                                           c->stack_mode, known ? folder : NULL)
                                               : NULL;
    if (why || page)
        fprintf(out, "  page: %s%s\n", why ? "no link: " : "", why ? why : page);
    free(page);
    free(launch);
    free(listing);
}
