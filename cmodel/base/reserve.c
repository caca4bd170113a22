/* Reserved address space, where pages come when they are touched; page/reserve.c is for a host that
 * has none.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/base/reserve.h"
#include <sys/mman.h>

void *reserve(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

void reserve_end(void *at, size_t bytes)
{
    if (at)
        munmap(at, bytes);
}
