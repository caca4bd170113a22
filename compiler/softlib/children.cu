// Launches from kernels (CUDA's dynamic parallelism), by the names that nvcc calls: they are written down, and the host
// makes them when the grid has ended (children.h).  A grid cannot wait for its children, so that is a legal time.
// SPDX-License-Identifier: Apache-2.0
#include "softlib/types.cuh"
#include "children.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, NO_MEMORY = 2, INVALID_CONFIGURATION = 9, TOO_DEEP = 65, TOO_MANY = 69,
       INVALID_FUNCTION = 98, THREADS = 1024 };
struct dim3 { u32 x, y, z; };
extern "C" { __attribute__((device, used, aligned(16))) struct hd_children __hd_children; }

INLINE u32 fail(u32 error)
{
    *(volatile u32 *)&__hd_children.head.error = error;
    return error;
}

// The bytes of the parameters of the kernel that begins there; ~0: it is none.
INLINE u32 params_of(u64 function)
{
    u32 low = 0, high = __hd_children.head.nkernels;
    while (low < high) {
        u32 mid = (low + high) / 2, entry = __hd_children.kernel[mid].entry;
        if (entry == function) return __hd_children.kernel[mid].params;
        if (entry < function) low = mid + 1;
        else high = mid;
    }
    return ~0u;
}

INLINE u32 configuration(struct dim3 grid, struct dim3 block)
{
    u64 threads = (u64)block.x * block.y * block.z;
    bool ok = grid.x && grid.y && grid.z && grid.x < 1u << 31 && grid.y < 1 << 16 && grid.z < 1 << 16 && threads &&
              block.x <= THREADS && block.y <= THREADS && block.z <= 64 && threads <= THREADS;
    return ok ? SUCCESS : INVALID_CONFIGURATION;
}

INLINE struct hd_child *reserve(u32 params)          // NULL: there is no room
{
    u32 at, bytes = (sizeof(struct hd_child) + params + 15) & ~15u;
    if (*(volatile u32 *)&__hd_children.head.used > CHILDREN_BYTES) {    // so it does not begin again at 0
        fail(TOO_MANY);
        return 0;
    }
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(at) : "l"(&__hd_children.head.used), "r"(bytes) : "memory");
    if (at > CHILDREN_BYTES - bytes) { fail(TOO_MANY); return 0; }
    struct hd_child *c = (struct hd_child *)((unsigned char *)__hd_children.data + at);
    c->bytes = bytes;
    c->ticket = 0;
    c->params = params;
    return c;
}

INLINE u32 launch(struct hd_child *c, u64 stream)
{
    u32 ticket;
    asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(ticket) : "l"(&__hd_children.head.tickets) : "memory");
    if (ticket >= __hd_children.head.most) return fail(TOO_MANY);
    c->stream = stream;
    c->ticket = ticket + 1;
    return SUCCESS;
}

DEVICE void *__cudaCDP2GetParameterBufferV2(u64 function, struct dim3 grid, struct dim3 block, u32 shared)
{
    u32 params = params_of(function);
    u32 error = params == ~0u ? INVALID_FUNCTION
              : __hd_children.head.depth + 1 >= CHILDREN_DEPTH ? TOO_DEEP : configuration(grid, block);
    if (error) { fail(error); return 0; }
    struct hd_child *c = reserve(params);
    if (!c) return 0;
    c->grid[0] = grid.x, c->grid[1] = grid.y, c->grid[2] = grid.z;
    c->block[0] = block.x, c->block[1] = block.y, c->block[2] = block.z;
    c->shared = shared;
    c->function = function;
    c->kind = CHILD_KERNEL;
    return c + 1;
}

DEVICE u32 __cudaCDP2LaunchDeviceV2(void *buffer, u64 stream)
{
    return buffer ? launch((struct hd_child *)buffer - 1, stream) : fail(INVALID_VALUE);
}
DEVICE u32 __cudaCDP2LaunchDeviceV2_ptsz(void *buffer, u64 stream) { return __cudaCDP2LaunchDeviceV2(buffer, stream); }

DEVICE u32 __cudaCDP2PeekAtLastError(void) { return *(volatile u32 *)&__hd_children.head.error; }
DEVICE u32 __cudaCDP2GetLastError(void)
{
    u32 error = *(volatile u32 *)&__hd_children.head.error;
    if (error) *(volatile u32 *)&__hd_children.head.error = SUCCESS;
    return error;
}

INLINE u32 copy(u64 dst, u64 src, u64 bytes, u64 stream, u64 kind)
{
    struct hd_child *c = reserve(sizeof(struct hd_child_copy));
    if (!c) return TOO_MANY;
    *(struct hd_child_copy *)(c + 1) = (struct hd_child_copy){ dst, src, bytes };
    c->kind = kind;
    return launch(c, stream);
}
DEVICE u32 __cudaCDP2MemcpyAsync(u64 dst, u64 src, u64 bytes, u32 how, u64 stream)
{
    return copy(dst, src, bytes, stream, CHILD_COPY);
}
DEVICE u32 __cudaCDP2MemcpyAsync_ptsz(u64 dst, u64 src, u64 bytes, u32 how, u64 stream)
{
    return copy(dst, src, bytes, stream, CHILD_COPY);
}
DEVICE u32 __cudaCDP2MemsetAsync(u64 dst, s32 value, u64 bytes, u64 stream)
{
    return copy(dst, (u32)value & 255, bytes, stream, CHILD_FILL);
}
DEVICE u32 __cudaCDP2MemsetAsync_ptsz(u64 dst, s32 value, u64 bytes, u64 stream)
{
    return copy(dst, (u32)value & 255, bytes, stream, CHILD_FILL);
}

// Streams and events order what runs one after the other anyway, in the order of tickets.
enum { A_STREAM = 5 };
DEVICE u32 __cudaCDP2StreamCreateWithFlags(u64 *stream, u32 flags)
{
    if (!stream || flags != 1) return fail(INVALID_VALUE);       // cudaStreamNonBlocking, which a kernel has to ask for
    *stream = A_STREAM;
    return SUCCESS;
}
DEVICE u32 __cudaCDP2StreamDestroy(u64 stream) { return stream == A_STREAM ? SUCCESS : fail(INVALID_VALUE); }
DEVICE u32 __cudaCDP2StreamWaitEvent(u64 stream, u64 event, u32 flags) { return SUCCESS; }
DEVICE u32 __cudaCDP2StreamWaitEvent_ptsz(u64 stream, u64 event, u32 flags) { return SUCCESS; }
DEVICE u32 __cudaCDP2EventCreateWithFlags(u64 *event, u32 flags)
{
    if (!event) return fail(INVALID_VALUE);
    *event = A_STREAM;
    return SUCCESS;
}
DEVICE u32 __cudaCDP2EventRecord(u64 event, u64 stream) { return SUCCESS; }
DEVICE u32 __cudaCDP2EventRecord_ptsz(u64 event, u64 stream) { return SUCCESS; }
DEVICE u32 __cudaCDP2EventDestroy(u64 event) { return SUCCESS; }

DEVICE void *malloc(u64 bytes);
DEVICE void free(void *p);
DEVICE u32 __cudaCDP2Malloc(void **p, u64 bytes)
{
    if (!p || !bytes) return fail(INVALID_VALUE);
    *p = malloc(bytes);
    return *p ? SUCCESS : fail(NO_MEMORY);
}
DEVICE u32 __cudaCDP2Free(void *p)
{
    free(p);
    return SUCCESS;
}
DEVICE u32 __cudaCDP2GetDevice(s32 *device)
{
    *device = 0;
    return SUCCESS;
}
DEVICE u32 __cudaCDP2GetDeviceCount(s32 *count)
{
    *count = 1;
    return SUCCESS;
}
