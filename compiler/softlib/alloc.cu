// malloc and free of kernels, new and delete: a heap of CUDA's default size, which lasts as long as the program is loaded.
// SPDX-License-Identifier: Apache-2.0
//
// A block is a power of two of bytes after a head of 16.  Blocks that are given back wait in a list for each size;
// what no list has comes from the top of the heap.  A list's first word counts its changes in the upper half, so
// that a thread which was overtaken between reading and exchanging it fails; block 0 is none.
#include "softlib/types.cuh"

enum { HEAP_BYTES = 8 << 20, LEAST = 4, MOST = 23, TAKEN = 0x74616b65, FREE = 0x66726565 };
struct head { u32 state, size, next, pad; };
extern "C" {
__attribute__((device, used, aligned(16))) unsigned char __hd_heap[HEAP_BYTES];
__attribute__((device, used, aligned(16))) u64 __hd_heap_free[MOST + 1];
__attribute__((device, used)) u32 __hd_heap_top;     // in units of 16 bytes; 0 is not used yet
}

INLINE u64 exchange(u64 *p, u64 old, u64 by)
{
    u64 seen;
    asm volatile("atom.global.cas.b64 %0, [%1], %2, %3;" : "=l"(seen) : "l"(p), "l"(old), "l"(by) : "memory");
    return seen;
}
INLINE u32 exchange32(u32 *p, u32 old, u32 by)
{
    u32 seen;
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(seen) : "l"(p), "r"(old), "r"(by) : "memory");
    return seen;
}
INLINE volatile head *block(u32 at) { return (volatile head *)(__hd_heap + (u64)at * 16); }

// The first of a list; 0: it is empty.
INLINE u32 pop(u32 size)
{
    u64 *list = &__hd_heap_free[size], old = *(volatile u64 *)list, seen;
    for (; (u32)old; old = seen) {
        u32 next = block((u32)old)->next;            // of no use where another thread was first, but then it fails
        seen = exchange(list, old, ((old >> 32) + 1) << 32 | next);
        if (seen == old) break;
    }
    return (u32)old;
}

INLINE u32 grow(u32 size)
{
    u32 units = (16 + (1u << size)) / 16, old = *(volatile u32 *)&__hd_heap_top, seen;
    for (;; old = seen) {
        u32 at = old ? old : 1;
        if (at + units > HEAP_BYTES / 16) return 0;
        seen = exchange32(&__hd_heap_top, old, at + units);
        if (seen == old) return at;
    }
}

DEVICE void *malloc(u64 bytes)
{
    u32 size = LEAST;
    if (bytes > HEAP_BYTES) return 0;
    while (bytes > 1u << size) size++;
    u32 at = pop(size);
    if (!at) at = grow(size);
    if (!at) return 0;
    volatile head *h = block(at);
    h->size = size;
    h->state = TAKEN;
    return (void *)(h + 1);
}

// What malloc has not given, or what was given back, ends the launch.
DEVICE void free(void *p)
{
    if (!p) return;
    volatile head *h = (volatile head *)p - 1;
    u64 off = (u64)h - (u64)__hd_heap;
    if (off >= HEAP_BYTES || (off & 15) || exchange32((u32 *)&h->state, TAKEN, FREE) != TAKEN) asm volatile("trap;");
    u32 at = (u32)(off / 16), size = h->size;
    u64 *list = &__hd_heap_free[size], old = *(volatile u64 *)list, seen;
    for (;; old = seen) {
        h->next = (u32)old;
        asm volatile("membar.gl;" ::: "memory");
        seen = exchange(list, old, ((old >> 32) + 1) << 32 | at);
        if (seen == old) return;
    }
}

// new and delete: what the language declares itself, in the forms that C++ has of each.  A program may define its own.
// Beyond malloc's alignment the word before a block says where malloc's began.
INLINE void *aligned(u64 bytes, u64 by)
{
    by = by < 16 ? 16 : by;
    u64 at = bytes + by < bytes ? 0 : (u64)malloc(bytes + by), p = (at + by) & -by;
    if (!at) return 0;
    *(u64 *)(p - 8) = at;
    return (void *)p;
}
INLINE void aligned_free(void *p)
{
    if (p) free(*(void **)((u64)p - 8));
}
#define NEW(OF) \
    DEVICE void *_Zn##OF##m(u64 n) { return malloc(n); } \
    DEVICE void *_Zn##OF##mRKSt9nothrow_t(u64 n, void *) { return malloc(n); } \
    DEVICE void *_Zn##OF##mSt11align_val_t(u64 n, u64 by) { return aligned(n, by); } \
    DEVICE void *_Zn##OF##mSt11align_val_tRKSt9nothrow_t(u64 n, u64 by, void *) { return aligned(n, by); }
#define DELETE(OF) \
    DEVICE void _Zd##OF##Pv(void *p) { free(p); } \
    DEVICE void _Zd##OF##Pvm(void *p, u64) { free(p); } \
    DEVICE void _Zd##OF##PvRKSt9nothrow_t(void *p, void *) { free(p); } \
    DEVICE void _Zd##OF##PvSt11align_val_t(void *p, u64) { aligned_free(p); } \
    DEVICE void _Zd##OF##PvmSt11align_val_t(void *p, u64, u64) { aligned_free(p); } \
    DEVICE void _Zd##OF##PvSt11align_val_tRKSt9nothrow_t(void *p, u64, void *) { aligned_free(p); }
NEW(w)
NEW(a)
DELETE(l)
DELETE(a)
