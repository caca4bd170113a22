/* Reserved address space in a page: emscripten's mmap writes zeros to all that it gives, which
 * memory of WebAssembly holds already.  What is given back is kept for the next of its size.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/base/reserve.h"
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { AREAS = 32, PAGE = 65536 };
static struct area { void *at; size_t bytes; int used; } areas[AREAS];

void *reserve(size_t bytes)
{
    struct area *a = areas;
    for (int i = 0; i < AREAS; i++)
        if (areas[i].at && !areas[i].used && areas[i].bytes == bytes) {
            areas[i].used = 1;
            return memset(areas[i].at, 0, bytes);
        }
    while (a < areas + AREAS && a->at)
        a++;
    if (a == areas + AREAS || bytes > INTPTR_MAX - PAGE)
        return NULL;
    void *at = sbrk((intptr_t)((bytes + PAGE - 1) / PAGE * PAGE));
    if (at == (void *)-1)
        return NULL;
    *a = (struct area){ at, bytes, 1 };
    return at;
}

void reserve_end(void *at, size_t bytes)
{
    (void)bytes;
    for (int i = 0; i < AREAS; i++)
        if (at && areas[i].at == at)
            areas[i].used = 0;
}
